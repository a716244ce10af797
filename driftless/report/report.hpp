// A report of a run: one self-contained HTML file that needs neither a network nor the program. It shows how the run
// ended, the model, its structure and hidden constraints, the trajectory, the states, the certificate and, of a
// mechanism, the motion. All text from a model is escaped: names and texts are not trusted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/animation.hpp"
#include "driftless/model/model.hpp"
#include "driftless/solution/row_sink.hpp"

namespace driftless {

struct ReportOptions {
  std::vector<std::string> shown = {};        // columns that are drawn at first; otherwise some variables
  std::vector<AnimatedShape> animation = {};  // shapes declared by the model (ReadOptions::animation)
};

// Collects the points of a run while it goes on: memory stays bounded for runs of any length.
class Report {
 public:
  explicit Report(std::shared_ptr<const Model> model, ReportOptions options = {});
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;
  ~Report();

  // To be called by a sink (solution/row_sink.hpp). `head` is the solution of the run, which must live until the last
  // row: the residuals of each point are read from it.
  void begin(const Solution& head);  // again if the run starts over
  void row(double time, std::span<const double> series);

  // To be called once, at the end of the run.
  std::string html(const Solution& solution);

 private:
  friend std::string html_report(std::shared_ptr<const Model> model, const Solution& solution, ReportOptions options);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The report of a solution that has its points.
std::string html_report(std::shared_ptr<const Model> model, const Solution& solution, ReportOptions options = {});

}  // namespace driftless
