#include "tests/models/reference.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "driftless/language/read.hpp"

namespace driftless {
namespace {

const std::string source_dir = DRIFTLESS_SOURCE_DIR;

std::vector<std::string> stems(const std::string& folder, const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir + folder))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

nlohmann::json json_file(const std::string& path) { return nlohmann::json::parse(contents(source_dir + path)); }

Model read(const std::string& name, const std::string& text, const Overrides& overrides) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_text(name, text, {.model = {}, .overrides = overrides}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

}  // namespace

std::vector<std::string> reference_names() { return stems("/tests/references", ".json"); }
std::vector<std::string> shipped_models() { return stems("/models", ".mo"); }

Reference read_reference(const std::string& name) {
  const nlohmann::json file = json_file("/tests/references/" + name + ".json");
  Reference reference;
  reference.name = name;
  reference.model_file = source_dir + "/" + file.at("model").get<std::string>();
  reference.stop = file.at("stop");
  if (file.contains("overrides"))
    for (const auto& [parameter, value] : file["overrides"].items())
      reference.overrides.emplace_back(parameter, value.dump());
  for (const auto& point : file.at("points")) reference.points.push_back({point.at("t"), point.at("values")});
  for (const auto& invariant : file.at("invariants"))
    reference.invariants.push_back({invariant.at("name"), invariant.at("expression"), invariant.at("value")});
  const auto& structure = file.at("structure");
  reference.equations = structure.at("equations");
  reference.structural_index = structure.at("structural_index");
  reference.degrees_of_freedom = structure.at("degrees_of_freedom");
  reference.differentiations = structure.at("differentiations").get<std::vector<int>>();
  reference.true_degrees_of_freedom = structure.value("true_degrees_of_freedom", reference.degrees_of_freedom);
  const nlohmann::json allowances = json_file("/tests/models/allowances.json");
  if (allowances.contains(name)) {
    const nlohmann::json& granted = allowances[name];
    reference.allowance = granted.at("factor");
    reference.invariants_allowance = granted.value("invariants", 1.0);
    reference.tolerances = granted.value("tolerances", reference.tolerances);
  }
  return reference;
}

Model Reference::model() const { return read(model_file, contents(model_file), overrides); }

Model read_shipped(const std::string& name, const Overrides& overrides) {
  const std::string file = source_dir + "/models/" + name + ".mo";
  return read(file, contents(file), overrides);
}

Model read_text(const std::string& text) { return read("text.mo", text, {}); }

Model with_observable(const Reference& reference, const std::string& expression) {
  std::string text = contents(reference.model_file);
  const std::size_t head = text.find('\n', text.find("\nmodel ") + 1);
  text.insert(head + 1, "  Real observable;\n");
  text.insert(text.rfind("  annotation(experiment"), "  observable = " + expression + ";\n");
  return read(reference.model_file, text, reference.overrides);
}

}  // namespace driftless
