// The user's requests on the command line.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless::cli {

// Exit codes of the program.
enum Exit { success = 0, numerical_failure = 1, bad_input = 2, not_kept = 3 };

// Wrong usage that the option parser cannot detect: printed as "driftless: error D0601: ..." with exit code 2.
struct UsageError : std::runtime_error {
  UsageError(Code kind, const std::string& message) : std::runtime_error(message), code(kind) {}
  Code code;
};

// The names of one kind of choice, some with parameters after a colon.
template <class T>
struct Vocabulary {
  std::optional<T> (*parse)(const std::string& text);
  const std::vector<std::string>& (*names)();  // abbreviated: "bdf2..bdf6"
  const std::vector<std::string>& (*spelt)();  // each of them
  const char* example;                         // of parameters
  const char* page;                            // where they are explained
  std::vector<std::string> flags = {};         // parameters without a value

  // The error in a text that is not such a choice: its name, or the parameters.
  std::string complaint(const std::string& text) const;

  // A list, separated by commas. An invalid choice is a UsageError that names the option.
  std::vector<T> parse_list(const std::string& option, const std::string& text) const;
};
extern const Vocabulary<Formulation> formulations;
extern const Vocabulary<Method> methods;
extern const Vocabulary<Projection> projections;

struct ModelArguments {
  std::string file;  // or the full name of a model in a library
  std::string model;
  std::string overrides;
  std::vector<std::string> libraries;  // folders
  bool allow_external = false;
};

// "lambda=1e-2,x=1e-8". An invalid list is a UsageError.
Tolerances single_tolerances(const std::string& text);

struct RunArguments {
  ModelArguments model;
  SimulateOptions simulate;
  std::optional<double> tolerance;
  std::string tolerances;           // of single variables
  std::vector<std::string> inputs;  // files with signals for the inputs of the model
  std::vector<std::string> outputs;
  std::optional<std::string> plot;  // names
  std::string plot_file;
  std::string report;         // a file for a page of HTML
  std::string events;         // a file for a table of all events; "-": the first ones after the summary
  std::string sensitivities;  // parameters and starts, separated by commas
  bool json = false;
};

// The folders of --library, then those of MODELICAPATH that exist. UsageError if one of the former does not exist.
std::vector<std::string> library_folders(const std::vector<std::string>& given);

// Reads a model; its diagnostics are thrown as ModelError, warnings are printed.
Model read(const ModelArguments& arguments, std::vector<AnimatedShape>* animation = nullptr);

// The tables of these files. UsageError for an unusable file, a column that is not an input, and an input without a
// signal and a start.
NamedSignals read_inputs(const std::vector<std::string>& files, const Model& model);

// Start and stop as requested or from the model; an empty span is a UsageError.
std::pair<double, double> time_span(const Model& model, const SimulateOptions& options);

// UsageError for requests that the option parser cannot judge: a tolerance with a step size, or one that the method
// cannot reach.
void check_steps(const RunArguments& arguments);

// UsageError for outputs that cannot be written, before the work, not after it: a name in a folder that does not exist
// or is not writable, one that is given twice, one of an input file, any model. Empty names are ignored.
void expect_writable(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs = {});

// Creates the folder for pictures if it does not exist; does nothing if the name is empty. UsageError if pictures could
// not be written.
void make_folder(const std::string& folder);

bool is_device(const std::string& file);  // or a pipe: output to it cannot be undone

// Check the extension of a picture: some are SVG only, others SVG, PDF or PNG.
void expect_picture(const std::string& option, const std::string& file);
void expect_svg(const std::string& option, const std::string& file);

// Splits at commas outside of brackets and quotation marks: "x,r[1,2],der(y)" has three parts.
std::vector<std::string> split_names(const std::string& text);

// Numbers separated by commas. An invalid number or tolerance is a UsageError that names the option.
std::vector<double> numbers_of(const std::string& option, const std::string& text);
std::vector<double> tolerances_of(const std::string& option, const std::string& text);

}  // namespace driftless::cli
