#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "driftless/sweep/processes.hpp"

namespace driftless::sweep {
namespace {

// Set by Open MPI, by MPICH and its relatives, and by srun with either of their interfaces.
bool is_one_of_many() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size) > 1;
  return std::getenv("PMIX_RANK") != nullptr;
}

// Loads the module from the folder of the program, or from the installation.
void* module() {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const std::filesystem::path& file :
       {folder / "driftless_mpi.so", folder / DRIFTLESS_MODULES "/driftless_mpi.so"})
    if (std::filesystem::exists(file, ignored)) return ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  return nullptr;
}

}  // namespace

std::unique_ptr<Processes> processes_of_mpi() {
  if (!is_one_of_many()) return nullptr;
  const char* const advice =
      "build it where MPI is installed (packages libopenmpi-dev, openmpi-bin), or start it alone";
  void* const loaded = module();
  if (!loaded)
    throw ProcessError(
        fmt::format("mpirun started this program several times, but driftless_mpi.so, by which they speak "
                    "with each other, is not there or cannot be loaded: {}",
                    advice));
  const auto make = reinterpret_cast<Processes* (*)()>(::dlsym(loaded, "driftless_mpi_processes"));
  if (!make) throw ProcessError(fmt::format("driftless_mpi.so is of another version of the program: {}", advice));
  std::unique_ptr<Processes> processes(make());
  if (!processes) throw ProcessError("MPI cannot be initialized");
  return processes;
}

}  // namespace driftless::sweep
