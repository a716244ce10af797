// Scripts that let shells complete the command line of the program, and its manual page.
#pragma once

#include <string>
#include <vector>

#include "cli/command_table.hpp"

namespace driftless::cli {

std::string bash_completion(const std::vector<CommandRow>& commands);
std::string zsh_completion(const std::vector<CommandRow>& commands);
std::string fish_completion(const std::vector<CommandRow>& commands);

// For man: driftless.1.
std::string manual_page(const std::vector<CommandRow>& commands);

}  // namespace driftless::cli
