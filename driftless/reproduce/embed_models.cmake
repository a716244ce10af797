# The texts of models/*.mo and of its folders as one generated source file, written anew when one of them changes.
file(GLOB_RECURSE models RELATIVE ${PROJECT_SOURCE_DIR}/models CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.mo)
set(entries "")
foreach(model ${models})
  set(file ${PROJECT_SOURCE_DIR}/models/${model})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  string(REGEX REPLACE "\\.mo$" "" name ${model})
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"modelica(${text})modelica\"},\n")
endforeach()
list(LENGTH models count)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/shipped_models.cpp)
file(WRITE ${generated}.new "#include <array>
#include <utility>

#include \"driftless/reproduce/shipped_model.hpp\"

namespace driftless::reproduce {
namespace {
constexpr std::array<std::pair<std::string_view, std::string_view>, ${count}> models{{
${entries}}};
}  // namespace

std::optional<std::string_view> shipped_model(std::string_view name) {
  for (const auto& [known, text] : models)
    if (known == name) return text;
  return {};
}

std::vector<std::string_view> shipped_model_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, text] : models)
    if (name.find('/') == name.npos) names.push_back(name);
  return names;
}

}  // namespace driftless::reproduce
")
configure_file(${generated}.new ${generated} COPYONLY)
target_sources(driftless_reproduce PRIVATE ${generated})
