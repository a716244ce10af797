// For tests: reads drawings back.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// Are all elements closed in order, all attributes quoted, and all & and < in text escaped?
inline bool is_well_formed(std::string_view text) {
  std::vector<std::string_view> open;
  while (!text.empty()) {
    if (text[0] != '<') {
      const std::size_t end = std::min(text.find_first_of("<&"), text.size());
      text.remove_prefix(end);
      if (!text.starts_with('&')) continue;
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
        if (!text.starts_with(entity)) continue;
        text.remove_prefix(entity.size());
        known = true;
        break;
      }
      if (!known) return false;
      continue;
    }
    const std::size_t end = text.find('>');
    if (end == std::string_view::npos) return false;
    std::string_view tag = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (tag.find('<') != std::string_view::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

// The first group of every match of the pattern. For short matches only: std::regex recurses.
inline std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

// The data of all paths whose class is or ends with `tint`.
inline std::vector<std::string> paths(std::string_view text, std::string_view tint) {
  std::vector<std::string> found;
  const std::string head = std::string(tint) + "\" d=\"";
  for (std::size_t at = text.find(head); at != std::string_view::npos; at = text.find(head, at)) {
    at += head.size();
    found.emplace_back(text.substr(at, text.find('"', at) - at));
  }
  return found;
}

}  // namespace driftless
