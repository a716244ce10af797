// A titled list of lines of a report, printed when it is complete. Lines that differ only in subscripts are printed
// once: "line 7 [i=2] for der(T[2])", with their number. A list without lines prints nothing.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace driftless::cli {

class Section {
 public:
  explicit Section(std::string title) : title_(std::move(title)) {}
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  void line(const std::string& text);

 private:
  struct Line {
    std::string text;
    std::size_t more = 0;
  };
  std::string title_;
  std::vector<Line> lines_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace driftless::cli
