// Experiments of the literature as data: a shipped model, parameter values, formulation, method and projection by their
// names on the command line, and the quantities measured. Everything runs through simulate(), as for any user.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driftless/reproduce/figure.hpp"
#include "driftless/reproduce/table.hpp"
#include "driftless/simulate.hpp"

namespace driftless::reproduce {

struct Setup {
  std::string model{};  // a file of models/, without its ending
  std::vector<std::pair<std::string, double>> parameters{};
  // The step counts of the literature are those of DASSL and its descendants. In a build without IDA bdf is used
  // instead, with different counts.
  std::string formulation = "dummy", method = "ida", projection = "none";
  std::optional<double> step{}, tolerance{};
  std::optional<double> stop{};
  int intervals = 100;
  PivotMode pivot = PivotMode::Continue;
  NewtonTest newton = NewtonTest::Dassl;
  Tolerances tolerances{};  // of single variables
  Derivatives jacobian = Derivatives::Exact;
};

// The error test of bdf and ida allows 0.3 of the tolerance (docs/integrate.md): the tolerance to request so that it
// allows `tolerance`, as in the codes of the literature.
constexpr double asked_for(double tolerance) { return tolerance / 0.3; }

// The same run from the command line: "driftless run models/pendulum.mo --override vy0=0 ...".
std::string command(const Setup& setup);

struct Interrupted {};

class Runner {
 public:
  // Called during every run with its name and the completed part, 0 to 1; false interrupts.
  using Progress = std::function<bool(const std::string& what, double part)>;
  explicit Runner(Progress progress = {}) : progress_(std::move(progress)) {}

  // Results of a setup are reused. A setup that does not apply gives a failed solution with the reason. Throws
  // Interrupted.
  const Solution& run(const Setup& setup);

 private:
  Progress progress_;
  std::map<std::string, Solution> known_;
};

using Measure = std::function<double(const Solution& solution)>;

struct ColumnPlan {
  std::string head{};
  Measure measure{};
  Rule rule = Shown{};
};

struct Expected {
  std::string printed{};
  std::optional<double> recomputed{};
  std::string note{};
  std::optional<Rule> rule{};  // otherwise that of the column
};

struct RowPlan {
  std::vector<std::string> labels{};
  Setup setup{};
  std::vector<Expected> cells{};  // one per column; neither printed nor recomputed: does not apply
};

struct TablePlan {
  std::string title{};
  std::vector<std::string> label_heads{};
  std::vector<ColumnPlan> columns{};
  std::vector<RowPlan> rows{};
  std::vector<std::pair<std::string, std::string>> notes{};
};

// A run that stops leaves NaN in its cells.
Table measure(const TablePlan& plan, Runner& runner);

struct Report {
  std::string text{};  // a short description of the experiment
  std::vector<Table> tables{};
  std::vector<Statement> statements{};
  std::vector<Figure> figures{};
  std::vector<std::string> commands{};  // examples of single runs

  Score score() const;
};

struct Experiment {
  std::string name;   // "ap4.1"
  std::string title;  // "Ascher & Petzold 1993, Table 4.1: ..."
  Report (*run)(Runner& runner);
};

// All of them, in the order of the documents.
const std::vector<Experiment>& experiments();

// Those whose name is one of the words or begins with one ("ap"); `unknown` is the first word that selects nothing.
struct Selected {
  std::vector<const Experiment*> experiments;
  std::string unknown;
};
Selected select(const std::vector<std::string>& words);

// The experiments of one document each.
std::vector<Experiment> ascher_petzold();
std::vector<Experiment> fuehrer_leimkuhler();
std::vector<Experiment> hairer_wanner();
std::vector<Experiment> mattsson_soederlind();
std::vector<Experiment> lecture_notes();

}  // namespace driftless::reproduce
