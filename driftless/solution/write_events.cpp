#include "driftless/solution/write_events.hpp"

#include "driftless/solution/csv_fields.hpp"

namespace driftless {
namespace {

constexpr int all_digits = 0;

template <class Parts, class Text>
void append_list(std::string& line, const Parts& parts, Text text) {
  std::vector<std::string> texts;
  for (const auto& part : parts) texts.push_back(text(part));
  line += ',';
  append_field(line, joined(texts, "; "));
}

}  // namespace

EventWriter::EventWriter(const std::filesystem::path& path) : file_(path, OutputFile::Kind::Rows) {}

void EventWriter::begin(const Solution& head) {
  file_.start_over();
  columns_ = head.columns;
  text_.emplace(columns_, all_digits);
  file_.write("time,causes,iterations,mode,discrete,jumps,impulses\n");
}

void EventWriter::event(const Event& event) {
  const auto change = [this](const ChangeOfValue& one) { return text_->change(one); };
  line_.clear();
  append_number(line_, event.time);
  append_list(line_, event.causes, [](const std::string& cause) { return cause; });
  line_ += ',' + std::to_string(event.iterations) + ',';
  append_field(line_, event.mode);
  append_list(line_, event.discrete, change);
  append_list(line_, event.jumps, change);
  append_list(line_, event.impulses, [this](const Impulse& impulse) { return text_->impulse(impulse); });
  line_ += '\n';
  file_.write(line_);
}

std::optional<std::string> write_events(const Solution& solution, const std::filesystem::path& path) {
  EventWriter writer(path);
  writer.begin(solution);
  for (const Event& event : solution.events) writer.event(event);
  return writer.commit();
}

}  // namespace driftless
