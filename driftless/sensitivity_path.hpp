// The sensitivities of one run from its start to its end: through the equations of the start, along the trajectory, and
// across its events.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driftless/compiled.hpp"
#include "driftless/hybrid/jump.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/sensitivity/epoch.hpp"
#include "driftless/sensitivity/follow.hpp"
#include "driftless/sensitivity/output_interpolation.hpp"
#include "driftless/sensitivity/step_values.hpp"

namespace driftless {

// The equations of one structure, linearized.
struct SensitivityMode {
  SensitivityMode(const Analysis& given, const std::vector<bool>& moves, Backend backend);

  Analysis analysis;
  sensitivity::VariationalArray array;
  sensitivity::Linearization linearization;
  std::unique_ptr<JumpIntoMode> jump = {};  // with impulses, into these equations
};

// The modes met so far, for any number of runs.
class SensitivityModes {
 public:
  // For a model without events the equations are made at once. Throws sensitivity::NotAvailable.
  SensitivityModes(const PreparedRun& prepared, const std::vector<std::string>& names, Backend backend);
  // The equations for these values of all parameters. Throws sensitivity::NotAvailable.
  std::shared_ptr<SensitivityMode> at(const std::vector<double>& parameters);
  // The equations of an epoch, which may be those of a contact.
  std::shared_ptr<SensitivityMode> of(const Epoch& epoch);
  const std::vector<bool>& moves() const { return moves_; }  // parameters that may change with the named quantities

 private:
  const PreparedRun& prepared_;
  std::vector<bool> moves_;
  Backend backend_;
  std::map<int, std::shared_ptr<SensitivityMode>> known_;
  // Of contacts, by their models, which are kept alive.
  std::map<const Model*, std::pair<std::shared_ptr<const Analysis>, std::shared_ptr<SensitivityMode>>> of_contacts_;
};

class SensitivityPath {
 public:
  // `solution`: a run with dense output, which must outlive this object. Throws sensitivity::NotAvailable.
  SensitivityPath(SensitivityModes& modes, const std::vector<std::string>& names, const RunInputs& inputs,
                  const Solution& solution, std::vector<Epoch> epochs);

  const std::vector<sensitivity::Direction>& directions() const { return directions_.all; }
  const std::vector<Epoch>& epochs() const { return epochs_; }
  // By epoch; empty at the start.
  const std::vector<Eigen::RowVectorXd>& event_times() const { return event_times_; }
  const std::vector<std::string>& without_effect() const { return without_effect_; }
  long steps() const;

  // The epoch that a row of the solution belongs to.
  std::size_t epoch_of_row(std::size_t row) const { return epoch_of_row_[row]; }
  std::size_t epoch_at(double t) const;  // after an event at this time

  // The sensitivities of all columns of the solution, one row for each, at a point with these values of its series.
  void sensitivities(std::size_t epoch, double t, std::span<const double> series, Eigen::MatrixXd& result);

 private:
  struct Part {  // an epoch
    std::shared_ptr<SensitivityMode> mode;
    std::vector<int> columns;                                     // by quantity: the column of the solution, or -1
    std::vector<std::pair<Eigen::Index, Eigen::Index>> discrete;  // columns of the solution, and their parameters
    std::vector<double> parameters;
    Eigen::MatrixXd of_parameters;
    std::vector<sensitivity::PathStep> steps;
    Eigen::MatrixXd instant;          // the sensitivities of an epoch without length
    std::vector<double> left, right;  // quantities at its end and at its beginning
  };

  void find_sides();
  void begin(const RunInputs& inputs);
  void follow(std::size_t epoch);
  void pass(std::size_t epoch);
  Part make_part(const Epoch& epoch);
  void quantities(Part& part, double t, std::span<const double> series, std::vector<double>& values) const;
  sensitivity::OutputInterpolation between_outputs(std::size_t epoch) const;
  std::vector<sensitivity::StepValues::Sample> samples(Part& part, double from, double to) const;
  void complete(Part& part, double t, std::vector<double>& quantities) const;
  std::vector<double> values_at(double t) const;
  double first_step(double t) const;

  SensitivityModes& modes_;
  const Solution& solution_;
  std::vector<Epoch> epochs_;
  sensitivity::Directions directions_;
  sensitivity::Follower::Settings settings_;
  std::vector<Part> parts_;
  std::vector<std::size_t> epoch_of_row_;
  struct Sides {
    std::optional<std::size_t> left, right;  // rows
  };
  std::vector<Sides> sides_;  // by epoch: those of the event with which it begins
  std::vector<Eigen::RowVectorXd> event_times_;
  std::vector<std::string> without_effect_;
  Eigen::MatrixXd present_;         // at the present end of the path
  Eigen::MatrixXd all_;             // those of all quantities at a point
  std::vector<double> quantities_;  // at that point
};

}  // namespace driftless
