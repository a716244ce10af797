#include "driftless/external/shared_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

extern char** environ;

namespace driftless::external {

std::variant<std::shared_ptr<SharedLibrary>, std::string> SharedLibrary::open(const std::string& file) {
  // All symbols are bound now, so that a missing one gives a message here instead of ending the process during a run.
  if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    return std::shared_ptr<SharedLibrary>(new SharedLibrary(file, handle));
  const char* reason = dlerror();
  return std::string(reason ? reason : "it cannot be loaded");
}

SharedLibrary::~SharedLibrary() { dlclose(handle_); }

void* SharedLibrary::find(const std::string& symbol) const { return dlsym(handle_, symbol.c_str()); }

namespace {

// A temporary folder, removed with its contents.
class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "driftless-XXXXXX").string();
    if (!failed && mkdtemp(name.data())) path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a program without a shell, both its outputs in a file. Its exit code; -1 if it did not start.
int run(std::vector<std::string> command, const std::filesystem::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed != 0 || waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The functions of utilities.cpp (Modelica 3.6, Section 12.9.6).
constexpr const char* utilities_header = R"(#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H
#include <stdarg.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void ModelicaMessage(const char* text);
void ModelicaFormatMessage(const char* format, ...);
void ModelicaVFormatMessage(const char* format, va_list values);
void ModelicaWarning(const char* text);
void ModelicaFormatWarning(const char* format, ...);
void ModelicaVFormatWarning(const char* format, va_list values);
void ModelicaError(const char* text);
void ModelicaFormatError(const char* format, ...);
void ModelicaVFormatError(const char* format, va_list values);
char* ModelicaAllocateString(size_t length);
char* ModelicaAllocateStringWithErrorReturn(size_t length);
char* ModelicaDuplicateString(const char* text);
char* ModelicaDuplicateStringWithErrorReturn(const char* text);
#ifdef __cplusplus
}
#endif
#endif
)";

std::string first_lines(const std::filesystem::path& file, int count) {
  std::ifstream stream(file);
  std::string text;
  for (std::string line; count-- > 0 && std::getline(stream, line);) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace

std::variant<std::shared_ptr<SharedLibrary>, std::string> compile(const CText& text) {
  const Scratch scratch;
  if (scratch.path().empty()) return std::string("no folder for temporary files can be made");
  const std::filesystem::path source = scratch.path() / "included.c", library = scratch.path() / "included.so",
                              messages = scratch.path() / "messages";
  std::ofstream(source) << "#include <stddef.h>\n#line 1 \"Include\"\n" << text.text << "\n";
  std::ofstream(scratch.path() / "ModelicaUtilities.h") << utilities_header;
  const char* chosen = std::getenv("CC");
  const std::string compiler = chosen && *chosen ? chosen : "cc";
  std::vector<std::string> command{compiler, "-shared",        "-fPIC",         "-O2",
                                   "-o",     library.string(), source.string(), "-I" + scratch.path().string()};
  if (!text.folder_of_headers.empty()) command.push_back("-I" + text.folder_of_headers);
  command.emplace_back("-lm");
  const int code = run(command, messages);
  if (code == 0) return SharedLibrary::open(library.string());
  if (code < 0) return "the C compiler '" + compiler + "' cannot be started";
  return "the C compiler refuses the text of Include: " + first_lines(messages, 4);
}

}  // namespace driftless::external
