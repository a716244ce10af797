#include "driftless/integrate/states/state_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/linear/archive_values.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

constexpr double largest_growth = 5.0;        // of |[L; C]^-1|
constexpr double smallest_determinant = 0.2;  // relative to that of the choice
constexpr double short_piece = 0.25;          // of the predicted path: C changes by less, relative to its size
constexpr double first_piece = 1.0 / 64;      // of a step: a full turn within one must not go unnoticed
constexpr double shortest_piece = 1.0 / 256;  // likewise

double distance(std::span<const double> a, std::span<const double> b) {
  double difference = 0.0, size = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) difference += (a[k] - b[k]) * (a[k] - b[k]), size += a[k] * a[k];
  return size > 0.0 ? std::sqrt(difference / size) : 0.0;
}

}  // namespace

StateCoordinates::StateCoordinates(System& system, double hysteresis)
    : system_(system),
      reduced_(system.reduced()),
      selection_(reduced_, system.choice_entries(), hysteresis),
      equations_(system, hysteresis),
      values_(system.choice_values()) {
  if (reduced_.chart == Chart::Slots) return;
  if (reduced_.chart == Chart::TangentMass) forces_.emplace(system);
  std::size_t offset = 0;
  for (std::size_t k = 0; k < reduced_.choices.size(); ++k) {
    Piece piece;
    piece.choice = &reduced_.choices[k];
    piece.entries = &system.choice_entries()[k];
    piece.offset = offset;
    offset += piece.entries->size();
    piece.nominal.resize(piece.candidates());
    for (Eigen::Index j = 0; j < piece.candidates(); ++j)
      piece.nominal[j] = reduced_.slots[reduced_.kinematics[piece.choice->kinematics[j]].slot].nominal;
    pieces_.push_back(std::move(piece));
  }
}

std::string StateCoordinates::name(int candidate) const {
  return reduced_.name(reduced_.slots[reduced_.kinematics[candidate].slot].quantity);
}

bool StateCoordinates::choose(const System::Point& at) {
  system_.choices(at, values_);
  bool regular = selection_.choose(values_);
  if (equations_.exists()) regular = equations_.choose(at) && regular;
  if (reduced_.chart == Chart::Slots) {
    selection_.examine(values_);
    take_slots();
  } else {
    choose_here(at);
  }
  return regular;
}

// ---- a chart

void StateCoordinates::load(Piece& piece) const {
  piece.C.setZero(piece.rows(), piece.candidates());
  for (std::size_t e = 0; e < piece.entries->size(); ++e) {
    const System::ChoiceEntry& entry = (*piece.entries)[e];
    piece.C(entry.row, entry.candidate) += values_[piece.offset + e] * piece.nominal[entry.candidate];
  }
}

// Precondition: C is loaded. False if [L; C] is singular.
bool StateCoordinates::measure(Piece& piece, double& size, double& determinant) const {
  Eigen::MatrixXd both(piece.candidates(), piece.candidates());
  both << piece.L, piece.row_scale.asDiagonal() * piece.C;
  const linear::Lu lu(both);
  determinant = lu.determinant();
  if (!std::isfinite(determinant) || determinant == 0.0) return false;
  size = lu.inverse().norm();
  return std::isfinite(size);
}

// Precondition: the values of the choices at the point are known. Where the forces have no directions the orthogonal
// complement is used; where the rows are dependent the chart is not good, and the next examination finds another.
bool StateCoordinates::choose_here(const System::Point& at) {
  if (reduced_.chart == Chart::Partition) selection_.choose(values_);
  const bool has_forces = forces_ && forces_->exist() && forces_->evaluate(at);
  bool regular = has_forces || !forces_;
  for (Piece& piece : pieces_) {
    if (!piece.is_open()) continue;
    load(piece);
    piece.row_scale =
        piece.C.cwiseAbs().rowwise().maxCoeff().unaryExpr([](double v) { return v > 0.0 ? 1.0 / v : 1.0; });
    if (reduced_.chart == Chart::Partition)
      take_units(piece);
    else
      take_tangent(piece);
    if (has_forces) regular = follow_forces(piece) && regular;
    regular = measure(piece, piece.size, piece.determinant) && regular;
  }
  collect();
  return regular;
}

void StateCoordinates::take_units(Piece& piece) const {
  piece.L.setZero(piece.candidates() - piece.rows(), piece.candidates());
  Eigen::Index k = 0;
  for (Eigen::Index j = 0; j < piece.candidates(); ++j)
    if (std::ranges::binary_search(selection_.active(), piece.choice->kinematics[j])) piece.L(k++, j) = 1.0;
}

// Signs are chosen so that the largest entry of each row is positive: then charts of neighbouring points are similar.
void StateCoordinates::take_tangent(Piece& piece) const {
  const Eigen::MatrixXd q = linear::PivotedQr((piece.row_scale.asDiagonal() * piece.C).transpose()).q();
  piece.L = q.rightCols(piece.candidates() - piece.rows()).transpose();
  for (Eigen::Index k = 0; k < piece.L.rows(); ++k) {
    Eigen::Index largest = 0;
    piece.L.row(k).cwiseAbs().maxCoeff(&largest);
    if (piece.L(k, largest) < 0.0) piece.L.row(k) *= -1.0;
  }
}

// L := the rows of [Q0, F]^-1 that belong to Q0 = L^T.
bool StateCoordinates::follow_forces(Piece& piece) const {
  const Eigen::Index n = piece.candidates(), m = piece.rows();
  Eigen::MatrixXd both(n, n);
  both.leftCols(n - m) = piece.L.transpose();
  for (Eigen::Index i = 0; i < m; ++i) {
    const EqnId equation = reduced_.rows[piece.choice->rows[i]].equation;
    const auto found = std::ranges::find(forces_->constraints(), equation);
    if (found == forces_->constraints().end()) return false;
    const auto column = static_cast<Eigen::Index>(found - forces_->constraints().begin());
    for (Eigen::Index j = 0; j < n; ++j)
      both(j, n - m + i) =
          forces_->of_slots()(reduced_.kinematics[piece.choice->kinematics[j]].slot, column) / piece.nominal[j];
    both.col(n - m + i).normalize();
  }
  const linear::FullLu lu(both);
  if (!lu.is_regular()) return false;
  piece.L = lu.inverse().topRows(n - m);
  return true;
}

void StateCoordinates::collect() {
  states_ = each_alone(reduced_.permanent);
  for (const Piece& piece : pieces_) {
    if (!piece.is_open()) continue;
    for (Eigen::Index k = 0; k < piece.L.rows(); ++k) {
      Combination& state = states_.emplace_back();
      for (Eigen::Index j = 0; j < piece.candidates(); ++j)
        if (reduced_.chart != Chart::Partition || piece.L(k, j) != 0.0)
          state.push_back({piece.choice->kinematics[j], piece.L(k, j) / piece.nominal[j]});
      if (state.size() == 1) state[0].weight = 1.0;
    }
  }
  std::ranges::stable_sort(states_, {}, [](const Combination& state) { return state[0].candidate; });
}

// ---- its end

bool StateCoordinates::is_good() {
  for (Piece& piece : pieces_) {
    if (!piece.is_open()) continue;
    load(piece);
    double size = 0.0, determinant = 0.0;
    if (!measure(piece, size, determinant)) return false;
    if (!(size <= largest_growth * piece.size)) return false;
    if (!(determinant / piece.determinant >= smallest_determinant)) return false;
  }
  return true;
}

std::optional<std::string> StateCoordinates::lost_at(std::span<const double> values) {
  std::ranges::copy(values, values_.begin());
  if (!linear::all_finite(values_)) return {};
  for (Piece& piece : pieces_) {
    if (!piece.is_open()) continue;
    load(piece);
    double size = 0.0, determinant = 0.0;
    if (measure(piece, size, determinant) && determinant / piece.determinant > 0.0) continue;
    std::vector<std::string> names;
    for (const int candidate : piece.choice->kinematics) names.push_back(name(candidate));
    constexpr std::size_t most = 4;
    if (names.size() > most) names.resize(most), names.push_back("...");
    return fmt::format("the chart does not determine {} any more", fmt::join(names, ", "));
  }
  return {};
}

const std::vector<Pivot>& StateCoordinates::examine(const System::Point& at, double next_step) {
  changes_.clear();
  if (!reduced_.leaves_choice()) return changes_;
  system_.choices(at, values_);
  if (reduced_.chart == Chart::Slots) {
    exchange_slots(at);
    return changes_;
  }
  if (!linear::all_finite(values_)) return changes_;
  if (reduced_.new_chart_every_step || !is_good()) change(at);
  if (!reduced_.new_chart_every_step) look_ahead(at, next_step);
  return changes_;
}

void StateCoordinates::exchange_slots(const System::Point& at) {
  const auto tell = [&](const std::vector<Exchange>& exchanges) {
    for (const Exchange& exchange : exchanges)
      changes_.push_back({at.t, name(exchange.out), name(exchange.in), exchange.margin});
  };
  tell(selection_.examine(values_));
  if (equations_.exists()) tell(equations_.examine(at));
  if (!changes_.empty()) take_slots();
}

void StateCoordinates::take_slots() {
  std::vector<int> active = selection_.active();
  equations_.add_states(active);
  std::ranges::sort(active);
  states_ = each_alone(active);
}

void StateCoordinates::look_ahead(const System::Point& at, double step) {
  y_.assign(at.y.begin(), at.y.end());
  before_ = values_;
  for (double s = 0.0, piece = first_piece; s < 1.0;) {
    piece = std::min(piece, 1.0 - s);
    const double t = at.t + (s + piece) * step;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = at.y[i] + (s + piece) * step * at.yp[i];
    const System::Point ahead{t, y_, at.yp};
    system_.choices(ahead, values_);
    if (!linear::all_finite(values_)) return;
    const double change_of_C = distance(before_, values_);
    if (piece > shortest_piece && change_of_C > short_piece) {
      piece *= 0.5;
      continue;
    }
    if (!is_good()) change(ahead);
    before_ = values_;
    s += piece;
    if (change_of_C < 0.25 * short_piece) piece *= 4.0;
  }
}

// Makes and reports a new chart at a point where the values of the choices are known.
void StateCoordinates::change(const System::Point& at) {
  const std::vector<Combination> old = states_;
  choose_here(at);
  if (states_ == old) return;
  if (reduced_.chart != Chart::Partition) {
    changes_.push_back({at.t, "chart", fmt::format("tangent space at t = {:.6g}", at.t), 1.0});
    return;
  }
  const auto alone = [](const Combination& state) { return state[0].candidate; };
  std::vector<Combination> out, in;
  std::ranges::set_difference(old, states_, std::back_inserter(out), {}, alone, alone);
  std::ranges::set_difference(states_, old, std::back_inserter(in), {}, alone, alone);
  for (std::size_t k = 0; k < out.size(); ++k)
    changes_.push_back({at.t, name(alone(out[k])), name(alone(in[k])), largest_growth});
}

void StateCoordinates::archive(Archive& archive) {
  archive.section("coordinates");
  archive(selection_, equations_, states_);
  for (Piece& piece : pieces_) {
    linear::archive_matrix(archive, piece.L);
    linear::archive_matrix(archive, piece.row_scale);
    archive(piece.size, piece.determinant);
  }
}

bool StateCoordinates::renew(const System::Point& at) {
  if (reduced_.chart == Chart::Slots) return false;
  const std::vector<Combination> old = states_;
  system_.choices(at, values_);
  return linear::all_finite(values_) && choose_here(at) && states_ != old;
}

}  // namespace driftless
