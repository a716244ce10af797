// Scripts that let shells complete the command line of the program.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace driftless::cli {
namespace {

struct Shell {
  std::string name;
};

// Words of a command that begin with a dash.
std::string option_names(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options) names.push_back(option.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string command_names(const std::vector<CommandRow>& commands) {
  std::vector<std::string> names;
  for (std::size_t k = 1; k < commands.size(); ++k) names.push_back(commands[k].name);
  return fmt::format("{}", fmt::join(names, " "));
}

// The completion for bash: a call of a function in the script.
std::string bash_offer(const OptionRow& row) {
  switch (row.takes) {
    case Takes::Words: return fmt::format("_driftless_words '{}'", fmt::join(row.words, " "));
    case Takes::Model: return "_driftless_files mo";
    case Takes::Results: return "_driftless_files 'csv|mat'";
    case Takes::File: return "_driftless_files '*'";
    case Takes::Folder: return "_driftless_files /";
    case Takes::Nothing:
    case Takes::Text: return "true";
  }
  return "true";
}

constexpr const char* bash_functions = R"(_driftless_words() {
  local before='' last="$cur"  # the last one of a list
  if [[ $cur == *,* ]]; then before="${cur%,*},"; last="${cur##*,}"; fi
  local word
  for word in $1; do [[ $word == "$last"* ]] && COMPREPLY+=("$before$word"); done
}

_driftless_files() {
  compopt -o filenames 2>/dev/null
  local name
  while IFS= read -r name; do
    [[ -n $name ]] || continue
    if [[ -d $name || $1 == '*' || ( $1 != / && $name =~ \.($1)$ ) ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen -f -- "$cur")
}

)";

// Single quotes in text between single quotes.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// Escapes colons and brackets, which are special in zsh specifications.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const OptionRow& row) {
  switch (row.takes) {
    case Takes::Words: return fmt::format("({})", fmt::join(row.words, " "));
    case Takes::Model: return "_files -g \"*.mo\"";
    case Takes::Results: return "_files -g \"*.(csv|mat)\"";
    case Takes::File: return "_files";
    case Takes::Folder: return "_files -/";
    case Takes::Nothing:
    case Takes::Text: return " ";
  }
  return " ";
}

std::string zsh_specification(const OptionRow& option) {
  std::string text = fmt::format("{}{}[{}]", option.repeats ? "*" : "", option.name, zsh_text(option.help));
  if (option.takes != Takes::Nothing) text += fmt::format(":{}:{}", zsh_text(option.type), zsh_action(option));
  return shell_quoted(text);
}

// "-x" takes no file, "-r" takes one; flags take no value.
std::string fish_value(const OptionRow& row) {
  switch (row.takes) {
    case Takes::Words: return fmt::format(" -x -a {}", shell_quoted(fmt::format("{}", fmt::join(row.words, " "))));
    case Takes::Model:
    case Takes::Results:
    case Takes::File: return " -r -F";
    case Takes::Folder: return " -x -a '(__fish_complete_directories)'";
    case Takes::Text: return " -x";
    case Takes::Nothing: return "";
  }
  return "";
}

std::string bash_completion(const std::vector<CommandRow>& commands) {
  std::string text = "# Completion of driftless for bash, made by `driftless completion bash`.\n";
  text += bash_functions;
  text += fmt::format(
      "_driftless() {{\n  local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\" command=''\n"
      "  COMPREPLY=()\n  if (( COMP_CWORD > 1 )); then command=\"${{COMP_WORDS[1]}}\"; fi\n"
      "  case \"$command $prev\" in\n");
  for (const CommandRow& command : commands)
    for (const OptionRow& option : command.options)
      if (option.takes != Takes::Nothing)
        text += fmt::format("    '{} {}') {}; return ;;\n", command.name, option.name, bash_offer(option));
  text += "  esac\n  case \"$command\" in\n";
  text += fmt::format("    '') _driftless_words '{} {}' ;;\n", command_names(commands), option_names(commands[0]));
  for (std::size_t k = 1; k < commands.size(); ++k) {
    text += fmt::format("    {}) if [[ $cur == -* ]]; then _driftless_words '{}'", commands[k].name,
                        option_names(commands[k]));
    if (!commands[k].arguments.empty()) text += fmt::format("; else {}", bash_offer(commands[k].arguments[0]));
    text += "; fi ;;\n";
  }
  return text + "  esac\n}\ncomplete -F _driftless driftless\n";
}

std::string zsh_completion(const std::vector<CommandRow>& commands) {
  std::string text = "#compdef driftless\n# Completion of driftless for zsh, made by `driftless completion zsh`.\n";
  text += "_driftless() {\n  local -a commands\n  commands=(\n";
  for (std::size_t k = 1; k < commands.size(); ++k)
    text += fmt::format("    {}\n", shell_quoted(commands[k].name + ":" + zsh_text(commands[k].help)));
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments";
  for (const OptionRow& option : commands[0].options) text += " " + zsh_specification(option);
  text += "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (std::size_t k = 1; k < commands.size(); ++k) {
    text += fmt::format("    {}) _arguments", commands[k].name);
    for (const OptionRow& option : commands[k].options) text += " \\\n      " + zsh_specification(option);
    for (const OptionRow& argument : commands[k].arguments)
      text +=
          " \\\n      " + shell_quoted(fmt::format("{}{}:{}", argument.repeats ? "*:" : "1:", zsh_text(argument.name),
                                                   zsh_action(argument)));
    text += " ;;\n";
  }
  return text +
         "  esac\n}\nif [ \"$funcstack[1]\" = _driftless ]; then _driftless \"$@\"; else compdef _driftless driftless; "
         "fi\n";
}

std::string fish_completion(const std::vector<CommandRow>& commands) {
  std::string text =
      "# Completion of driftless for fish, made by `driftless completion fish`.\ncomplete -c driftless -f\n";
  for (const OptionRow& option : commands[0].options)
    text += fmt::format("complete -c driftless -n __fish_use_subcommand -l {} -d {}\n", option.name.substr(2),
                        shell_quoted(option.help));
  for (std::size_t k = 1; k < commands.size(); ++k) {
    const CommandRow& command = commands[k];
    text += fmt::format("complete -c driftless -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        shell_quoted(command.help));
    const std::string here = fmt::format("complete -c driftless -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionRow& option : command.options)
      text +=
          fmt::format("{} -l {}{} -d {}\n", here, option.name.substr(2), fish_value(option), shell_quoted(option.help));
    for (const OptionRow& argument : command.arguments)
      text += fmt::format("{}{}\n", here, argument.takes == Takes::Words ? fish_value(argument) : " -F");
  }
  return text;
}

}  // namespace

void add_completion(Commands& commands) {
  const auto write = [&commands](const Shell& shell) {
    const std::vector<CommandRow> table = command_table(commands.app());
    const std::string script = shell.name == "bash"  ? bash_completion(table)
                               : shell.name == "zsh" ? zsh_completion(table)
                                                     : fish_completion(table);
    std::fputs(script.c_str(), stdout);
    return success;
  };
  const auto [command, shell] =
      commands.add<Shell>("completion", "print a script that lets a shell complete commands, options and names", write);
  command.add_option("SHELL", shell.name, "which")
      ->required()
      ->type_name("bash|fish|zsh")
      ->check([](const std::string& word) {
        const bool known = word == "bash" || word == "fish" || word == "zsh";
        return known ? "" : fmt::format("'{}' is not one of bash, fish, zsh", word);
      });
}

}  // namespace driftless::cli
