// Inputs of a model, driven from outside.
//
// An input u is a variable with an equation of its own,
//
//   u = c0 + c1 s + c2 s^2 + c3 s^3,   s = time - origin,
//
// whose coefficients and origin are parameters that change at events only. Between events this is an ordinary equation:
// it is differentiated, expanded into series and compiled, and a piece never ends inside a step. Without a signal all
// but c0, the start of u, are zero.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Makes the variable an input, with its equation. Its value is its start if no signal is given.
void add_input(Model& model, VarId variable);
// Makes a variable that already has an equation an input: a signal replaces that equation (replace_declared).
void add_declared_input(Model& model, VarId variable, EqnId declared);

// Makes a discrete variable an input, with a discrete equation: its value is that of the last row of a table.
void add_discrete_input(Model& model, std::size_t place);

using NamedPieces = std::vector<std::pair<std::string, PiecewiseSignal>>;

// The signals as polynomials of time between start and stop. Throws ModelError for a name that is no input of the model
// and for an unusable signal.
NamedPieces pieces_of(const Model& model, const NamedSignals& signals, double start, double stop, double tolerance);

// The model with the equations of declared inputs of these names replaced. The same object if there are none.
std::shared_ptr<const Model> replace_declared(const std::shared_ptr<const Model>& model, const NamedSignals& signals);

// The same equations with these signals, and the coefficients valid from `start` on. Throws ModelError for an input
// whose declaration equation has not been replaced. The same object if there are no signals.
std::shared_ptr<const Model> driven(const std::shared_ptr<const Model>& model, const NamedPieces& signals,
                                    double start);

// For the loop over events: the next time after t at which some input begins another polynomial, infinity if there is
// none; and sets the coefficients valid from t on among the values of all parameters.
double next_input_event(const Model& model, double t);
void set_inputs(const Model& model, double t, std::span<double> parameters);

// Throws ModelError for an input that must be differentiated more often than possible. `orders[v]`: the highest
// derivative of variable v that the equations need; `differentiations`: how often each equation is differentiated.
void check_smoothness(const Model& model, double start, double stop, std::span<const int> orders,
                      std::span<const int> differentiations);

// "the table of u ends at t = 5: from there on its last value is taken".
std::vector<std::string> remarks_on_inputs(const Model& model, double start, double stop);

}  // namespace driftless
