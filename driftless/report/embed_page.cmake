# The style sheet and the scripts of report/page/ as one generated source file, written anew when one of them changes.
# The scripts are one text in the end, in the order of their numbers.
set(page ${CMAKE_CURRENT_SOURCE_DIR}/report/page)
file(GLOB scripts CONFIGURE_DEPENDS ${page}/*.js)
list(SORT scripts)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scripts} ${page}/style.css)
set(script "\"use strict\";(() => {\n")
foreach(file ${scripts})
  file(READ ${file} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
file(READ ${page}/style.css style)
string(SHA256 hash "${script}")
# A literal may not be longer than 64 KiB for some compilers: pieces that follow each other are one.
function(driftless_literal text result)
  string(LENGTH "${text}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 12000 piece)
    string(APPEND literal "R\"page(${piece})page\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()
driftless_literal("${script}" script)
driftless_literal("${style}" style)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/report_page.cpp)
file(WRITE ${generated}.new "#include \"driftless/report/page_files.hpp\"

namespace driftless::reporting {

std::string_view style_text() { return ${style}; }
std::string_view script_text() { return ${script}; }
std::string_view script_sha256() { return \"${hash}\"; }

}  // namespace driftless::reporting
")
configure_file(${generated}.new ${generated} COPYONLY)
target_sources(driftless_report PRIVATE ${generated})
