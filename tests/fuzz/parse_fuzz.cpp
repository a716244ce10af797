// Runs the fuzz entry on mutated models for a number of seconds or executions, always the same ones for a seed.
//
//   driftless_parse_fuzz [--seconds N] [--executions N] [--seed N] [--dictionary FILE] [corpus files]
//
// The work is done in a child process that keeps its input in shared memory: when it dies, by a signal, a sanitizer
// or the alarm for endless loops, the input is written to fuzz-crash-<execution>.mo, and the exit code is 1.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "tests/fuzz/mutate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace driftless::fuzz;

constexpr std::size_t max_input = 1U << 22U;
constexpr unsigned seconds_per_input = 20;

struct Options {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t executions = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;
  std::string dictionary = DRIFTLESS_SOURCE_DIR "/tests/fuzz/dictionary";
  std::vector<std::string> corpus;
};

// What the child tells its parent.
struct Shared {
  std::uint64_t executions;
  std::size_t size;
  char input[max_input];
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const bool option = word.starts_with("--");
    if (option && k + 1 == argc) {
      std::fprintf(stderr, "%s needs a value\n", word.c_str());
      std::exit(2);
    }
    if (word == "--seconds") {
      options.seconds = std::stod(argv[++k]);
    } else if (word == "--executions") {
      options.executions = std::stoull(argv[++k]);
    } else if (word == "--seed") {
      options.seed = std::stoull(argv[++k]);
    } else if (word == "--dictionary") {
      options.dictionary = argv[++k];
    } else if (option) {
      std::fprintf(stderr, "unknown option %s\n", word.c_str());
      std::exit(2);
    } else {
      options.corpus.push_back(word);
    }
  }
  return options;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// All models of the project and the snippets beside this file, in the order of their names.
std::vector<std::string> default_corpus() {
  std::vector<std::string> paths;
  for (const char* folder : {DRIFTLESS_SOURCE_DIR "/models", DRIFTLESS_SOURCE_DIR "/libraries",
                             DRIFTLESS_SOURCE_DIR "/tests/bad_models", DRIFTLESS_SOURCE_DIR "/tests/fuzz/corpus"}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".mo") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Material material_of(const Options& options) {
  Material material;
  for (const std::string& path : options.corpus.empty() ? default_corpus() : options.corpus) {
    material.texts.push_back(content_of(path));
  }
  // One word per line, in double quotes, as libFuzzer reads them.
  std::ifstream dictionary(options.dictionary);
  for (std::string line; std::getline(dictionary, line);) {
    if (line.size() > 2 && line.front() == '"' && line.back() == '"') {
      material.words.push_back(line.substr(1, line.size() - 2));
    }
  }
  if (material.texts.empty() || material.words.empty()) {
    std::fprintf(stderr, "no corpus or no dictionary\n");
    std::exit(2);
  }
  return material;
}

void execute(const std::string& text, Shared& shared) {
  shared.size = std::min(text.size(), max_input);
  std::memcpy(shared.input, text.data(), shared.size);
  alarm(seconds_per_input);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(shared.input), shared.size);
  alarm(0);
  ++shared.executions;
}

// Text of some kilobytes needs no more; what a sanitizer reserves cannot be limited.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit most{rlim_t{4} << 30U, rlim_t{4} << 30U};
  setrlimit(RLIMIT_AS, &most);
#endif
}

void work(const Options& options, const Material& material, Shared& shared) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::mt19937_64 random(options.seed);
  for (const std::string& text : material.texts) execute(text, shared);
  while (shared.executions < options.executions &&
         std::chrono::duration<double>(Clock::now() - begin).count() < options.seconds) {
    execute(mutate(material, random), shared);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  const Material material = material_of(options);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  auto& shared = *static_cast<Shared*>(memory);

  const pid_t child = fork();
  if (child == 0) {
    limit_memory();
    work(options, material, shared);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%llu executions\n", static_cast<unsigned long long>(shared.executions));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;

  const std::string path = "fuzz-crash-" + std::to_string(shared.executions) + ".mo";
  std::ofstream(path, std::ios::binary).write(shared.input, static_cast<std::streamsize>(shared.size));
  std::printf("failed; the input is in %s\n", path.c_str());
  return 1;
}
