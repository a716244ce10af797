// What the user asked for on the command line.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driftless/boundary/method.hpp"
#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace CLI {
class App;
}

namespace driftless::cli {

// Exit codes of the program.
enum Exit { success = 0, numerical_failure = 1, bad_input = 2, not_kept = 3 };

// Wrong usage that the parser of options cannot see: printed as "driftless: error D0601: ..." with exit code 2.
struct UsageError : std::runtime_error {
  UsageError(Code kind, const std::string& message) : std::runtime_error(message), code(kind) {}
  Code code;
};

// What one kind of choice is called: names, some with parameters after a colon.
template <class T>
struct Vocabulary {
  std::optional<T> (*parse)(const std::string& text);
  const std::vector<std::string>& (*names)();  // in few words: "bdf2..bdf6"
  const std::vector<std::string>& (*spelt)();  // each of them
  const char* example;                         // of parameters
  const char* page;                            // where they are explained
  std::vector<std::string> flags = {};         // parameters without a value

  // What is wrong with a text that is no such choice: its name, or the parameters.
  std::string complaint(const std::string& text) const;

  // A list, separated by commas. What is no such choice is a UsageError that names the option.
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

// "lambda=1e-2,x=1e-8". What is no such list is a UsageError.
Tolerances single_tolerances(const std::string& text);

struct RunArguments {
  ModelArguments model;
  SimulateOptions simulate;
  std::optional<double> tolerance;
  std::string tolerances;           // of single variables
  std::vector<std::string> inputs;  // files with what drives the inputs of the model
  std::vector<std::string> outputs;
  std::optional<std::string> plot;  // names
  std::string plot_file;
  std::string report;         // a file for a page of HTML
  std::string events;         // a file for a table of all events; "-": the first ones after the summary
  std::string sensitivities;  // parameters and starts, separated by commas
  bool json = false;
};

struct SolveBoundaryArguments {
  RunArguments run;
  boundary::CollocationMethod method;
  std::optional<int> mesh;
  std::string from;  // parameters and their first values
};
const std::map<std::string, boundary::CollocationMethod>& collocation_methods();

struct AnalyzeArguments {
  ModelArguments model;
  Formulation formulation = formulation::Dummy{};
  bool indicators = false;
  bool equations = false;
  bool index = false;        // by every definition
  bool pure_index2 = false;  // the model rewritten
  std::string svg;
  bool json = false;
};

struct InitArguments {
  ModelArguments model;
  std::optional<double> start;
  bool fix = false;
  bool json = false;
};

struct SteadyArguments {
  ModelArguments model;
  std::optional<double> start;
  bool json = false;
};

struct LinearizeArguments {
  RunArguments run;  // its outputs, method and interval; no pictures
  std::optional<double> at;
  bool steady = false;
  std::optional<std::string> inputs, outputs;  // names, separated by commas
  std::string states;
};

struct CompareArguments {
  ModelArguments model;
  std::optional<double> start, stop;
  std::optional<int> intervals;
  std::string tolerances, steps, formulations, methods, projections;  // separated by commas; empty: the defaults
  std::string reference;                                              // a file; empty: a run of our own
  std::string svg;
  bool json = false;
};

struct ReproduceArguments {
  std::vector<std::string> names;  // none: all
  std::string svg;                 // a folder
  bool list = false, markdown = false;
};

struct BenchArguments {
  bool scoreboard = true;  // unless only the verdicts are asked for
  bool verdicts = false;
  bool choice = false;
  std::string models, methods, tolerances;  // separated by commas; empty: all
  std::string json;                         // a file
  std::string svg;                          // a folder
};

struct ListArguments {
  std::string what;                    // a file, the folder of a library, or the full name of a class
  std::vector<std::string> libraries;  // folders
  bool all = false;                    // models without an experiment as well
  bool json = false;
};

struct SweepArguments {
  RunArguments run;  // its outputs, pictures and events are not used
  std::vector<std::string> vary;
  std::optional<long> runs;
  long seed = 0;
  std::string keep;  // separated by commas
  std::string trajectories;
  std::string plot, plot_file;
  int threads = 0;     // 0: as many as the machine has
  std::string output;  // a file
  bool resume = false;
};

struct FitArguments {
  RunArguments run;                          // its outputs are the trajectory with the estimates
  std::string data;                          // a file
  std::string unknowns, bounds, deviations;  // separated by commas: k or k=1; k=0:10; x=0.1
  int most_iterations = 100;
};

struct ExplainArguments {
  std::vector<std::string> codes;  // none: a list of all
  bool markdown = false;
};

struct PlotArguments {
  std::vector<std::string> files;  // trajectories
  std::string names, labels;       // separated by commas
  std::string title;
  std::string output = "plot.svg";
};
void add_plot(CLI::App& app, PlotArguments& arguments);
int plot(const PlotArguments& arguments);

int run(const RunArguments& arguments);
int solve_boundary(const SolveBoundaryArguments& arguments);
int analyze(const AnalyzeArguments& arguments);
int init(const InitArguments& arguments);
int steady(const SteadyArguments& arguments);
int linearize(const LinearizeArguments& arguments);
int compare(const CompareArguments& arguments);
int reproduce(const ReproduceArguments& arguments);
int bench(const BenchArguments& arguments);
int sweep(const SweepArguments& arguments);
int fit(const FitArguments& arguments);
int list(const ListArguments& arguments);
int explain(const ExplainArguments& arguments);
int flatten(const ModelArguments& arguments);

// The folders of --library, then those of MODELICAPATH that exist. A UsageError if one of the former does not.
std::vector<std::string> library_folders(const std::vector<std::string>& given);

// Reads a model; its diagnostics are thrown as ModelError, warnings are printed.
Model read(const ModelArguments& arguments, std::vector<AnimatedShape>* animation = nullptr);

// The tables of these files. A file that cannot be used, a column that is no input and an input that is neither in a
// file nor has a start is a UsageError.
NamedSignals read_inputs(const std::vector<std::string>& files, const Model& model);

// Start and stop as asked for or as the model says; an empty span is a UsageError.
std::pair<double, double> time_span(const Model& model, const SimulateOptions& options);

// Requests that the parser of options cannot judge: a tolerance with a step size, or one that the method does not
// reach. They are UsageErrors.
void check_steps(const RunArguments& arguments);

// What cannot be written is a UsageError, before the work, not after it: a name in a folder that does not exist or may
// not be written, one that is given twice, one of a file that is read, any model. Empty names are left out.
void expect_writable(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs = {});

// A folder that pictures go to, made if it is not there; none if the name is empty. A UsageError if they could not be
// written.
void make_folder(const std::string& folder);

bool is_device(const std::string& file);  // or a pipe: nothing written to it can be taken back

// Some pictures are SVG only, and are called so; others are SVG, PDF or PNG, by the ends of their names.
void expect_picture(const std::string& option, const std::string& file);
void expect_svg(const std::string& option, const std::string& file);

// Splits at commas outside of brackets and quotation marks: "x,r[1,2],der(y)" has three parts.
std::vector<std::string> split_names(const std::string& text);

// Numbers separated by commas. What is none, or no tolerance, is a UsageError that names the option.
std::vector<double> numbers_of(const std::string& option, const std::string& text);
std::vector<double> tolerances_of(const std::string& option, const std::string& text);

}  // namespace driftless::cli
