# The texts of tests/references/*.json and tests/unseen/*.json as one generated source file, written anew when one of them
# changes. Those of models/unseen are called unseen/x.
file(GLOB references CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/references/*.json ${PROJECT_SOURCE_DIR}/tests/unseen/*.json)
set(entries "")
foreach(file ${references})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  if(folder MATCHES "/unseen$")
    set(name unseen/${name})
  endif()
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"reference(${text})reference\"},\n")
endforeach()
list(LENGTH references count)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/references.cpp)
file(WRITE ${generated}.new "#include <array>
#include <utility>

#include \"driftless/scoreboard/reference_end.hpp\"

namespace driftless::scoreboard {
namespace {
constexpr std::array<std::pair<std::string_view, std::string_view>, ${count}> references{{
${entries}}};
}  // namespace

std::optional<std::string_view> reference_text(std::string_view model) {
  for (const auto& [known, text] : references)
    if (known == model) return text;
  return {};
}

std::vector<std::string_view> reference_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, text] : references) names.push_back(name);
  return names;
}

}  // namespace driftless::scoreboard
")
configure_file(${generated}.new ${generated} COPYONLY)
target_sources(driftless_scoreboard PRIVATE ${generated})
