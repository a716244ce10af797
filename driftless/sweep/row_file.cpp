#include "driftless/sweep/row_file.hpp"

namespace driftless::sweep {

bool RowFile::is_hdf5(const std::filesystem::path& path) {
  return path.extension() == ".h5" || path.extension() == ".hdf5";
}

bool RowFile::names(const std::filesystem::path& path) { return is_hdf5(path) || path.extension() == ".csv"; }

RowFile::RowFile(const std::filesystem::path& path, const std::string& identity, const std::string& model,
                 const Plan& plan, const std::vector<Kept>& kept, const Followed& followed) {
  if (is_hdf5(path))
    file_ = std::make_unique<Hdf5Table>(path, identity, model, plan, kept, followed);
  else
    file_ = std::make_unique<TableFile>(path, identity, plan, kept);
}

std::variant<std::vector<Row>, std::string> RowFile::resume(bool with_trajectories) {
  if (auto* hdf5 = std::get_if<std::unique_ptr<Hdf5Table>>(&file_)) return (*hdf5)->resume(with_trajectories);
  return std::get<std::unique_ptr<TableFile>>(file_)->resume();
}

bool RowFile::write(const Row& row) {
  return std::visit([&](auto& file) { return file->write(row); }, file_);
}

void RowFile::flush() {
  std::visit([](auto& file) { file->flush(); }, file_);
}

std::optional<std::string> RowFile::commit() {
  return std::visit([](auto& file) { return file->commit(); }, file_);
}

std::string RowFile::problem() const {
  return std::visit([](const auto& file) { return file->problem(); }, file_);
}

}  // namespace driftless::sweep
