#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry events_entries[] = {
    {.code = Code::NotDiscrete,
     .title = "what is for discrete variables is applied to something else",
     .reason =
         "pre, edge and change compare a variable with its value before the event, and equations of a when clause "
         "give variables a value that they keep until the next event. Both are for discrete variables: those of "
         "type Boolean, Integer or enumeration, those declared as discrete, and Real variables that a when "
         "clause assigns to.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = x - pre(x);
end M;)",
     .message = "example.mo:5:15: error D0260: pre is for discrete variables, but x is continuous",
     .cure = "Let a when clause give a discrete variable the value of the continuous one.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y, last(start = 1);
equation
  der(x) = -x;
  when sample(0, 0.1) then
    last = x;
  end when;
  y = x - last;
end M;)"},
    {.code = Code::WhenMisplaced,
     .title = "a when clause, or a part of one, in the wrong place",
     .reason = "A when clause stands in an equation section. It cannot stand in another when clause, in an initial "
               "equation section, or in an if-equation whose condition changes during the run. terminate stands inside "
               "of a when clause, which says when it happens.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 then
    when time > 0.1 then
      reinit(x, 1);
    end when;
  end when;
end M;)",
     .message = "example.mo:6:5: error D0261: a when clause cannot stand inside of another one",
     .cure = "Join the conditions by 'and', or write the clauses one after the other.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 and time > 0.1 then
    reinit(x, 1);
  end when;
end M;)"},
    {.code = Code::WhenBranchesDiffer,
     .title = "branches of a when clause that give different variables a value",
     .reason = "At an event one branch at most is active, and every discrete variable of the clause needs a value in "
               "each of them.",
     .wrong = R"(model M
  Boolean on;
  Integer n;
equation
  when time > 0.2 then
    on = true;
    n = pre(n) + 1;
  elsewhen time > 0.6 then
    on = false;
  end when;
end M;)",
     .message = "example.mo:8:12: error D0262: this branch of the when clause gives n no value, but another one does",
     .cure = "Write v = pre(v) in the branch where a variable keeps its value.",
     .right = R"(model M
  Boolean on;
  Integer n;
equation
  when time > 0.2 then
    on = true;
    n = pre(n) + 1;
  elsewhen time > 0.6 then
    on = false;
    n = pre(n);
  end when;
end M;)"},
    {.code = Code::AssignedTwice,
     .title = "two values for one discrete variable",
     .reason = "If both clauses were active at one event, the variable would get two values.",
     .wrong = R"(model M
  Boolean on;
equation
  when time > 0.2 then
    on = true;
  end when;
  when time > 0.6 then
    on = false;
  end when;
end M;)",
     .message = "example.mo:8:5: error D0263: two when clauses give on a value",
     .cure = "Join them by elsewhen: the first branch whose condition becomes true is active.",
     .right = R"(model M
  Boolean on;
equation
  when time > 0.2 then
    on = true;
  elsewhen time > 0.6 then
    on = false;
  end when;
end M;)"},
    {.code = Code::WrongReinit,
     .title = "a reinit that has no meaning",
     .reason = "reinit(x, e) gives a continuous variable whose derivative occurs a new value at the events of the when "
               "clause around it. Discrete variables get theirs by an equation of the clause.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(n, 1);
  end when;
end M;)",
     .message = "example.mo:7:12: error D0264: reinit is for continuous variables, but n is discrete",
     .cure = "Write n = ... for a discrete variable, and put reinit inside of a when clause.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -x;
  when x < 0.5 then
    n = 1;
  end when;
end M;)"},
    {.code = Code::WrongSample,
     .title = "a sampling that cannot be",
     .reason = "sample(start, interval) is true at the events at start, start + interval, start + 2*interval, ... "
               "These times are known before the run, so both are numbers or parameters, and the interval is positive. "
               "Inside of noEvent there are no events.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), u;
equation
  der(x) = -x;
  when sample(0, x) then
    u = x;
  end when;
end M;)",
     .message = "example.mo:5:18: error D0265: the interval of sample changes during the run",
     .cure = "Take parameters; or compute the time of the next event in a when clause.",
     .right = R"(model M
  Real x(start = 1, fixed = true), u, next(start = 0.1, fixed = true);
equation
  der(x) = -x;
  when time >= pre(next) then
    u = x;
    next = time + x;
  end when;
end M;)"},
    {.code = Code::IfBranchesDiffer,
     .title = "branches of an if-equation with different numbers of equations",
     .reason = "The conditions change during the run. Whichever branch holds, the model needs as many equations as "
               "unknowns, so all branches, else included, have the same number of them, and give the same discrete "
               "variables a value.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  if x > 0.5 then
    y = 1;
  end if;
end M;)",
     .message = "example.mo:5:3: error D0266: this if-equation has no equations for the case that no condition is true",
     .cure = "Write an equation for every case.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  if x > 0.5 then
    y = 1;
  else
    y = 2*x;
  end if;
end M;)"},
    {.code = Code::WrongDiscreteEquation,
     .title = "an equation that cannot determine a discrete variable",
     .reason = "A discrete variable changes at events only and is given by an equation with it alone on one side, "
               "b = x > 0 or not b = c. What is on the other side changes at events only: relations, other discrete "
               "variables, pre(b).",
     .wrong = R"(model M
  discrete Real u;
equation
  u = 2*time;
end M;)",
     .message = "example.mo:4:3: error D0267: u changes at events only, but u = 2*time would let it change "
                "continuously",
     .cure = "Drop the prefix discrete, or say by a when clause at which events the equation holds.",
     .right = R"(model M
  discrete Real u;
equation
  when sample(0, 0.1) then
    u = 2*time;
  end when;
end M;)"},
    {.code = Code::WrongClock,
     .title = "a clock that is missing, or does not fit",
     .reason =
         "What equations tie to a result of sample, to previous or to a when clause of a clock holds at the ticks "
         "of one clock only. Something must say which one: Clock(interval), Clock(condition), or another clock by "
         "subSample, superSample, shiftSample or backSample, whose factors must agree. Each equation gives the "
         "variable that stands alone on one side its value, and none of the variables is differentiated.",
     .wrong = R"(model M
  Real u = sample(time, Clock(0.1));
  Real v = subSample(u, 2);
  Real w = u + v;
end M;)",
     .message = "example.mo:3:12: error D0268: the clock of subSample(u, 2) is not the one that its variables have "
                "otherwise",
     .cure = "Lead from one clock to the other: superSample(v, 2), or sample(hold(v)) between clocks that have nothing "
             "to do with each other. hold(v) leads to continuous equations.",
     .right = R"(model M
  Real u = sample(time, Clock(0.1));
  Real v = subSample(u, 2);
  Real w = u + superSample(v, 2);
end M;)"},
};

}  // namespace

Entries entries_of_events() { return events_entries; }

}  // namespace driftless::diagnostics
