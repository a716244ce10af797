// The signature matrix of a model: the order of the highest derivative of each variable in each equation.
#pragma once

#include "driftless/model/model.hpp"
#include "driftless/structure/signature.hpp"

namespace driftless {

structure::Signature signature_of(const Model& model);

}  // namespace driftless
