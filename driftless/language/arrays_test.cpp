#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::labels;
using testing::Point;
using testing::read;
using testing::read_clean;

// The elements of an array expression over x[3], y[3], A[2,3], B[3,3] and s, with the values they have at a point.
std::vector<double> elements(
    const std::string& expression, const std::string& shape,
    const std::function<void(const Point&)>& look = [](const Point&) {}) {
  const Model model =
      read_clean("model M\n  Real x[3], y[3], A[2, 3], B[3, 3], s, r" + shape + ";\nequation\n  r = " + expression +
                 ";\n  x = ones(3); y = ones(3); A = ones(2, 3); B = ones(3, 3); s = 1;\nend M;");
  if (model.variables.empty()) return {};
  const Point at(model, 5);
  look(at);
  std::vector<double> result;
  for (const Equation& equation : model.equations)
    if (equation.text.starts_with("r =")) {
      const std::size_t k = result.size();
      std::size_t seen = 0;
      for (std::size_t v = 0; v < model.variables.size(); ++v)
        if (model.variables[v].name.starts_with("r") && seen++ == k)
          result.push_back(at.variable(model.variables[v].name) - at(equation.residual));
    }
  return result;
}

struct Data {
  double x[3], y[3], A[2][3], B[3][3], s;

  void take(const Point& p) {
    for (int i = 0; i < 3; ++i) {
      x[i] = p.variable(fmt::format("x[{}]", i + 1));
      y[i] = p.variable(fmt::format("y[{}]", i + 1));
      for (int j = 0; j < 3; ++j) {
        if (i < 2) A[i][j] = p.variable(fmt::format("A[{},{}]", i + 1, j + 1));
        B[i][j] = p.variable(fmt::format("B[{},{}]", i + 1, j + 1));
      }
    }
    s = p.variable("s");
  }
};

void expect_elements(const std::string& expression, const std::string& shape,
                     const std::function<std::vector<double>(const Data&)>& formula) {
  Data data{};
  const std::vector<double> actual = elements(expression, shape, [&](const Point& p) { data.take(p); });
  const std::vector<double> expected = formula(data);
  ASSERT_EQ(actual.size(), expected.size()) << expression;
  for (std::size_t k = 0; k < actual.size(); ++k)
    EXPECT_NEAR(actual[k], expected[k], 1e-12 * (1 + std::abs(expected[k]))) << expression << ", element " << k;
}

TEST(Arrays, Arithmetic) {
  expect_elements("x + 2*y - y/s", "[3]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 3; ++i) r.push_back(d.x[i] + 2 * d.y[i] - d.y[i] / d.s);
    return r;
  });
  expect_elements("x*y + x*B*y", "", [](const Data& d) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += d.x[i] * d.y[i];
      for (int j = 0; j < 3; ++j) sum += d.x[i] * d.B[i][j] * d.y[j];
    }
    return std::vector{sum};
  });
  expect_elements("A*B", "[2, 3]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) r.push_back(d.A[i][0] * d.B[0][j] + d.A[i][1] * d.B[1][j] + d.A[i][2] * d.B[2][j]);
    return r;
  });
  expect_elements("A*x", "[2]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 2; ++i) r.push_back(d.A[i][0] * d.x[0] + d.A[i][1] * d.x[1] + d.A[i][2] * d.x[2]);
    return r;
  });
  expect_elements("x .* y ./ (1 .+ x .^ 2) .- s", "[3]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 3; ++i) r.push_back(d.x[i] * d.y[i] / (1 + d.x[i] * d.x[i]) - d.s);
    return r;
  });
  expect_elements("(B^2)[1, :] - (B*B)[1, :] + (B^0)[2, :]", "[3]", [](const Data&) {
    return std::vector<double>{0, 1, 0};
  });
  expect_elements("-sin(x) + atan2(x, s)", "[3]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 3; ++i) r.push_back(-std::sin(d.x[i]) + std::atan2(d.x[i], d.s));
    return r;
  });
}

TEST(Arrays, SubscriptsAndSlices) {
  expect_elements("x[2:3] + x[{1, end}]", "[2]", [](const Data& d) {
    return std::vector{d.x[1] + d.x[0], d.x[2] + d.x[2]};
  });
  expect_elements("A[:, 1] + A[:, end]", "[2]", [](const Data& d) {
    return std::vector{d.A[0][0] + d.A[0][2], d.A[1][0] + d.A[1][2]};
  });
  expect_elements("A[2]", "[3]", [](const Data& d) { return std::vector{d.A[1][0], d.A[1][1], d.A[1][2]}; });
  expect_elements("B[2:-1:1, 2:3]", "[2, 2]", [](const Data& d) {
    return std::vector{d.B[1][1], d.B[1][2], d.B[0][1], d.B[0][2]};
  });
  expect_elements("x[end - 1] + sum(x[1:0]) + product(x[1:0])", "",
                  [](const Data& d) { return std::vector{d.x[1] + 1}; });
  expect_elements("({x, y})[2, 3]", "", [](const Data& d) { return std::vector{d.y[2]}; });
}

TEST(Arrays, Constructors) {
  expect_elements("{{i + 10*j for i in 1:3} for j in 1:2}", "[2, 3]",
                  [](const Data&) { return std::vector<double>{11, 12, 13, 21, 22, 23}; });
  // The last iterator is the first dimension (Modelica 3.6, Section 10.4.1.1).
  expect_elements("{i + 10*j for i in 1:3, j in 1:2}", "[2, 3]",
                  [](const Data&) { return std::vector<double>{11, 12, 13, 21, 22, 23}; });
  expect_elements("[1, 2; x[1], s]", "[2, 2]", [](const Data& d) { return std::vector<double>{1, 2, d.x[0], d.s}; });
  expect_elements("([A; transpose([x])])[3, :] + ([A, {7, 8}])[1:2, 4]*ones(2)*zeros(3)", "[3]", [](const Data& d) {
    return std::vector{d.x[0], d.x[1], d.x[2]};
  });
}

TEST(Arrays, TheFunctionArrayOverIteratorsIsAConstructor) {
  EXPECT_THAT(elements("array(10*j for j in 1:3)", "[3]"), ElementsAre(10, 20, 30));
  EXPECT_THAT(elements("array(10*j + i for j in 1:3, i in 1:2)", "[2, 3]"), ElementsAre(11, 21, 31, 12, 22, 32));
}

TEST(Arrays, TheLargestAndTheSmallestBoolean) {
  EXPECT_THAT(elements("if max({s < 10, s > 10}) then 1 else 2", ""), ElementsAre(1));
  EXPECT_THAT(elements("if min({true, 1 > 2}) then 1 else 2", ""), ElementsAre(2));
}

TEST(Arrays, Functions) {
  expect_elements("cross(x, y)", "[3]", [](const Data& d) {
    return std::vector{d.x[1] * d.y[2] - d.x[2] * d.y[1], d.x[2] * d.y[0] - d.x[0] * d.y[2],
                       d.x[0] * d.y[1] - d.x[1] * d.y[0]};
  });
  expect_elements("skew(x)*y - cross(x, y)", "[3]", [](const Data&) { return std::vector<double>{0, 0, 0}; });
  expect_elements("(outerProduct(x, y))[2, :]", "[3]", [](const Data& d) {
    return std::vector{d.x[1] * d.y[0], d.x[1] * d.y[1], d.x[1] * d.y[2]};
  });
  expect_elements("transpose(A)", "[3, 2]", [](const Data& d) {
    return std::vector{d.A[0][0], d.A[1][0], d.A[0][1], d.A[1][1], d.A[0][2], d.A[1][2]};
  });
  expect_elements("(symmetric(B))[3, :]", "[3]", [](const Data& d) {
    return std::vector{d.B[0][2], d.B[1][2], d.B[2][2]};
  });
  expect_elements("diagonal(x)*ones(3) + identity(3)*x + zeros(3) + fill(s, 3)", "[3]", [](const Data& d) {
    return std::vector{2 * d.x[0] + d.s, 2 * d.x[1] + d.s, 2 * d.x[2] + d.s};
  });
  expect_elements("linspace(s, 3, 5)", "[5]", [](const Data& d) {
    std::vector<double> r;
    for (int i = 0; i < 5; ++i) r.push_back(d.s + (3 - d.s) * i / 4);
    return r;
  });
  expect_elements("cat(1, x, {s}, y[1:2])", "[6]",
                  [](const Data& d) { return std::vector{d.x[0], d.x[1], d.x[2], d.s, d.y[0], d.y[1]}; });
  expect_elements("(cat(2, A, A))[2, :]", "[6]", [](const Data& d) {
    return std::vector{d.A[1][0], d.A[1][1], d.A[1][2], d.A[1][0], d.A[1][1], d.A[1][2]};
  });
  expect_elements("{size(A, 1), size(A, 2), ndims(A), size(A)*{10, 1}, scalar([s]), vector(matrix(x))*ones(3)}", "[6]",
                  [](const Data& d) { return std::vector<double>{2, 3, 2, 23, d.s, d.x[0] + d.x[1] + d.x[2]}; });
  expect_elements(
      "{sum(i*x[i] for i in 1:3), product(x[i] for i in 1:2), min(x[i] - y[j] for i in 1:3, j in 1:3), max(A)}", "[4]",
      [](const Data& d) {
        double least = 1e9, most = -1e9;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            least = std::min(least, d.x[i] - d.y[j]);
            if (i < 2) most = std::max(most, d.A[i][j]);
          }
        return std::vector{d.x[0] + 2 * d.x[1] + 3 * d.x[2], d.x[0] * d.x[1], least, most};
      });
  expect_elements("{div(7, 2), div(-7, 2), mod(-7, 3), rem(-7, 3), integer(2.7), integer(-2.7), abs(-3), sign(-2)}",
                  "[8]", [](const Data&) { return std::vector<double>{3, -3, 2, -1, 2, -3, 3, -1}; });
}

TEST(Arrays, SizesFromTheValue) {
  const Model model = read_clean(R"(
model M
  parameter Real a[:] = {1, 2, 3};
  parameter Real T[:, 2] = [0, 1; 1, 2];
  Real x[:] = 2*a;
  Real z[size(x, 1), size(T, 2)];
equation
  z = ones(3, 2);
end M;)");
  EXPECT_EQ(model.variables.size(), 9U);
  EXPECT_EQ(model.parameters.size(), 7U);
  EXPECT_EQ(model.parameters.back().name, "T[2,2]");
}

TEST(Arrays, EmptyArraysAreNothing) {
  const Model model = read_clean(R"(
model M
  parameter Integer n = 0;
  Real x[n], y;
equation
  x = zeros(n);
  for i in 1:n loop
    x[i] = 1;
  end for;
  y = sum(x) + sum(i for i in 1:n) + size(x, 1);
end M;)");
  EXPECT_THAT(labels(model.equations), ElementsAre("line 10"));
  EXPECT_EQ(model.variables.size(), 1U);
}

TEST(Arrays, TooLargeIsAnErrorAndNotTheEndOfTheMachine) {
  EXPECT_EQ(read("model M\nReal x[1000000000];\nequation\nfor i in 1:1000000000 loop\n x[i] = 1;\nend for;\n"
                 "x[1] = sum(zeros(100000, 100000));\nend M;")
                .messages(),
            "2:6: error: an array with more than 10 million elements\n"
            "4:10: error: an array with more than 10 million elements\n"
            "7:12: error: an array with more than 10 million elements\n");
}

TEST(Arrays, ShapeErrorsNameBothShapes) {
  const std::string model = "model M\nReal x[3], y[2], A[2,3], s;\nequation\n";
  const auto message = [&](const std::string& equation) { return read(model + equation + "\nend M;").messages(); };
  EXPECT_EQ(message("x = y;"), "4:1: error: the two sides have different shapes: [3] and [2]\n");
  EXPECT_EQ(message("x = s;"), "4:1: error: the two sides have different shapes: [3] and a scalar\n");
  EXPECT_EQ(message("s = sum(x + y);"), "4:9: error: the operands of '+' have different shapes: [3] and [2]\n");
  EXPECT_EQ(message("x = s + x;"),
            "4:5: error: the operands of '+' have different shapes: a scalar and [3]\n"
            "  '.+' combines a scalar with every element\n");
  EXPECT_EQ(message("x = A*y;"), "4:5: error: shapes [2, 3] and [2] cannot be multiplied\n");
  EXPECT_EQ(message("x = s/x;"), "4:5: error: cannot divide by [3]; use './' to divide by every element\n");
  EXPECT_EQ(message("A = [x, y];"), "4:5: error: shapes [3, 1] and [2, 1] cannot be joined along dimension 2\n");
  EXPECT_EQ(message("A = {x, y};"), "4:5: error: the elements of an array have different shapes: [3] and [2]\n");
  EXPECT_EQ(message("x = cross(x, y);"),
            "4:14: error: the second argument of cross must be a vector of 3 numbers, but is [2]\n");
  EXPECT_EQ(message("s = x[4] + x[0] + A[1, 7];"),
            "4:7: error: subscript 4 is out of bounds: 'x' has the shape [3]\n"
            "4:14: error: subscript 0 is out of bounds: 'x' has the shape [3]\n"
            "4:24: error: subscript 7 is out of bounds: 'A' has the shape [2, 3]\n");
  EXPECT_EQ(message("s[1] = x[1, 1];"),
            "4:1: error: 's' is a scalar and has no subscripts\n"
            "4:8: error: 'x' has the shape [3], but 2 subscripts are given\n");
  EXPECT_EQ(message("for i in 1:9 loop x[i] = 1; end for;"),
            "4:21: error: subscript 4 is out of bounds: 'x' has the shape [3]\n  for i = 4\n");
}

}  // namespace
}  // namespace driftless
