// The commands of the program with their options, read from the parser of the command line: completion and the manual
// are generated from it, so that they agree.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace driftless::cli {

enum class Takes { Nothing, Words, Model, Results, File, Folder, Text };

struct OptionRow {
  std::string name;  // "--method"; of an argument without a name in front: "FILE"
  std::string type;  // as shown by the help: "NAME", "continue|never|restart"; empty for a flag
  std::string help;
  Takes takes = Takes::Nothing;
  bool required = false, repeats = false;
  std::vector<std::string> words{};  // if it takes one of these
};

struct CommandRow {
  std::string name, help;
  std::vector<OptionRow> options, arguments;
};

// The first one is the program itself, with options that need no command.
std::vector<CommandRow> command_table(const CLI::App& app);

}  // namespace driftless::cli
