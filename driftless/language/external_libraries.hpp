// Where the C function of an external function is found: in the shared libraries that its annotations name, or in the
// C text of Include (Modelica 3.6, Section 12.9.4).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "driftless/external/c_function.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The libraries loaded while a text is read.
struct ExternalLibraries {
  std::map<std::string, std::variant<std::shared_ptr<external::SharedLibrary>, std::string>> by_file, by_text;
};

// The function, or the reason why there is none.
std::variant<external::CFunction, std::string> find_c_function(Elaboration& all, Instance& function,
                                                               external::Signature signature);

// The file that modelica://Library.Package/file means; nothing if no such library has been read.
std::optional<std::string> file_of_uri(const Elaboration& all, std::string_view uri);

}  // namespace driftless::language
