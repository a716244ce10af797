// The modes of a model that a run has met (hybrid/modes.hpp), each with its equations, its numbers and its run, and the
// values that the equations of a mode give right after an event.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/events/iteration.hpp"
#include "driftless/hybrid/contact_model.hpp"
#include "driftless/hybrid/jump.hpp"
#include "driftless/integrate/run/run.hpp"
#include "driftless/model/event_dependence.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

// The equations of one structure, and their run so far.
struct HybridMode {
  const PreparedRun* prepared = nullptr;
  std::string description;
  std::shared_ptr<const Model> numbers;
  std::shared_ptr<System> system;
  std::unique_ptr<DiscreteSystem> discrete;
  std::unique_ptr<EventSearch> relations;
  std::unique_ptr<JumpIntoMode> jump;  // made by the first jump, and
  std::unique_ptr<System> base;        // with every level of every equation, if the integrated system lacks some
  Solution part;
  std::unique_ptr<Run> run;           // null: none has begun
  std::vector<int> series_of_column;  // by column of the whole: a series of the part, or -1
  std::vector<int> memory;            // by variable: the order of its highest derivative in the equations

  // How the mode was made, to make it again: the values of all parameters and the contacts with which it was first met,
  // and where its run began.
  std::vector<double> met_with;
  std::vector<SurfaceContact> contacts;
  State begin;
  std::vector<ContactEnd> ends;  // of the contacts

  // The last step size with these numbers in the equations (model/event_dependence.hpp): a first guess for the next
  // time.
  std::map<std::vector<double>, double> steps;

  const Reduced& reduced() const { return system->reduced(); }
  void observe(double t, ContinuousPoint& point) const;
  // The formulation does not impose all levels of the constraints.
  bool leaves_constraints_out() const;
  // The residuals of System::inspect.
  void inspect(double t, const ContinuousPoint& point, std::vector<double>& quantities,
               std::vector<double>& residuals_and_sizes) const;
  // Contacts add relations after those of the model: their ends, which are false.
  std::vector<double> parameters_with_ends(std::span<const double> parameters) const;
  void set_parameters(std::span<const double> parameters);  // of the system,
  void set_parameters_of_run(std::span<const double> parameters);
};

class HybridModes {
 public:
  // `numbers`: the model with the parameters and starts of the run.
  HybridModes(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers);

  std::size_t size() const { return modes_.size(); }
  HybridMode& operator[](std::size_t k) { return *modes_[k]; }
  const HybridMode& operator[](std::size_t k) const { return *modes_[k]; }
  const Model& numbers() const { return *numbers_; }

  // The mode for these parameters, prepared if it is met for the first time. Nothing if its equations are singular.
  std::optional<std::size_t> at(std::span<const double> parameters, Unsolved& why);
  // Some mode with regular equations.
  std::size_t any_regular();
  bool are_several() const { return prepared_.has_modes(); }
  // The surfaces on which the motion stays, in every mode: their equations are part of it (hybrid/contact_model.hpp).
  void stay_on(std::vector<SurfaceContact> contacts) { contacts_ = std::move(contacts); }
  const std::vector<SurfaceContact>& contacts() const { return contacts_; }
  // The equations of the mode for these parameters without contacts. Precondition: they are regular.
  const Model& without_contacts(std::span<const double> parameters) const {
    return *prepared_.mode_at(parameters).prepared->analysis.model;
  }
  void clear();

  // The model of a mode, with the numbers of the run.
  std::shared_ptr<const Model> numbers_of(const HybridMode& mode, std::span<const double> parameters) const;

  // Called before an event, with the point and its parameters.
  void begin_event(double t, const ContinuousPoint& point, std::span<const double> parameters);
  // Do the continuous equations contain this parameter?
  bool in_equations(ParamId id) const { return std::ranges::binary_search(in_equations_, id); }
  // Are the numbers that the continuous equations contain (model/event_dependence.hpp) the same?
  bool same_equations(std::span<const double> parameters, std::span<const double> others) const;
  // Stores the step size of a mode with these parameters at an event; gives that of an earlier event (infinite if there
  // was none).
  void keep_step(std::size_t mode, std::span<const double> parameters);
  double step_for(std::size_t mode, std::span<const double> parameters);
  // Computes the point at the same time after `from`, with these parameters and some states set (events/iteration.hpp).
  bool solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
             std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why);
  // The same in the mode `to.mode`, by a jump (hybrid/jump.hpp).
  bool jump(double t, std::span<const double> parameters, const ContinuousPoint& from, std::span<const SetQuantity> set,
            ContinuousPoint& to, std::string& reason);

 private:
  std::size_t add(const PreparedRun* prepared, std::string description, std::span<const double> parameters);
  struct NumbersOfMode {  // its number in the PreparedRun of the model, and in that of the model with contacts
    int of_model = -1, of_contacts = 0;
    bool operator==(const NumbersOfMode&) const = default;
  };
  struct OfContacts {  // a mode of the model with contacts; or the reason why it has no equations
    int number;
    std::vector<SurfaceContact> contacts;
    std::string description;
    std::vector<ContactEnd> ends;
    std::unique_ptr<PreparedRun> run;
    std::string why;
  };
  std::optional<std::size_t> known_mode(NumbersOfMode numbers) const;
  std::optional<std::size_t> at_contacts(const PreparedRun::Mode& of_model, std::span<const double> parameters,
                                         Unsolved& why);
  const OfContacts* with_contacts(const PreparedRun::Mode& of_model, Unsolved& why);
  static bool keeps_differentiated(const HybridMode& mode, const ContinuousPoint& from,
                                   std::span<const SetQuantity> set, const ContinuousPoint& to, double tolerance);
  bool keeps_states(HybridMode& mode, double t, const ContinuousPoint& from, std::span<const SetQuantity> set,
                    ContinuousPoint& to);
  std::string contradicted_contact(const HybridMode& old, const HybridMode& mode, const Values& before,
                                   const ContinuousPoint& to) const;
  bool keeps_constraints(HybridMode& mode, double t, const ContinuousPoint& to);

  bool is_known(const ContinuousPoint& point, std::span<const double> parameters) const;
  void know(const ContinuousPoint& point, std::span<const double> parameters);
  void take_numbers(std::span<const double> parameters, std::vector<double>& numbers) const;

  const PreparedRun& prepared_;
  SimulateOptions options_;
  double tolerance_;
  bool uses_differences_;  // for Jacobian matrices
  std::shared_ptr<const Model> numbers_;
  std::vector<std::unique_ptr<HybridMode>> modes_;
  std::vector<NumbersOfMode> numbers_of_modes_;
  std::vector<SurfaceContact> contacts_;
  std::deque<OfContacts> of_contacts_;
  std::vector<ParamId> in_equations_;                        // numbers that events change
  std::vector<std::vector<std::size_t>> held_in_equations_;  // made when a mode is singular
  std::vector<double> numbers_in_equations_;
  std::vector<double> residuals_before_, residuals_, observed_;  // of constraints that a formulation omits
  struct {  // a point that satisfies the equations, with these numbers in them
    std::size_t mode = 0;
    std::vector<double> y, yp, quantities, numbers;
  } known_;
};

}  // namespace driftless
