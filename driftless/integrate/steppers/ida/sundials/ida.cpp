#include "driftless/integrate/steppers/ida/ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "driftless/integrate/solve/step_equations.hpp"
#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/integrate/steppers/ida/ida_acceptance.hpp"
#include "driftless/integrate/steppers/ida/ida_event.hpp"
#include "driftless/integrate/steppers/ida/sundials/ida_failure.hpp"

namespace driftless {
namespace {

// The error test allows this fraction of the tolerance, so that global errors stay within a moderate multiple of the
// user's tolerance.
constexpr double safety = 0.3;
constexpr double sharpest_algebraic = 1e-10;
constexpr double loosest_multiplier =
    1e-3;  // relative: a loose multiplier harms no other unknown, but is in the output

std::span<double> values(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))}; }

class Ida final : public Stepper {
 public:
  Ida(Problem& problem, const State& start, const StepSettings& settings)
      : problem_(problem),
        equations_(problem),
        settings_(settings),
        start_{.states = problem.states(), .time = start.t, .stop = settings.stop, .y = start.y, .yp = start.yp} {
    SUNContext_Create(nullptr, &context_);
    const int n = problem.size();
    y_ = N_VNew_Serial(n, context_);
    yp_ = N_VNew_Serial(n, context_);
    scratch_ = N_VNew_Serial(n, context_);
    std::ranges::copy(start.y, values(y_).begin());
    std::ranges::copy(start.yp, values(yp_).begin());
    time_ = start.t;

    memory_ = IDACreate(context_);
    IDASetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    IDAInit(memory_, residual, start.t, y_, yp_);
    IDASetUserData(memory_, this);
    IDAWFtolerances(memory_, error_weights);
    IDASetStopTime(memory_, settings.stop);
    if (std::isfinite(settings.longest_step)) IDASetMaxStep(memory_, settings.longest_step);
    IDASetMaxConvFails(memory_, 20);
    IDASetMaxErrTestFails(memory_, 15);
    label_components();

    matrix_ = SUNMatNewEmpty(context_);
    matrix_->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    matrix_->ops->zero = [](SUNMatrix) { return 0; };  // `jacobian` writes every value
    linear_ = SUNLinSolNewEmpty(context_);
    linear_->content = this;
    linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    linear_->ops->setup = [](SUNLinearSolver s, SUNMatrix) { return static_cast<Ida*>(s->content)->factorize(); };
    linear_->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      return static_cast<Ida*>(s->content)->solve(x, b);
    };
    IDASetLinearSolver(memory_, linear_, matrix_);
    IDASetJacFn(memory_, jacobian);
    allocate_matrix();

    newton_ = SUNNonlinSol_Newton(y_, context_);
    IDASetNonlinearSolver(memory_, newton_);
    IDASetMaxNonlinIters(memory_, settings.newton == NewtonTest::One ? 4 : 5);
    if (settings.newton != NewtonTest::One) SUNNonlinSolSetConvTestFn(newton_, two_iterations, this);
    // IDA offers no way to ask for a new matrix: so the request is passed to its nonlinear solver here.
    newton_->ops->solve = [](SUNNonlinearSolver s, N_Vector y0, N_Vector y, N_Vector w, realtype tol, booleantype setup,
                             void* mem) {
      void* self_pointer = nullptr;
      IDAGetUserData(mem, &self_pointer);
      Ida& self = *static_cast<Ida*>(self_pointer);
      const booleantype fresh = setup || self.matrix_is_stale_;
      self.matrix_is_stale_ = false;
      return SUNNonlinSolSolve_Newton(s, y0, y, w, tol, fresh, mem);
    };
  }

  ~Ida() override {
    SUNNonlinSolFree(newton_);
    SUNLinSolFreeEmpty(linear_);
    SUNMatFreeEmpty(matrix_);
    IDAFree(&memory_);
    N_VDestroy(y_);
    N_VDestroy(yp_);
    N_VDestroy(scratch_);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  StepReport step() override {
    ++steps_since_event_;
    undefined_ = false;
    singular_ = false;
    divide_what_is_left();
    const int flag = IDASolve(memory_, settings_.stop, &time_, y_, yp_, IDA_ONE_STEP);
    if (flag >= 0) {
      IDAGetLastStep(memory_, &last_step_);
      IDAGetLastOrder(memory_, &last_order_);
      calm_after_rejection();
      return {};
    }
    IDAGetCurrentTime(memory_, &time_);
    return explain({flag, undefined_, singular_, acceptance_.has_small_corrections()});
  }

  double time() const override { return time_; }
  double last_step() const override { return last_step_; }
  int last_order() const override { return last_order_; }
  std::span<const double> y() const override { return values(y_); }
  std::span<const double> yp() const override { return values(yp_); }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    IDAGetDky(memory_, t, 0, scratch_);
    std::ranges::copy(values(scratch_), y.begin());
    IDAGetDky(memory_, t, 1, scratch_);
    std::ranges::copy(values(scratch_), yp.begin());
  }

  void store(Segment& segment) override {
    const std::size_t n = values(y_).size();
    segment = {time_ - last_step_, time_, last_order_, std::vector<double>((last_order_ + 1) * n)};
    double factor = 1.0;  // h^k / k!
    for (int k = 0; k <= last_order_; ++k) {
      if (k > 0) factor *= last_step_ / k;
      IDAGetDky(memory_, time_, k, scratch_);
      for (std::size_t i = 0; i < n; ++i) segment.coefficients[k * n + i] = factor * values(scratch_)[i];
    }
  }

  bool replace(std::span<const double>, std::span<const double>) override { return false; }  // it owns its history

  void continue_with_new_states() override {
    note(IdaEvent::Kind::NewStates);
    take_states();
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, values(y_).begin());
    std::ranges::copy(yp, values(yp_).begin());
    note(IdaEvent::Kind::Restart);
    add_counts_of_ida(counted_);
    IDAReInit(memory_, time_, y_, yp_);
    rejected_before_ = 0;
    IDASetStopTime(memory_, settings_.stop);
    take_states();
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    settings_.stop = stop;
    time_ = t;
    restart(y, yp);
    return true;
  }

  ConditionNumbers condition() const override { return iteration_matrix_.condition(); }

  void add_to(Statistics& statistics) const override {
    statistics += counted_;
    add_counts_of_ida(statistics);
    statistics.largest_condition = iteration_matrix_.largest_condition();
  }

  // The problem comes last, as repeated steps change it.
  void archive(Archive& archive) override {
    archive.section("ida");
    archive.expect(problem_.size(), "number of unknowns");
    IdaEvent start = start_;
    std::vector<IdaEvent> events = events_;
    long steps = steps_since_event_;
    archive(start, events, steps);
    if (archive.is_reading()) {
      begin_again(start);
      for (const IdaEvent& event : events) do_again(event);
      for (long k = 0; k < steps; ++k) step();
    }
    archive(problem_);
  }

 private:
  void note(IdaEvent::Kind kind) {
    IdaEvent& event = events_.emplace_back(IdaEvent{.kind = kind,
                                                    .steps = std::exchange(steps_since_event_, 0),
                                                    .states = problem_.states(),
                                                    .time = time_,
                                                    .stop = settings_.stop,
                                                    .y = {},
                                                    .yp = {}});
    if (kind != IdaEvent::Kind::Restart) return;
    event.y.assign(y().begin(), y().end());
    event.yp.assign(yp().begin(), yp().end());
  }

  // Precondition: no step was taken.
  void begin_again(const IdaEvent& start) {
    if (steps_since_event_ > 0 || !events_.empty()) throw std::logic_error("IDA can be read into a new stepper only");
    if (problem_.states() != start.states) problem_.set_states(start.states);
    equations_.states_changed();
    grading_ = {};
    label_components();
    allocate_matrix();
    settings_.stop = start.stop;
    time_ = start.time;
    std::ranges::copy(start.y, values(y_).begin());
    std::ranges::copy(start.yp, values(yp_).begin());
    IDAReInit(memory_, time_, y_, yp_);
    IDASetStopTime(memory_, settings_.stop);
    start_ = start;
  }

  void do_again(const IdaEvent& event) {
    for (long k = 0; k < event.steps; ++k) step();
    if (problem_.states() != event.states) problem_.set_states(event.states);
    if (event.kind == IdaEvent::Kind::NewStates)
      continue_with_new_states();
    else
      resume(event.time, event.y, event.yp, event.stop);
  }

  void take_states() {
    equations_.states_changed();
    label_components();
    allocate_matrix();
    matrix_is_stale_ = true;
  }

  // A rest of more than one step and less than two is divided evenly: a short last step would leave errors of the size
  // tolerance / h in multipliers of index 2 at the end of the run, which users look at first.
  void divide_what_is_left() {
    double h = 0.0;
    IDAGetCurrentStep(memory_, &h);
    const double left = settings_.stop - time_;
    IDASetStopTime(memory_, h < left && left < 2.0 * h ? time_ + 0.5 * left : settings_.stop);
  }

  // After a rejected step the step size does not grow until the order has had a chance to: otherwise a doubling that
  // fails and the step after it can alternate for ever at order 1, where the order is never raised because no two steps
  // are equal.
  void calm_after_rejection() {
    long rejected = 0;
    IDAGetNumErrTestFails(memory_, &rejected);
    if (rejected > rejected_before_) {
      if (calm_ == 0) IDASetEtaFixedStepBounds(memory_, 1.0, HUGE_VAL);
      calm_ = last_order_ + 2;
    } else if (calm_ > 0 && --calm_ == 0) {
      IDASetEtaFixedStepBounds(memory_, 1.0, 2.0);
    }
    rejected_before_ = rejected;
  }

  // IDA resets its counters when it is restarted.
  void add_counts_of_ida(Counts& counted) const {
    long steps = 0, residuals = 0, setups = 0, errors = 0, iterations = 0, failures = 0;
    IDAGetNumSteps(memory_, &steps);
    IDAGetNumResEvals(memory_, &residuals);
    IDAGetNumLinSolvSetups(memory_, &setups);
    IDAGetNumErrTestFails(memory_, &errors);
    IDAGetNonlinSolvStats(memory_, &iterations, &failures);
    counted.steps += steps;
    counted.residual_evaluations += residuals;
    counted.rejected_steps += errors;
    counted.newton_iterations += iterations;
    counted.convergence_failures += failures;
  }

  void label_components() {
    grading_ = grade_again(problem_, grading_);
    included_ = in_error_test(problem_, grading_);
    for (std::size_t i = 0; i < included_.size(); ++i) values(scratch_)[i] = included_[i] ? 1.0 : 0.0;
    IDASetId(memory_, scratch_);
    IDASetSuppressAlg(memory_, SUNTRUE);
  }

  void allocate_matrix() {
    iteration_matrix_.reset(equations_.pattern(), equations_.factorization());
    row_scale_.assign(problem_.size(), 1.0);
    column_scale_.assign(problem_.size(), 1.0);
    correction_.assign(equations_.size(), 0.0);
    level_residuals_.assign(equations_.levels(), 0.0);
  }

  int factorize() {
    ++counted_.factorizations;
    singular_ = !iteration_matrix_.factorize();
    return singular_ ? 1 : 0;
  }

  // IDA passes -phi1; the levels -phi2 that an overdetermined system adds are those of the last residual.
  int solve(N_Vector x, N_Vector b) {
    if (equations_.overdetermined()) {
      equations_.arrange(values(b), matrix_alpha_, correction_);
      for (int k = 0; k < equations_.levels(); ++k) correction_[problem_.size() + k] = -level_residuals_[k];
    } else {
      std::ranges::copy(values(b), correction_.begin());
    }
    iteration_matrix_.solve(correction_);
    std::copy_n(correction_.begin(), problem_.size(), values(x).begin());
    return 0;
  }

  static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* self_pointer) {
    Ida& self = *static_cast<Ida*>(self_pointer);
    const bool exists = self.problem_.residual(t, values(y), values(yp), values(r));
    self.undefined_ = self.undefined_ || !exists;
    if (self.equations_.overdetermined())
      self.equations_.level_residuals(t, values(y), values(yp), self.level_residuals_);
    return exists ? 0 : 1;
  }

  static int jacobian(realtype t, realtype alpha, N_Vector y, N_Vector yp, N_Vector, SUNMatrix, void* self_pointer,
                      N_Vector, N_Vector, N_Vector) {
    Ida& self = *static_cast<Ida*>(self_pointer);
    ++self.counted_.jacobian_evaluations;
    self.matrix_alpha_ = alpha;
    if (!self.equations_.overdetermined()) {
      self.grading_.scales(1.0 / alpha, self.row_scale_, self.column_scale_);
      self.iteration_matrix_.scale(self.row_scale_, self.column_scale_);
    }
    return self.equations_.matrix(t, values(y), values(yp), alpha, self.iteration_matrix_.values()) ? 0 : 1;
  }

  static int error_weights(N_Vector y, N_Vector weights, void* self_pointer) {
    Ida& self = *static_cast<Ida*>(self_pointer);
    const std::vector<Slot>& slots = self.problem_.reduced().slots;
    const double tolerance = safety * self.settings_.tolerance;
    double h = 0.0;
    IDAGetCurrentStep(self.memory_, &h);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      // Components outside the error test enter Newton's only; highest derivatives and multipliers cannot be solved
      // more accurately than rounding allows.
      const double relative = std::max(tolerance, self.included_[i] ? 0.0 : sharpest_algebraic);
      const double looser = std::min(relative * newton_allowance(self.grading_.index[i], h), loosest_multiplier);
      const double own = slots[i].tested ? tolerance * slots[i].allowance : std::max(relative, looser);
      const double w = own * (std::abs(values(y)[i]) + slots[i].nominal);
      if (!(w > 0.0) || !std::isfinite(w)) return -1;
      values(weights)[i] = 1.0 / w;
    }
    return 0;
  }

  static int two_iterations(SUNNonlinearSolver solver, N_Vector, N_Vector correction, realtype, N_Vector weights,
                            void* self_pointer) {
    Ida& self = *static_cast<Ida*>(self_pointer);
    int m = 0;
    SUNNonlinSolGetCurIter(solver, &m);
    const double norm = N_VWrmsNorm(correction, weights);
    switch (self.acceptance_(m, norm, self.settings_.newton == NewtonTest::Dassl)) {
      case newton::Verdict::Converged: return SUN_NLS_SUCCESS;
      case newton::Verdict::Diverged: return SUN_NLS_CONV_RECVR;
      case newton::Verdict::GoOn: break;
    }
    return SUN_NLS_CONTINUE;
  }

  Problem& problem_;
  StepEquations equations_;
  StepSettings settings_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, scratch_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver newton_ = nullptr;
  IndexScaling grading_;
  IterationMatrix iteration_matrix_;
  std::vector<double> row_scale_, column_scale_, correction_, level_residuals_;
  double matrix_alpha_ = 1.0;
  std::vector<bool> included_;  // in the error test
  double time_ = 0.0, last_step_ = 0.0;
  IdaAcceptance acceptance_;
  int last_order_ = 0;
  bool matrix_is_stale_ = false, undefined_ = false, singular_ = false;
  long rejected_before_ = 0;
  int calm_ = 0;    // steps for which the step size may not grow yet
  Counts counted_;  // by IDA before the last restart, and by us
  IdaEvent start_;
  std::vector<IdaEvent> events_;
  long steps_since_event_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_ida(Problem& problem, const State& start, const StepSettings& settings) {
  return std::make_unique<Ida>(problem, start, settings);
}

}  // namespace driftless
