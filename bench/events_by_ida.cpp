// Models with many events (models/hybrid), their equations written by hand and integrated by IDA with its root finding:
// the reference for "Events" in bench/run. Arguments are the problem, the tolerance and the stop time; with a fourth
// one, "formula", y' after an event is written by hand instead of computed by IDACalcIC.
//
// Time events end a call by IDASetStopTime; after each event IDAReInit starts anew, as the manual of IDA says.
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr double pi = 3.141592653589793;

// y' = f(t, y) between events, as the residual y' - f(t, y), with a band matrix.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual std::vector<double> start() = 0;
  virtual void slope(double t, const double* y, double* f) const = 0;
  // The entries of ∂f/∂y that are not zero.
  virtual void jacobian(SUNMatrix matrix) const = 0;
  virtual std::vector<int> directions() const { return {}; }  // of the roots
  virtual void roots(double, const double*, double*) const {}
  virtual double next_instant() const { return stop; }
  virtual void at_instant(double*) {}
  virtual void at_root(const std::vector<int>& found, double* y) { (void)found, (void)y; }
  virtual std::string name_of(int component) const = 0;

  double stop = 1.0;
  int upper = 0, lower = 0;  // bandwidths
};

// ∂/∂y of y' - f, column by column
void subtract(SUNMatrix matrix, int row, int column, double value) { SM_ELEMENT_B(matrix, row, column) -= value; }

class Converter : public Problem {
 public:
  Converter() { upper = lower = 1; }
  void slope(double, const double* y, double* f) const override {
    f[0] = ((closed ? V : 0.0) - y[1]) / L;
    f[1] = (y[0] - y[1] / R) / C;
  }
  void jacobian(SUNMatrix matrix) const override {
    subtract(matrix, 0, 1, -1.0 / L);
    subtract(matrix, 1, 0, 1.0 / C);
    subtract(matrix, 1, 1, -1.0 / (R * C));
  }
  std::string name_of(int component) const override { return component == 0 ? "i" : "v"; }

 protected:
  static constexpr double V = 24.0, L = 1e-4, C = 1e-4, R = 2.0;
  bool closed = false;
};

class Clocked final : public Converter {
 public:
  Clocked() { stop = 0.5; }
  std::vector<double> start() override { return {0.0, 0.0}; }
  double next_instant() const override { return (closed ? d * T : 0.0) + static_cast<double>(period) * T; }
  void at_instant(double*) override {
    if (closed) ++period;
    closed = !closed;
  }

 private:
  static constexpr double T = 1e-5, d = 0.4;
  long period = 0;
};

class Hysteretic final : public Converter {
 public:
  Hysteretic() { stop = 0.05, closed = true; }
  std::vector<double> start() override { return {5.0, 10.0}; }
  std::vector<int> directions() const override { return {-1, 1}; }
  void roots(double, const double* y, double* g) const override { g[0] = y[0] - 4.5, g[1] = y[0] - 5.5; }
  void at_root(const std::vector<int>& found, double*) override { closed = found[0] != 0; }
};

class Bridge final : public Problem {
 public:
  Bridge() { stop = 20.0; }
  std::vector<double> start() override { return {0.0}; }
  void slope(double t, const double* y, double* f) const override {
    f[0] = conducts ? (side * V * std::sin(2.0 * pi * frequency * t) - R * y[0]) / L : 0.0;
  }
  void jacobian(SUNMatrix matrix) const override {
    if (conducts) subtract(matrix, 0, 0, -R / L);
  }
  std::vector<int> directions() const override { return {-1}; }
  void roots(double, const double* y, double* g) const override { g[0] = conducts ? y[0] : 1.0; }
  double next_instant() const override { return 2.0 / (2.0 * pi * frequency) + static_cast<double>(half_wave) * T; }
  void at_instant(double*) override {
    ++half_wave;
    conducts = true;
    side = -side;
  }
  void at_root(const std::vector<int>&, double* y) override {
    conducts = false;
    y[0] = 0.0;
  }
  std::string name_of(int) const override { return "i"; }

 private:
  static constexpr double V = 325.0, frequency = 50.0, R = 10.0, L = 0.02, T = 0.5 / frequency;
  bool conducts = false;
  double side = -1.0;
  long half_wave = 0;
};

// Ball by ball [x vx y vy]
class Balls final : public Problem {
 public:
  Balls() { stop = 10.0, upper = 1; }
  std::vector<double> start() override {
    std::vector<double> y;
    for (int k = 1; k <= N; ++k)
      for (const double value : {width * k / (N + 1), 0.3 + 0.7 * k / N, 0.2 + 0.8 * k / N, 0.0}) y.push_back(value);
    return y;
  }
  void slope(double, const double* y, double* f) const override {
    for (int k = 0; k < N; ++k, y += 4, f += 4) f[0] = y[1], f[1] = 0.0, f[2] = y[3], f[3] = -g;
  }
  void jacobian(SUNMatrix matrix) const override {
    for (int k = 0; k < N; ++k) subtract(matrix, 4 * k, 4 * k + 1, 1.0), subtract(matrix, 4 * k + 2, 4 * k + 3, 1.0);
  }
  std::vector<int> directions() const override {
    std::vector<int> all;
    for (int k = 0; k < N; ++k) all.insert(all.end(), {-1, 1, -1});
    return all;
  }
  void roots(double, const double* y, double* out) const override {
    for (int k = 0; k < N; ++k, y += 4, out += 3) out[0] = y[0], out[1] = y[0] - width, out[2] = y[2];
  }
  void at_root(const std::vector<int>& found, double* y) override {
    for (int k = 0; k < N; ++k, y += 4) {
      if (found[3 * k] != 0 || found[3 * k + 1] != 0) y[1] = -y[1];
      if (found[3 * k + 2] != 0) y[3] = -y[3];
    }
  }
  std::string name_of(int component) const override {
    const char* const names[] = {"x", "vx", "y", "vy"};
    return std::string(names[component % 4]) + "[" + std::to_string(component / 4 + 1) + "]";
  }

 private:
  static constexpr int N = 100;
  static constexpr double g = 9.81, width = 1.0;
};

std::unique_ptr<Problem> problem_named(std::string_view name) {
  if (name == "buck_converter") return std::make_unique<Clocked>();
  if (name == "hysteretic_converter") return std::make_unique<Hysteretic>();
  if (name == "thyristor_bridge") return std::make_unique<Bridge>();
  if (name == "balls_in_box") return std::make_unique<Balls>();
  return nullptr;
}

int residual(double t, N_Vector y, N_Vector yp, N_Vector out, void* user) {
  const auto& problem = *static_cast<Problem*>(user);
  double* const r = N_VGetArrayPointer(out);
  problem.slope(t, N_VGetArrayPointer(y), r);
  const double* const rates = N_VGetArrayPointer(yp);
  for (long k = 0; k < N_VGetLength(y); ++k) r[k] = rates[k] - r[k];
  return 0;
}

int jacobian(double, double alpha, N_Vector, N_Vector, N_Vector, SUNMatrix matrix, void* user, N_Vector, N_Vector,
             N_Vector) {
  for (long k = 0; k < SM_COLUMNS_B(matrix); ++k) SM_ELEMENT_B(matrix, k, k) = alpha;
  static_cast<Problem*>(user)->jacobian(matrix);
  return 0;
}

int root(double t, N_Vector y, N_Vector, double* g, void* user) {
  static_cast<Problem*>(user)->roots(t, N_VGetArrayPointer(y), g);
  return 0;
}

void check(int flag, const char* what) {
  if (flag >= 0) return;
  std::fprintf(stderr, "%s: %d\n", what, flag);
  std::exit(1);
}

}  // namespace

int main(int arguments, char** argument) {
  const std::unique_ptr<Problem> problem = problem_named(arguments > 1 ? argument[1] : "");
  const double tolerance = arguments > 2 ? std::atof(argument[2]) : 0.0;
  if (problem && arguments > 3) problem->stop = std::atof(argument[3]);
  const bool by_formula = arguments > 4 && std::string_view(argument[4]) == "formula";
  if (!problem || !(tolerance > 0.0) || !(problem->stop > 0.0)) {
    std::fputs("events_by_ida PROBLEM TOLERANCE [STOP [formula]]\n", stderr);
    return 2;
  }
  const std::vector<double> start = problem->start();
  const auto n = static_cast<long>(start.size());
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(n, context), yp = N_VNew_Serial(n, context), id = N_VNew_Serial(n, context);
  std::copy(start.begin(), start.end(), N_VGetArrayPointer(y));
  problem->slope(0.0, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
  N_VConst(1.0, id);

  void* const ida = IDACreate(context);
  check(IDAInit(ida, residual, 0.0, y, yp), "IDAInit");
  check(IDASetUserData(ida, problem.get()), "IDASetUserData");
  check(IDASStolerances(ida, tolerance, tolerance), "IDASStolerances");
  check(IDASetId(ida, id), "IDASetId");
  check(IDASetMaxNumSteps(ida, -1), "IDASetMaxNumSteps");
  SUNMatrix matrix = SUNBandMatrix(n, problem->upper, problem->lower, context);
  SUNLinearSolver solver = SUNLinSol_Band(y, matrix, context);
  check(IDASetLinearSolver(ida, solver, matrix), "IDASetLinearSolver");
  check(IDASetJacFn(ida, jacobian), "IDASetJacFn");
  std::vector<int> directions = problem->directions(), found(directions.size());
  if (!directions.empty()) {
    check(IDARootInit(ida, static_cast<int>(directions.size()), root), "IDARootInit");
    check(IDASetRootDirection(ida, directions.data()), "IDASetRootDirection");
    check(IDASetNoInactiveRootWarn(ida), "IDASetNoInactiveRootWarn");
  }

  const std::clock_t begin = std::clock();  // of the processor: other programs do not count
  long events = 0, steps = 0, residuals = 0, count = 0;
  const auto add_counts = [&] {  // IDAReInit sets them to zero
    IDAGetNumSteps(ida, &count), steps += count;
    IDAGetNumResEvals(ida, &count), residuals += count;
  };
  for (double t = 0.0; t < problem->stop;) {
    const double instant = problem->next_instant(), goal = std::fmin(instant, problem->stop);
    int flag = IDA_TSTOP_RETURN;  // an event at the start
    if (goal > t) {
      check(IDASetStopTime(ida, goal), "IDASetStopTime");
      check(flag = IDASolve(ida, goal, &t, y, yp, IDA_NORMAL), "IDASolve");
    }
    if (flag == IDA_ROOT_RETURN) {
      check(IDAGetRootInfo(ida, found.data()), "IDAGetRootInfo");
      problem->at_root(found, N_VGetArrayPointer(y));
    } else if (goal < problem->stop) {
      t = goal;
      problem->at_instant(N_VGetArrayPointer(y));
    } else {
      break;
    }
    ++events;
    add_counts();
    if (by_formula) problem->slope(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
    check(IDAReInit(ida, t, y, yp), "IDAReInit");
    if (by_formula) continue;
    const double next = std::fmin(problem->next_instant(), problem->stop);
    check(IDACalcIC(ida, IDA_YA_YDP_INIT, next), "IDACalcIC");
    check(IDAGetConsistentIC(ida, y, yp), "IDAGetConsistentIC");
  }
  add_counts();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

  std::printf("{\"events\": %ld, \"steps\": %ld, \"residuals\": %ld, \"seconds\": %.6f, \"final\": {", events, steps,
              residuals, seconds);
  for (long k = 0; k < n; ++k)
    std::printf("%s\"%s\": %.17g", k == 0 ? "" : ", ", problem->name_of(static_cast<int>(k)).c_str(),
                N_VGetArrayPointer(y)[k]);
  std::puts("}}");
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  for (N_Vector vector : {y, yp, id}) N_VDestroy(vector);
  void* memory = ida;
  IDAFree(&memory);
  SUNContext_Free(&context);
}
