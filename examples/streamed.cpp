// A model from a file: its structure, a run with the defaults, and a run whose output points go to a file one by one,
// so that memory does not grow with their number.
#include <cstdio>

#include <driftless/driftless.hpp>

int main(int argc, char** argv) {
  try {
    const driftless::Model model =
        argc > 1
            ? driftless::read_model_file(argv[1])
            : driftless::read_model_text("decay.mo", "model Decay Real x(start = 1); equation der(x) = -x; end Decay;");
    const driftless::Analysis analysis = driftless::analyze(model);
    std::printf("index      %d\n", analysis.shape.structural_index);

    const driftless::Solution solution = driftless::simulate(model);
    std::printf("points     %zu, all kept\n", solution.times.size());

    driftless::CsvWriter file("streamed.csv");
    driftless::SimulateOptions options{.intervals = 10'000, .dense = false};
    options.rows.begin = [&](const driftless::Solution& head) { file.begin(head); };
    options.rows.row = [&](double time, std::span<const double> series) { return file.row(time, series); };
    options.rows.keep_all = false;
    const driftless::Solution last = driftless::simulate(analysis, options);
    if (const auto problem = file.commit()) std::fprintf(stderr, "%s\n", problem->c_str());
    std::printf("streamed   %zu points, %zu kept\n", last.points, last.times.size());
    return last.outcome == driftless::Outcome::Success ? 0 : 1;
  } catch (const driftless::ModelError& error) {
    std::fputs(error.what(), stderr);
    return 2;
  }
}
