// Every mistake is answered with the message that stands beside it. A file x.expected is a transcript:
//
//   $ driftless run x.mo
//   x.mo:6:14: error D0102: missing ';' after this equation
//       6 |   der(x) = -x
//         |              ^
//   exit 2
//
// All that the program says on stderr is compared; of a summary on stdout only what concerns the failure: `failed`,
// `drifted`, `computed` and `note`. Where the expected text says <number>, any number will do (it depends on rounding);
// where it says <about 0.5>, a number within a thousandth of it. With DRIFTLESS_ACCEPT=1 in the environment the
// transcripts are written anew; read what changed before you keep it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path folder = BAD_MODELS;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Sections of a summary begin with a label at the left; the lines that continue them are indented.
std::string concerning_failure(const std::string& summary) {
  std::istringstream lines(summary);
  std::string line, kept;
  bool keep = false;
  while (std::getline(lines, line)) {
    if (!line.empty() && line[0] != ' ') {
      const std::string label = line.substr(0, line.find(' '));
      keep = label == "failed" || label == "drifted" || label == "computed" || label == "note";
    }
    if (keep) kept += line + "\n";
  }
  return kept;
}

struct Answer {
  std::string out, err;
  int exit = -1;  // -1: ended by a signal
};

// `arguments` as one types them, in the folder of the models.
Answer run_program(const std::string& arguments) {
  const fs::path scratch = fs::path(testing::TempDir()) / ("driftless_bad_model_" + std::to_string(::getpid()));
  const std::string out = scratch.string() + ".out", err = scratch.string() + ".err";
  const std::string command =
      "cd '" + folder.string() + "' && '" DRIFTLESS_PROGRAM "' " + arguments + " >'" + out + "' 2>'" + err + "'";
  const int status = std::system(command.c_str());
  Answer answer{text_of(out), text_of(err), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  fs::remove(out);
  fs::remove(err);
  return answer;
}

std::string transcript(const std::string& arguments) {
  const Answer answer = run_program(arguments);
  std::ostringstream text;
  text << "$ driftless " << arguments << "\n"
       << answer.err << concerning_failure(answer.out) << "exit " << answer.exit << "\n";
  return text.str();
}

// If a pattern for numbers begins here and a number that fits stands at the front of `actual`: the length of both.
struct Fit {
  std::size_t pattern, number;
};
std::optional<Fit> fitting_number(std::string_view expected, const char* actual) {
  const bool about = expected.starts_with("<about ");
  if (!about && !expected.starts_with("<number>")) return {};
  char* end = nullptr;
  const double number = std::strtod(actual, &end);
  if (end == actual) return {};
  if (about) {
    const double wanted = std::strtod(expected.data() + std::string_view("<about ").size(), nullptr);
    if (!(std::abs(number - wanted) <= 1e-3 * std::abs(wanted))) return {};
  }
  return Fit{expected.find('>') + 1, static_cast<std::size_t>(end - actual)};
}

// The length of a blank, or of a break within a paragraph of the summary: where lines break depends on the length of
// numbers.
std::size_t blank_length(std::string_view text) {
  constexpr std::string_view broken = "\n           ";
  return text.starts_with(broken) && !text.substr(broken.size()).starts_with(' ') ? broken.size()
         : text.starts_with(' ')                                                  ? 1
                                                                                  : 0;
}

// The actual text, with the patterns of the expected text wherever numbers that fit stand in their place.
std::string masked(const std::string& actual, const std::string& expected) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size() && at < actual.size();) {
    const std::string_view wanted = std::string_view(expected).substr(i);
    if (const auto fit = fitting_number(wanted, actual.c_str() + at)) {
      text += wanted.substr(0, fit->pattern);
      i += fit->pattern;
      at += fit->number;
    } else if (const std::size_t n = blank_length(wanted), m = blank_length(std::string_view(actual).substr(at));
               n > 0 && m > 0) {
      text += wanted.substr(0, n);
      i += n;
      at += m;
    } else {
      if (expected[i++] != actual[at]) break;
      text += actual[at++];
    }
  }
  return text + actual.substr(at);
}

std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".expected") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class BadModel : public testing::TestWithParam<std::string> {};

TEST_P(BadModel, IsExplained) {
  const fs::path file = folder / (GetParam() + ".expected");
  const std::string expected = text_of(file);
  constexpr std::string_view prompt = "$ driftless ";
  ASSERT_TRUE(expected.starts_with(prompt)) << file;
  const std::string arguments = expected.substr(prompt.size(), expected.find('\n') - prompt.size());
  const std::string actual = masked(transcript(arguments), expected);
  if (std::getenv("DRIFTLESS_ACCEPT")) std::ofstream(file, std::ios::binary) << actual;
  EXPECT_EQ(actual, expected);
}

INSTANTIATE_TEST_SUITE_P(Transcripts, BadModel, testing::ValuesIn(transcripts()),
                         [](const auto& test) { return test.param; });

TEST(BadModels, NoneIsWithoutATranscript) {
  std::string all;
  for (const std::string& name : transcripts()) all += text_of(folder / (name + ".expected"));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".mo") continue;
    EXPECT_THAT(all, testing::HasSubstr(std::string(" ").append(entry.path().filename().string())))
        << "is run by no transcript";
  }
}

// der(x) = x^2 ends at t = 1; all that was computed before is written, and is right: x = 1/(1 - t).
TEST(FailedRun, KeepsWhatWasComputed) {
  const std::string csv = testing::TempDir() + "driftless_pole.csv";
  const Answer answer = run_program("run pole.mo --tol 1e-8 --output '" + csv + "'");
  EXPECT_EQ(answer.exit, 1);
  std::ifstream lines(csv);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line.substr(0, 6), "time,x");
  int rows = 0;
  double t = 0.0, x = 0.0;
  char comma;
  for (; std::getline(lines, line); ++rows) {
    std::istringstream(line) >> t >> comma >> x;
    EXPECT_NEAR(x * (1.0 - t), 1.0, 1e-4) << "at t = " << t;
  }
  EXPECT_EQ(rows, 250);  // 500 intervals up to t = 2: the points before t = 1
  fs::remove(csv);
}

}  // namespace
