// Motion on the surface of a relation, with equations of its own: at rest after infinitely many impacts
// (hybrid/rest.hpp), or sliding (hybrid/sliding.hpp). Several relations may have such contacts at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/hybrid/accumulation.hpp"
#include "driftless/hybrid_run/modes.hpp"
#include "driftless/hybrid_run/pushes.hpp"

namespace driftless {

class HybridContacts {
 public:
  // Remarks are added to the solution, reasons why there is no contact to its details. All arguments must outlive this
  // object.
  HybridContacts(HybridModes& modes, const SimulateOptions& options, Solution& solution);

  // The relations of an event with reinits. A relation is weak if it has been on its bound since its last event, a
  // while ago; if reinit has always led it back, after ever shorter times, and now does not; if reinit has led it back
  // some times and now stops it at the bound; or if it is approached so slowly that reinit changes nothing, although it
  // would lead back from any larger speed. `from`: the point before the event; `parameters`: those after it; `slopes`:
  // of a relation, before and after the event.
  struct Impacts {
    std::vector<int> held, weak;
    std::vector<int> brief = {};  // led back with less speed, at negligible intervals
    std::vector<int> lost = {};   // not weak: the motion has been at rest there, and continues beyond the surface
    std::vector<int> slow = {};   // reinit changes nothing, but led back from larger speeds and still would
  };
  struct Slopes {
    std::optional<double> before, behind;
    bool is_near = false;  // after the event, is the relation near its bound?
  };
  using SlopesOf = std::function<Slopes(int relation)>;
  Impacts count_impacts(double t, const EventIteration::Causes& causes, std::span<const int> never_left,
                        const ContinuousPoint& from, std::span<const double> parameters, const SlopesOf& slopes);
  // Have all these relations reached their surfaces repeatedly, at negligible intervals and with ever less speed? Then
  // another impact is negligible, and the motion may come to rest without it.
  bool are_fading(double t, std::span<const int> relations) const;
  // Has reinit always led this relation back so far, or has the motion been at rest on its surface?
  bool leads_back(int relation) const { return accumulations_.contains(relation) || rested_.contains(relation); }
  // Adds lost relations that are not causes of the event. `before`, `behind`: the parameters before and after the
  // event.
  void add_lost(std::span<const double> before, std::span<const double> behind, const SlopesOf& slopes,
                Impacts& impacts) const;
  // After an event that led from `from` to `to`: has a relation caused reinits at ever shorter intervals, so short as
  // to be invisible, or so weak that it no longer leaves its surface? Then the point from which the model is at rest.
  std::optional<ContinuousPoint> rest(double t, const Impacts& impacts, const ContinuousPoint& from,
                                      const ContinuousPoint& to, std::span<const double> parameters);
  // The same for all these relations at once, whose impacts have ended at one instant.
  std::optional<ContinuousPoint> rest_of_all(double t, std::span<const std::size_t> relations,
                                             const ContinuousPoint& from, const ContinuousPoint& to,
                                             std::span<const double> parameters);
  // Explains why weak and slow impacts would let the relation pass through its surface.
  std::string why_not_at_rest(const Impacts& impacts) const;
  // At an event without a solution: the point from which the model slides along the relations that have no value.
  // `parameters`: those before the event.
  std::optional<ContinuousPoint> sliding(double t, const EventIteration::Result& result, const ContinuousPoint& from,
                                         std::span<const double> parameters);
  // Does a contact end at this event of a mode? Then its relation gets its value, in `parameters`.
  bool ends_at(const EventSearch::Found& found, std::size_t mode, std::span<double> parameters);
  // Ends present contacts, by their places, before an event that contradicts them: a ball at rest that is kicked up.
  void end(const std::vector<std::size_t>& places, std::span<double> parameters);
  std::size_t number() const { return modes_.contacts().size(); }
  // The places of present contacts whose force does not fit the present direction of the surface (hybrid/rest.hpp).
  std::vector<std::size_t> turned(double t, const ContinuousPoint& point, std::span<const double> parameters) const;
  // Would the force of one of the contacts pull at this point of their equations?
  bool pulls(double t, const ContinuousPoint& point, std::span<const double> parameters);
  void undo() { stay_on(given_up_to_); }  // those that began last
  // Called if the equations of the contacts that began last cannot be integrated.
  void give_up(const ModelError& error);

  // Gives relations on their surfaces the value for a = b. True if one changes its value.
  bool take_values_on_surfaces(std::span<double> parameters) const;

  // From now on the motion stays on these surfaces.
  void stay_on(std::vector<SurfaceContact> contacts);
  // When reading, the modes must already exist.
  void archive(Archive& archive);

  // Relations without a value of their own, because the motion stays on their surfaces.
  const std::vector<std::size_t>& relations() const { return relations_; }

 private:
  std::optional<ContinuousPoint> rest_at(double t, std::size_t relation, double remaining, const ContinuousPoint& from,
                                         const ContinuousPoint& to, std::span<const double> parameters);
  // Begins these contacts at a point that is on the surface up to rounding errors. Empty if there is no motion with
  // these equations.
  std::optional<ContinuousPoint> enter(double t, const std::vector<SurfaceContact>& begin, std::string note,
                                       const ContinuousPoint& from, std::span<const double> parameters);
  void leave(const std::vector<std::size_t>& places);
  void set_relations(const SurfaceContact& contact, bool value, std::span<double> parameters);
  bool has(std::size_t relation) const;
  bool is_faint(double t, std::size_t relation, const ContinuousPoint& from, std::span<const double> parameters,
                const Slopes& slopes);
  static bool is_lost(const Slopes& slopes);
  bool is_slow(double t, int relation, const ContinuousPoint& from, std::span<const double> parameters,
               const Slopes& slopes);
  void note_speed(int relation, const Slopes& slopes);
  static bool loses_speed(const Slopes& slopes);
  std::vector<SurfaceContact> rests(std::size_t relation, const ContinuousPoint& from, const ContinuousPoint& to,
                                    std::span<const double> parameters);
  bool stops(int relation, double t, const Accumulation& accumulation, const Slopes& slopes);

  HybridModes& modes_;
  const SimulateOptions& options_;
  Solution& solution_;
  const DiscretePart& part_;
  std::vector<SurfaceContact> given_up_to_;  // the contacts before those that began last
  std::vector<std::size_t> relations_;
  std::map<int, Accumulation> accumulations_;  // by relation that causes reinits
  ImpactPushes pushes_;
  std::map<int, double> slowest_;  // slowest approach to each surface from which reinit has led back
  std::set<int> fading_;           // relations with brief impacts that lose speed
  std::set<int> rested_;           // relations on whose surfaces the motion has been at rest
};

}  // namespace driftless
