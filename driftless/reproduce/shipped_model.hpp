// The models of the folder models/, compiled into the program: experiments run from any folder.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace driftless::reproduce {

// "pendulum" -> the text of models/pendulum.mo.
std::optional<std::string_view> shipped_model(std::string_view name);

// Without those of the folders of models/; in alphabetical order.
std::vector<std::string_view> shipped_model_names();

}  // namespace driftless::reproduce
