// Motion on the surfaces of several relations at once: balls that lie on the same floor, or sliding along two surfaces.
//
// Every contact adds its equations to those of earlier contacts (rest.hpp, sliding.hpp).
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// A surface on which the motion stays: at rest, or sliding along it. Places are those in Model::discrete.held and
// Model::discrete.reinits.
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
  std::vector<std::size_t> idle{};  // reinits that act only if the surface turns (rest.hpp)
  // Other relations with the same surface, which next to it have the same value as this one or the opposite one.
  std::vector<std::size_t> same{}, opposite{};
  bool operator==(const SurfaceContact&) const = default;
  template <class Archive>
  void archive(Archive& archive) {
    archive(is_rest, relation, pushes, idle, same, opposite);
  }
};

// A contact ends where relation `held` of the model with contacts becomes true. The contact's own relation then gets
// this value.
struct ContactEnd {
  int held = 0;
  std::size_t contact = 0;
  double value = 0.0;
};

struct ContactModel {
  Model model;
  std::vector<ContactEnd> ends;
};

// The model with all these contacts, or the reason why there is none.
std::variant<ContactModel, std::string> contact_model(const Model& model, std::span<const SurfaceContact> contacts);

// Do both relations change their values at the same points because their sides are the same? If so, whether their
// values are the same or opposite.
enum class CommonSurface { None, Same, Opposite };
CommonSurface common_surface(const Model& model, std::size_t held, std::size_t other);

}  // namespace driftless
