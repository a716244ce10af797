// The manual page, for man: driftless.1.
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

// Escapes text for roff: dashes of options, and lines that would be read as commands.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

std::string lines_of_option(const OptionRow& option) {
  std::string text = ".TP\n.B " + roff(option.name);
  if (option.takes != Takes::Nothing && option.type != option.name)
    text = fmt::format(".TP\n.BI {} \" {}\"", roff(option.name), roff(option.type));
  return text + "\n" + roff(option.help) + "\n";
}

std::string synopsis_of(const CommandRow& command) {
  std::string text = ".B driftless " + roff(command.name) + "\n";
  for (const OptionRow& argument : command.arguments)
    text += fmt::format("{} {}{}{}\n", argument.required ? ".I" : ".RI [", roff(argument.name),
                        argument.repeats ? "..." : "", argument.required ? "" : " ]");
  if (command.options.size() > 1) text += ".RI [ options ]\n";
  return text;
}

constexpr const char* opening = R"(.SH NAME
driftless \- solve differential\-algebraic equations of any index
.SH SYNOPSIS
)";

constexpr const char* description = R"(.SH DESCRIPTION
.B driftless
reads a model as Modelica text, finds its hidden constraints, its states and a consistent start, and computes a
trajectory that stays on every constraint. Every run ends with a certificate that says how well.
.PP
Results go to the standard output, messages to the standard error. A message has a code;
.B driftless explain
.I CODE
tells what it means, with an example and the cure.
)";

constexpr const char* closing = R"(.SH EXIT STATUS
.TP
.B 0
The stop time was reached and every constraint was kept.
.TP
.B 1
The computation failed: no consistent start, a step size that is too small, a violated assertion.
.TP
.B 2
The model or the request is wrong.
.TP
.B 3
The stop time was reached, but levels of constraints that the formulation does not impose drifted.
.SH ENVIRONMENT
.TP
.B MODELICAPATH
Folders with libraries of Modelica, separated by colons.
.TP
.B NO_COLOR
If it is set and not empty, nothing is coloured.
.SH EXAMPLES
.TP
.B driftless run pendulum.mo \-\-plot x,y \-\-plot\-file pendulum.pdf
Integrates a model, prints the certificate and draws a picture.
.TP
.B driftless run pendulum.mo \-\-formulation index1 \-\-method rk4 \-\-step 0.01 \-\-output index1.csv
Does it in a form that drifts, and writes a table.
.TP
.B driftless plot index1.csv exact.csv \-\-vars x,y \-\-output both.svg
Draws two runs upon each other.
.TP
.B driftless completion bash > ~/.local/share/bash\-completion/completions/driftless
Lets bash complete commands, options and names of methods.
.SH SEE ALSO
The documents in
.I docs/
of the sources; index.md is their map.
)";

std::string manual_page(const std::vector<CommandRow>& commands) {
  std::string text = ".\\\" Made by `driftless manual` from the options of the program.\n";
  text += fmt::format(".TH DRIFTLESS 1 \"\" \"driftless {}\" \"User Commands\"\n", DRIFTLESS_VERSION);
  text += opening;
  for (std::size_t k = 1; k < commands.size(); ++k)
    text += synopsis_of(commands[k]) + (k + 1 < commands.size() ? ".br\n" : "");
  text += description;
  text += ".SH OPTIONS\n";
  for (const OptionRow& option : commands[0].options) text += lines_of_option(option);
  text += ".SH COMMANDS\n";
  for (std::size_t k = 1; k < commands.size(); ++k) {
    text += fmt::format(".SS \"driftless {}\"\n{}\n", roff(commands[k].name), roff(commands[k].help));
    for (const OptionRow& argument : commands[k].arguments) text += lines_of_option(argument);
    for (const OptionRow& option : commands[k].options) text += lines_of_option(option);
  }
  return text + closing;
}

}  // namespace

void add_manual(Commands& commands) {
  struct Nothing {};
  commands.add<Nothing>("manual", "print the manual page, for man", [&commands](const Nothing&) {
    std::fputs(manual_page(command_table(commands.app())).c_str(), stdout);
    return success;
  });
}

}  // namespace driftless::cli
