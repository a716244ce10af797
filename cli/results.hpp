// All outputs requested from a run. Output points are written to their files during the run, and a limited number of
// points is kept for pictures, so that memory stays bounded; the summary and the pictures are written at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "driftless/report/report.hpp"
#include "driftless/solution/curve_rows.hpp"
#include "driftless/solution/row_sink.hpp"
#include "driftless/solution/write_csv.hpp"
#include "driftless/solution/write_events.hpp"
#include "driftless/solution/write_mat.hpp"

namespace driftless::cli {

class Results {
 public:
  // UsageError for outputs that cannot be written, before the work, not after it.
  explicit Results(const RunArguments& arguments);

  // Valid during the lifetime of this object. Its begin() throws a UsageError for names that cannot be plotted.
  RowSink sink();

  // Called with the model before the run: collects the data needed for a report.
  void prepare(const Model& model, std::vector<AnimatedShape> animation);

  // Writes the remaining outputs; a failure does not prevent the others.
  struct Written {
    std::vector<std::string> files, problems;
  };
  Written finish(const Solution& solution);

 private:
  struct Stream {
    std::string file;
    bool is_csv;
    std::unique_ptr<CsvWriter> csv = {};
    std::unique_ptr<MatWriter> mat = {};
  };

  void check_events(std::vector<std::string>& files) const;
  void begin(const Solution& head);
  bool row(double time, std::span<const double> series);
  std::string plot_file(const Solution& solution) const;
  std::optional<std::string> draw(const Solution& solution) const;

  const RunArguments& arguments_;
  std::vector<Stream> streams_;     // files of output points
  std::vector<std::string> pipes_;  // devices and pipes, whose output cannot be undone: written at the end
  std::vector<std::string> summaries_;
  std::unique_ptr<EventWriter> events_;
  std::vector<std::string> names_;  // to be plotted
  std::optional<CurveRows> curves_;
  std::optional<Report> report_;
};

}  // namespace driftless::cli
