#include "driftless/integrate/solve/projection.hpp"

#include <map>

#include <fmt/format.h>

#include "driftless/choices/options.hpp"

namespace driftless {
namespace {

using namespace projection;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

const std::map<std::string, Levels> levels{
    {"position", Levels::Position}, {"velocity", Levels::Velocity}, {"both", Levels::Both}};
const std::map<std::string, Weight> weights{{"identity", Weight::Identity}, {"mass", Weight::Mass}};
const std::map<std::string, Stabilizer> stabilizers{
    {"newton", Stabilizer::Newton}, {"force", Stabilizer::Force}, {"normal", Stabilizer::Normal}};

template <class T>
const std::string& name_of(T value, const std::map<std::string, T>& meanings) {
  for (const auto& [name, meaning] : meanings)
    if (meaning == value) return name;
  static const std::string nameless;
  return nameless;
}

std::optional<Projection> parse_post_stabilization(Options& options) {
  PostStabilization post;
  post.stabilizer = options.choice("F", stabilizers).value_or(post.stabilizer);
  post.times = options.integer("times").value_or(post.times);
  post.frozen = options.flag("frozen");
  if (post.times < 1) return {};
  return post;
}

std::optional<Projection> parse_known(Options& options) {
  const std::string& name = options.name();
  if (name == "none") return None{};
  if (name == "post") return parse_post_stabilization(options);
  if (name == "invariants") return Invariants{options.flag("output")};
  if (const auto found = levels.find(name); found != levels.end())
    return Coordinates{found->second, options.choice("weight", weights).value_or(Weight::Identity),
                       options.flag("predicted")};
  return {};
}

}  // namespace

std::string to_string(const Projection& projection) {
  return std::visit(
      Overloaded{
          [](const None&) -> std::string { return "none"; },
          [](const Coordinates& c) {
            const bool mass = c.weight == Weight::Mass;
            return name_of(c.levels, levels) + (mass ? ":weight=mass" : "") +
                   (c.predicted ? mass ? ",predicted" : ":predicted" : "");
          },
          [](const PostStabilization& post) {
            return fmt::format("post:F={},times={}{}", name_of(post.stabilizer, stabilizers), post.times,
                               post.frozen ? ",frozen" : "");
          },
          [](const Invariants& i) -> std::string { return i.output_only ? "invariants:output" : "invariants"; },
      },
      projection);
}

std::optional<Projection> parse_projection(const std::string& text) {
  Options options(text);
  const auto projection = parse_known(options);
  return options.all_used() ? projection : std::nullopt;
}

const std::vector<std::string>& projection_names() {
  static const std::vector<std::string> names{"none", "position", "velocity", "both", "post", "invariants"};
  return names;
}

const std::vector<std::string>& projection_flags() {
  static const std::vector<std::string> flags{"frozen", "output", "predicted"};
  return flags;
}

}  // namespace driftless
