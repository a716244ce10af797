// The commands of the program. Each declares its options and its action in the file of its name.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace driftless::cli {

class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  template <class Arguments>
  struct Command {
    CLI::App& parser;
    Arguments& arguments;  // receives its options
  };
  template <class Arguments>
  Command<Arguments> add(const std::string& name, const std::string& help,
                         std::function<int(const Arguments&)> action) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* parser = app_.add_subcommand(name, help);
    parser->callback([this, arguments, action] { asked_for_ = [arguments, action] { return action(*arguments); }; });
    return {*parser, *arguments};
  }

  // Executes the parsed command, and returns the exit code.
  int carry_out() const { return asked_for_(); }

  const CLI::App& app() const { return app_; }

 private:
  CLI::App& app_;
  std::function<int()> asked_for_;
};

void add_run(Commands& commands);
void add_solve_boundary(Commands& commands);
void add_analyze(Commands& commands);
void add_init(Commands& commands);
void add_steady(Commands& commands);
void add_linearize(Commands& commands);
void add_sweep(Commands& commands);
void add_fit(Commands& commands);
void add_compare(Commands& commands);
void add_reproduce(Commands& commands);
void add_bench(Commands& commands);
void add_list(Commands& commands);
void add_flatten(Commands& commands);
void add_explain(Commands& commands);
void add_plot(Commands& commands);
void add_completion(Commands& commands);
void add_manual(Commands& commands);

}  // namespace driftless::cli
