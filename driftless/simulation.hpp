// A run as an object: it advances when it is told to, shows its values, takes changes, and can be saved and restored.
//
//   Simulation run(compile(model), {.stop = 10.0});
//   run.advance_to(4.0);
//   const double angle = run.value("phi");
//   run.set("damping", 0.2);                    // from here on
//   const std::vector<std::byte> saved = run.save();
//   Simulation again = Simulation::restore(compile(model), saved);
//   const Solution solution = again.finish();
//
// simulate(compiled, inputs) is such a run that is finished at once. Steps do not depend on the times that a run is
// advanced to, nor on values that are looked at: the results are the same bits.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/archive/archive_error.hpp"
#include "driftless/compiled.hpp"

namespace driftless {

struct Epoch;     // sensitivity/epoch.hpp
struct RunPoint;  // run_point.hpp

class Simulation {
 public:
  // At the consistent start. Throws ModelError as simulate does; where no start is found, the outcome says so.
  explicit Simulation(const Compiled& compiled, const RunInputs& inputs = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  double time() const;  // to which the run was advanced
  double stop() const;  // beyond which it does not go

  // Success if t was reached; otherwise the outcome of a run that has ended before, at time(). Throws
  // std::invalid_argument for a time that has passed or lies behind the stop time.
  Outcome advance_to(double t);

  // How the run has ended, or success while it goes on; `message` says why, in one sentence.
  Outcome outcome() const;
  const std::string& message() const;

  // At time(): a variable, a derivative "der(x)", an invariant or a parameter. Throws std::out_of_range for an unknown
  // name, PointNotSatisfied where the point does not satisfy the equations.
  double value(std::string_view name) const;

  // From time() on, a parameter, an input or a variable that can be a state has another value. States keep theirs as
  // far as the constraints allow it, and the equations give the rest. The method starts anew. Throws ModelError for
  // what cannot be set, or where there is no solution; the run is then unchanged.
  void set(const std::string& name, double value);
  void set(const NamedValues& values);  // all at once

  // Where the run is at time(), and which parameters it gives itself; for linearize (linearize.hpp). Throws ModelError
  // where no such point is known.
  RunPoint point(std::vector<std::string>& given) const;

  // The output points so far.
  Solution solution() const;

  // Advances to the stop time and gives the solution away. The object can then only be destroyed or assigned to.
  Solution finish();

  // A run that is restored, in this or another process, for a model that was compiled with the same options by the same
  // program, goes on with the same bits. A sink and a progress function are given anew; the sink gets the points that
  // follow. Throws ArchiveError for bytes of another model or that are damaged.
  std::vector<std::byte> save() const;
  static Simulation restore(const Compiled& compiled, std::span<const std::byte> bytes, RowSink rows = {},
                            std::function<bool(double t)> progress = {});

 private:
  friend class Sensitivities;
  struct Parts;
  explicit Simulation(std::unique_ptr<Parts> parts);
  const std::vector<Epoch>& epochs() const;  // of a finished run with dense output
  std::unique_ptr<Parts> parts_;
};

}  // namespace driftless
