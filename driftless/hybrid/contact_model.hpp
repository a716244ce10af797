// Motion on the surfaces of several relations at once: balls that lie on the same floor, or sliding along two surfaces.
//
// Every contact adds its equations to those of the contacts before it (rest.hpp, sliding.hpp).
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// One surface that the motion does not leave: at rest, or sliding along it. Places are those among
// Model::discrete.held and Model::discrete.reinits.
struct SurfaceContact {
  struct Push {  // of rest: on which variable its force acts (rest.hpp)
    std::size_t reinit = 0;
    double weight = 1.0;
    bool turns = false;  // with the slope of the surface
    bool operator==(const Push&) const = default;
    template <class Archive>
    void archive(Archive& archive) {
      archive(reinit, weight, turns);
    }
  };

  bool is_rest = false;
  std::size_t relation = 0;
  std::vector<Push> pushes{};
  std::vector<std::size_t> idle{};  // reinits that push only where the surface turns (rest.hpp)
  // Other relations that have the same surface, and beside it this one's value or the opposite one.
  std::vector<std::size_t> same{}, opposite{};
  bool operator==(const SurfaceContact&) const = default;
  template <class Archive>
  void archive(Archive& archive) {
    archive(is_rest, relation, pushes, idle, same, opposite);
  }
};

// A contact ends where a relation of the model with contacts becomes true. The contact's relation has this value then.
struct ContactEnd {
  int held = 0;
  std::size_t contact = 0;
  double value = 0.0;
};

struct ContactModel {
  Model model;
  std::vector<ContactEnd> ends;
};

// The model with all these contacts, or why there is none, in words.
std::variant<ContactModel, std::string> contact_model(const Model& model, std::span<const SurfaceContact> contacts);

// Do both relations change their values at the same points, because their sides are the same? Then whether they have
// the same value there or the opposite one.
enum class CommonSurface { None, Same, Opposite };
CommonSurface common_surface(const Model& model, std::size_t held, std::size_t other);

}  // namespace driftless
