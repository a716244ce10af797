// Libraries on disk that make no sense: mutated packages, files that are no text, a package.order that names what is
// not there, names twice, packages in circles. Reading a model against them ends, with a model or with a reason.
//
//   driftless_library_fuzz [executions] [seed]
//
// The folder of an execution that fails is kept.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "driftless/language/read.hpp"
#include "tests/fuzz/mutate.hpp"

namespace {

using namespace driftless;
namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class LibraryMaker {
 public:
  LibraryMaker(fuzz::Material material, std::uint64_t seed) : material_(std::move(material)), random_(seed) {}

  void make(const fs::path& folder) {
    fs::remove_all(folder);
    package(folder / "Lib", "Lib", 0);
    if (chance(4)) write(folder / "Lib.mo", "package Lib " + body() + " end Lib;");
    if (chance(4)) write(folder / "M.mo", fuzz::mutate(material_, random_));
  }

  std::string user_text() {
    static const char* const texts[] = {
        "model M extends Lib.A; end M;",
        "model M Lib.Sub.B b; end M;",
        "model M import Lib.*; A a; end M;",
        "within Lib.Sub; model M A a; end M;",
        "model M extends Lib; Lib.Lib.A a; end M;",
        "model M replaceable package P = Lib; P.A a; end M;",
    };
    return chance(3) ? fuzz::mutate(material_, random_) : texts[random_() % std::size(texts)];
  }

 private:
  bool chance(unsigned n) { return random_() % n == 0; }

  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }

  std::string garbage() {
    std::string bytes(random_() % 400, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_() & 0xFFU);
    return bytes;
  }

  std::string body() {
    static const char* const bodies[] = {
        "model A Real x = time; end A;",
        "extends Lib;",
        "model A extends Lib.Sub.B; end A;",
        "package Sub = Lib;",
        "import Lib.Sub.*;",
        "model A A a; end A;",
        "constant Real k = Lib.k;",
        "model A = Lib.A(x = 1);",
        "replaceable package Sub = Lib.Sub;",
        "model A Real x[1000000000]; end A;",
        "annotation(uses(Lib(version = \"7\")));",
        "",
    };
    std::string text;
    for (unsigned k = 0; k < 3; ++k) text += std::string(bodies[random_() % std::size(bodies)]) + "\n";
    return text;
  }

  std::string file(const std::string& within, const std::string& kind, const std::string& name) {
    if (chance(8)) return garbage();
    if (chance(8)) return fuzz::mutate(material_, random_);
    const std::string head = chance(6) ? "within Wrong;" : "within " + within + ";";
    return head + "\n" + kind + " " + name + "\n" + body() + "end " + (chance(10) ? "Other" : name) + ";\n";
  }

  void package(const fs::path& folder, const std::string& name, int depth) {
    fs::create_directories(folder);
    const std::string within = depth == 0 ? "" : "Lib";
    if (!chance(10)) write(folder / "package.mo", file(within, "package", name));
    if (chance(2)) write(folder / "package.order", chance(2) ? garbage() : "A\nA\nSub\nnothing\n\n Lib\n");
    if (chance(2)) write(folder / "A.mo", file("Lib", "model", "A"));
    if (chance(2)) write(folder / "B.mo", file("Lib.Sub", "model", "B"));
    if (chance(5)) write(folder / "A.mo.mo", garbage());
    if (chance(6)) fs::create_directories(folder / "A");
    if (depth < 3 && chance(2)) package(folder / "Sub", "Sub", depth + 1);
    std::error_code ignored;
    if (chance(8)) fs::create_directory_symlink(folder, folder / "Loop", ignored);
  }

  fuzz::Material material_;
  std::mt19937_64 random_;
};

bool execute(LibraryMaker& maker, const fs::path& folder) {
  maker.make(folder);
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  ReadOptions options;
  options.libraries = {folder.string()};
  const auto model = read_model_text("user.mo", maker.user_text(), options, sources, diagnostics);
  render(diagnostics, *sources);
  return model.has_value() != diagnostics.has_errors();
}

}  // namespace

int main(int argc, char** argv) {
  const long executions = argc > 1 ? std::atol(argv[1]) : 300;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  fuzz::Material material;
  for (const char* name : {"classes.mo", "library_style.mo"})
    material.texts.push_back(content_of(fs::path(DRIFTLESS_SOURCE_DIR) / "tests/fuzz/corpus" / name));
  material.words = {"Lib", "Sub", "A", "extends", "package", "redeclare", "within", "import", "M", ";", "end"};
  const fs::path folder = fs::temp_directory_path() / ("fuzz-library-" + std::to_string(getpid()));
  LibraryMaker maker(std::move(material), seed);
  for (long k = 0; k < executions; ++k) {
    alarm(20);  // an endless loop ends by a signal
    if (!execute(maker, folder)) {
      std::printf("execution %ld: neither a model nor a reason, or both; the library is in %s\n", k, folder.c_str());
      return 1;
    }
  }
  alarm(0);
  fs::remove_all(folder);
  std::printf("%ld executions\n", executions);
  return 0;
}
