#include "driftless/integrate/method.hpp"

#include <algorithm>

#include "driftless/integrate/projection.hpp"

namespace driftless {

// The families, with those of their members that have names.
const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"ida"};
  return names;
}

std::string to_string(const Method&) { return "ida"; }

std::optional<Method> parse_method(const std::string& text) {
  if (text == "ida" || text == "bdf") return Method(method::Ida{});
  return {};
}

bool controls_step(const Method& method) {
  if (const auto* rk = std::get_if<method::ExplicitRungeKutta>(&method)) return rk->tableau == method::Explicit::Dopri5;
  return std::holds_alternative<method::Ida>(method);
}

const std::vector<std::string>& projection_names() {
  static const std::vector<std::string> names{"none"};
  return names;
}
std::string to_string(const Projection&) { return "none"; }
std::optional<Projection> parse_projection(const std::string& text) {
  return text == "none" ? std::optional<Projection>(projection::None{}) : std::nullopt;
}

}  // namespace driftless
