// For a form of index 1 from a derivative array: which equations are its differential ones at present, and which
// unknowns that the array leaves open are held (array/kunkel_mehrmann.hpp). With x, w the unknowns, [N M] = ∂array/∂(x,
// w),
//
//   r columns of M are a basis of its range, the others are held;  Z2ᵀ M = 0,  Z2ᵀ N T2 = 0;
//   d rows C of ∂E/∂x' T2 are regular: these equations are the differential ones.
//
// Both choices are good as long as the entries of T in ∂E/∂x' T2 = T C are moderate: an exchange takes place where
// |T_ij| exceeds the hysteresis, and multiplies |det C| by |T_ij|. Rows and columns are scaled to a size of about 1.
//
// For a choice, the matrix of ∂array/∂(x, w), ∂E/∂x' and the held unknowns is regular. If its determinant changes its
// sign in a step, with this choice and with one that is made at the end, the form was singular in between.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/states/exchange.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class EquationSelection {
 public:
  EquationSelection(System& system, double hysteresis);

  bool exists() const { return choice_.exists(); }
  // False if the ranks differ from those for which the form was made.
  bool choose(const System::Point& at);
  // Exchanges as long as one exceeds the hysteresis.
  const std::vector<Exchange>& examine(const System::Point& at);
  // At the end of a step: what the form no longer determines; nothing if all is well.
  std::optional<std::string> lost_at(const System::Point& at);
  // Was the last finding a change of sign, which a shorter step may resolve?
  bool is_in_doubt() const { return is_in_doubt_; }
  // After an event nothing is compared with earlier values.
  void forget() { before_ = {}; }

  void add_states(std::vector<int>& active) const;
  void archive(Archive& archive);

 private:
  // At one point, in units of `rows_` and `columns_`: ∂array/∂(x, w) and ∂E/∂x'.
  struct Matrices {
    Eigen::MatrixXd array, slopes;
  };
  struct Chosen {
    std::vector<int> held, equations;  // ascending, numbered within the choice
    bool operator==(const Chosen&) const = default;
  };

  std::optional<Matrices> matrices_at(const System::Point& at);
  void take_units(Matrices& matrices);
  std::optional<Chosen> best_for(const Matrices& matrices) const;
  std::optional<Eigen::MatrixXd> slopes_along(const Matrices& matrices) const;  // ∂E/∂x' T2
  int sign_with(const Chosen& chosen, const Matrices& matrices) const;
  void exchange(const Eigen::MatrixXd& columns, std::vector<int>& chosen, const std::vector<int>& candidates,
                bool chosen_are_states);
  bool leaves_the_same_open(const Matrices& matrices) const;
  std::string names_of_equations() const;

  System& system_;
  const EquationChoice& choice_;
  double hysteresis_;
  std::vector<int> column_of_slot_;  // x first, then w; -1: neither
  Eigen::VectorXd rows_, columns_;   // units
  Chosen chosen_;
  std::optional<Matrices> before_;  // at the last end of a step
  bool is_in_doubt_ = false;
  std::vector<Exchange> exchanges_;
  std::vector<double> jacobian_;
};

}  // namespace driftless
