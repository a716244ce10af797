// A run as an object: it advances on request, gives its values, accepts changes, and can be saved and restored.
//
//   Simulation run(compile(model), {.stop = 10.0});
//   run.advance_to(4.0);
//   const double angle = run.value("phi");
//   run.set("damping", 0.2);                    // from here on
//   const std::vector<std::byte> saved = run.save();
//   Simulation again = Simulation::restore(compile(model), saved);
//   const Solution solution = again.finish();
//
// simulate(compiled, inputs) is such a run that is finished at once. Steps depend neither on the times to which a run
// is advanced nor on values that are read: results are identical bit for bit.
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
  // Begins at the consistent start. Throws ModelError as simulate does; if no start is found, the outcome says so.
  explicit Simulation(const Compiled& compiled, const RunInputs& inputs = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  double time() const;  // to which the run was advanced
  double stop() const;  // beyond which it does not go

  // Success if t was reached; otherwise the outcome of a run that has ended earlier, at time(). Throws
  // std::invalid_argument for a time that has passed or lies beyond the stop time.
  Outcome advance_to(double t);

  // How the run has ended, or success while it goes on; `message` says why, in one sentence.
  Outcome outcome() const;
  const std::string& message() const;

  // At time(): a variable, a derivative "der(x)", an invariant or a parameter. Throws std::out_of_range for an unknown
  // name, PointNotSatisfied where the point does not satisfy the equations.
  double value(std::string_view name) const;

  // Sets a parameter, an input or a variable that can be a state from time() on. Other states keep their values as far
  // as the constraints allow, and the equations give the rest. The method restarts. Throws ModelError if the name
  // cannot be set or there is no solution; the run is then unchanged.
  void set(const std::string& name, double value);
  void set(const NamedValues& values);  // all at once

  // The point of the run at time(), and the parameters that the run itself sets; for linearize (linearize.hpp). Throws
  // ModelError if no such point is known.
  RunPoint point(std::vector<std::string>& given) const;

  // The output points so far.
  Solution solution() const;

  // Advances to the stop time and moves the solution out. The object can then only be destroyed or assigned to.
  Solution finish();

  // A run that is restored, in this or another process, for a model that was compiled with the same options by the same
  // program, continues identically, bit for bit. A sink and a progress function must be given again; the sink gets the
  // points that follow. Throws ArchiveError for bytes of another model or that are damaged.
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
