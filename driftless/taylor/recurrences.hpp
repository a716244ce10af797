// The Taylor recurrences of a system of equations, as straight-line formulas.
//
// The coefficient of order K >= 1 of every operation is linear in the coefficients of order K of its operands, with
// factors that are values at order 0, plus convolutions of lower orders,
//
//   (u * v)_K = sum_{0<j<K} u_j v_{K-j},
//
// sometimes with j u_j instead of u_j (Griewank & Walther 2008, Section 13.2; Moore 1966). So one order is computed in
// two phases: all convolutions of the system, which do not depend on each other, and then formulas without loops, the
// same for every order: expressions compiled like those of the model.
//
// Classes. At stage k of the Sigma-method an equation with offset c is taken at order k + c. Everything computed for it
// at this order is of class c. A nonlinear operation that several equations share belongs to the highest of their
// classes, where it is computed first; the others read the stored coefficient.
//
// Inputs of all kernels, after time and parameters:
//
//   values        of the leaves der^m(x_j)
//   functions     values of elementary functions at order 0, which several kernels need; written by the kernels
//                 `functions`
//   factors       values of expressions at order 0, by class; written by the kernels `factors`
//   sums          of the convolutions, by class
//   coefficients  of leaves, a leaf once for each class
//   readings      coefficients of operations of a higher class
//   orders        per class: K, 1/K, the coefficient of time, s = k!/(k+c)! unit^c and 1/s
//   inverse       of J by rows, for few unknowns
//
// A record contains the data of one stage for convolutions and readings: for every class the left factors, the right
// factors and the coefficients to be read later, written by the kernels `records`.
//
// For few unknowns one kernel computes a whole stage above 0 from the sums of the convolutions. With r the residual
// coefficients without their unknown parts, the unknown derivatives are y_j = -sum_i (J^-1)_ji r_i / s, s of the class
// of equation i, and the coefficient of order K of der^m(x_j), m = d_j - c, is s y_j in class c: expressions like all
// others. The record then begins with the y_j.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/taylor/natural_system.hpp"
#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

struct Leaf {
  int unknown;
  int order;
};

// Data of the equations of one offset. Positions of inputs count from the beginning of the array.
struct Class {
  int c = 0;
  int first_row = 0, rows = 0;
  int first_factor = 0, factors = 0;    // input positions
  int first_sum = 0, convolutions = 0;  // input positions; a multiple of `lanes` of them
  int left = 0, right = 0, stored = 0;  // positions in the record
  int order = 0;                        // input position of K; 1/K, time, s and 1/s follow
  bool uses_order = false;              // is any of them read?

  struct Coefficient {
    int input;
    int unknown;
    int order;  // m of der^m
  };
  std::vector<Coefficient> known, unknown;  // computed at earlier stages, computed at this stage

  struct Reading {
    int input;
    int record;  // position in the record
    int delay;   // how many stages ago
  };
  std::vector<Reading> readings;
};

// Elementary functions whose arguments are all found by the same stage of the Sigma-method, or before.
struct FunctionValues {
  int stage = 0;
  int source = 0;             // the kernel
  int first = 0, number = 0;  // input positions
};

// Up to this number of unknowns whole stages are used: the product with the inverse grows with the square.
constexpr int few_unknowns = 6;

struct Recurrences {
  NaturalSystem system;
  std::vector<Class> classes;  // descending by c
  int record_size = 0;
  InputLayout layout;
  std::vector<Leaf> leaves;  // the values, from `first_value` on
  int first_value = 0;
  std::vector<FunctionValues> functions;  // ascending by stage

  struct Entry {
    int row, unknown;
  };
  std::vector<Entry> jacobian_entries;  // ∂f_i/∂x_j^(d_j - c_i), by rows

  // The formulas. By class: residuals and factors at order 0; residuals, and records at higher orders. `remainders`:
  // all residuals with the unknown coefficients of the stage at 0. `records`: of all classes.
  std::vector<KernelSource> sources;
  int jacobian = 0, remainders = 0, all_records = 0;
  bool whole_stages = false;  // `all_records` computes a whole stage, and `remainders` is empty
  int first_inverse = 0;      // input position
  std::size_t value_residuals(std::size_t cls) const { return 3 + 4 * cls; }
  std::size_t factors(std::size_t cls) const { return 4 + 4 * cls; }
  std::size_t residuals(std::size_t cls) const { return 5 + 4 * cls; }
  std::size_t records(std::size_t cls) const { return 6 + 4 * cls; }
};

Recurrences recurrences_of(NaturalSystem system);

// The sources, compiled. All expansions of a system may share them.
using Code = std::vector<std::shared_ptr<const Kernel>>;
Code compile(const Recurrences& recurrences, Backend backend);

}  // namespace driftless::taylor
