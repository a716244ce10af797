// Motion on the surface of a relation, with equations of its own: at rest after infinitely many impacts
// (hybrid/rest.hpp), or sliding (hybrid/sliding.hpp). There is at most one contact at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/hybrid/accumulation.hpp"
#include "driftless/hybrid_modes.hpp"

namespace driftless {

class HybridContacts {
 public:
  // Remarks go to the solution, and why there is no contact to its details. All of them must live as long as this.
  HybridContacts(HybridModes& modes, const SimulateOptions& options, Solution& solution);

  // The relations of an event with reinits. Weak are those that have been on their bounds since their last event, a
  // while ago; those that reinit has always led back, after ever shorter times, and now does not; and those that it has
  // led back some times, and now stops at the bound. `parameters`: those behind the event; `slopes`: of a relation,
  // before and behind the event.
  struct Impacts {
    std::vector<int> held, weak;
  };
  struct Slopes {
    std::optional<double> before, behind;
  };
  using SlopesOf = std::function<Slopes(int relation)>;
  Impacts count_impacts(double t, const EventIteration::Causes& causes, std::span<const int> never_left,
                        std::span<const double> parameters, const SlopesOf& slopes);
  // After an event that led from `from` to `to`: has a relation caused reinits after ever shorter times, so short that
  // nothing of them is seen, or so weak that it does not leave its surface any more? Then the point from which the
  // model is at rest.
  std::optional<ContinuousPoint> rest(double t, const Impacts& impacts, const ContinuousPoint& from,
                                      const ContinuousPoint& to, std::span<const double> parameters);
  // Weak impacts would let the relation pass through its surface in the end.
  std::string why_not_at_rest(const Impacts& impacts) const;
  // At an event without a solution: the point from which the model slides along the relation that has no value.
  // `parameters`: those before the event.
  std::optional<ContinuousPoint> sliding(double t, const EventIteration::Result& result, const ContinuousPoint& from,
                                         std::span<const double> parameters);
  // Does the contact end at this event of a mode? Then its relation gets its value, in `parameters`.
  bool ends_at(const EventSearch::Found& found, std::size_t mode, std::span<double> parameters);
  // The equations of the contact cannot be integrated.
  void give_up(const ModelError& error);

  // The equations of a contact of a run that was saved, made once more. Nothing: there are none.
  std::optional<std::size_t> add_again(const ContactOrigin& origin, std::string note,
                                       std::span<const double> parameters);
  // The modes are there already.
  void archive(Archive& archive);

  // The relation that has no value of its own in a mode, because the motion stays on its surface.
  std::optional<std::size_t> relation_of(std::size_t mode) const;

 private:
  struct Contact {
    std::size_t mode, replaces;                // its equations, and the mode of the model that they were made from
    std::size_t relation;                      // whose surface it is
    std::vector<std::pair<int, double>> ends;  // held expressions at which it ends, and the relation's value then
    void archive(Archive& archive) { archive(mode, replaces, relation, ends); }
  };
  std::optional<ContinuousPoint> rest_at(double t, std::size_t relation, double remaining, const ContinuousPoint& from,
                                         const ContinuousPoint& to, std::span<const double> parameters);
  // From a point on the surface, up to rounding errors. Empty if there is no motion with these equations.
  std::optional<ContinuousPoint> enter(double t, Model model, std::string note, const ContinuousPoint& from,
                                       std::span<const double> parameters, Contact contact,
                                       const ContactOrigin& origin);
  std::size_t add(Model model, std::string note, std::span<const double> parameters, const ContactOrigin& origin);
  void note_pushes(int relation, const ContinuousPoint& from, const ContinuousPoint& to);
  double change_by(std::size_t reinit, const ContinuousPoint& from, const ContinuousPoint& to) const;
  bool stops(int relation, double t, const Accumulation& accumulation, const Slopes& slopes);

  HybridModes& modes_;
  const SimulateOptions& options_;
  Solution& solution_;
  const DiscretePart& part_;
  std::optional<Contact> contact_;
  std::map<int, Accumulation> accumulations_;  // by relation that causes reinits
  // By relation: the reinits of its first impact, the strongest, k + 1 where one has made its variable larger and -(k +
  // 1) where smaller. Those of the last may be rounding.
  std::map<int, std::vector<int>> pushes_;
};

}  // namespace driftless
