// The background that a drawing is made for.
#pragma once

namespace driftless {

enum class Theme {
  Auto,  // light, or dark where the viewer prefers it
  Light,
  Dark,
};

}  // namespace driftless
