#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry runs_entries[] = {
    {.code = Code::NoValueInRun,
     .title = "an expression has no value",
     .reason =
         "On the way an equation divides by 0 or takes the root or the logarithm of a negative number; the message "
         "names the equation, the operation and the point. Often the model has left the range in which it is meant.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = sqrt(x);
  annotation(experiment(StopTime = 2));
end M;)",
     .message = "failed     D0701: stopped at t = 1: an expression has no value",
     .cure = "Stop before, or say what holds beyond: max(x, 0) under the root, an 'if' for an empty tank.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = sqrt(max(x, 0));
  annotation(experiment(StopTime = 2));
end M;)"},
    {.code = Code::Pole,
     .title = "a pole",
     .reason = "Between two points a denominator changes its sign: the value would pass through infinity. What was "
               "computed before is kept.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = 1/(x - 0.3);
  annotation(experiment(StopTime = 1));
end M;)",
     .message = "failed     D0702: stopped at t = 0.5786432: there is a pole at t = 0.7",
     .cure = "Stop before it, or look whether the denominator is what was meant.",
     .right = R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = 1/(x - 0.3);
  annotation(experiment(StopTime = 0.5));
end M;)"},
    {.code = Code::StepTooSmall,
     .title = "the step size became too small",
     .reason = "However small the steps are, the error test or Newton's iteration fails: the solution goes to "
               "infinity, ends, or has a corner that is not written as 'if'. The message describes the point.",
     .wrong = R"($ driftless run tests/bad_models/pole.mo)",
     .message = "failed     D0703: stopped at t = 0.99999847: the step size became too small to advance the time",
     .cure = "Look at the last values (they are written with --output): does something run away? Stop before it, or "
             "correct the equation that is named.",
     .right = R"($ driftless run tests/bad_models/pole.mo --stop 0.9)"},
    {.code = Code::TooManySteps,
     .title = "too many steps",
     .reason = "The number of steps that is allowed did not reach the end. The solution changes faster than expected, "
               "or the method is not made for the model.",
     .wrong = R"($ driftless run models/pendulum.mo --method bdf --max-steps 10)",
     .message = "failed     D0704: stopped at t = 0.00011448668: 10 steps did not reach the end",
     .cure = "Allow more with --max-steps; try --method auto, a larger tolerance or a shorter time.",
     .right = R"($ driftless run models/pendulum.mo --method bdf --max-steps 100000)"},
    {.code = Code::StiffForMethod,
     .title = "the model is stiff, and the method is not made for that",
     .reason = "A mode that has long decayed bounds the steps of an explicit method. At the present step size the end "
               "would not be reached within the steps that are allowed.",
     .wrong = R"($ driftless run tests/bad_models/stiff_for_method.mo --method dopri5)",
     .message = "failed     D0705: stopped at t = 0.00330969959: too stiff for dopri5: steps of 3.3e-07 are bounded by "
                "a mode that decays at the rate 1e+07, and 3e+08 more are ahead; bdf and radau are not bounded by it",
     .cure = "Choose auto, radau or bdf.",
     .right = R"($ driftless run tests/bad_models/stiff_for_method.mo --method radau)"},
    {.code = Code::SingularIteration,
     .title = "the equations cannot be solved at this point",
     .reason =
         "The matrix of Newton's iteration is singular: at this point the equations do not determine their unknowns.",
     .wrong = R"($ driftless run tests/bad_models/turning_point.mo --method dopri5)",
     .message = "failed     D0706: stopped at t = 1: the equations cannot be solved for what is not a state",
     .cure = "Look at the point that the message describes: a mechanism in its dead point, a coefficient that has "
             "become 0.",
     .right = R"($ driftless run tests/bad_models/turning_point.mo --stop 0.9 --method dopri5)"},
    {.code = Code::SingularPoint,
     .title = "the solution arrives at a singular point",
     .reason =
         "At this time a determinant of the equations goes through 0. The solution may turn back, branch, or cease to "
         "exist there, and a method could go on along any branch. The run stops, so that it does not choose by chance.",
     .wrong = R"($ driftless run tests/bad_models/steering_wheel_blocked.mo)",
     .message = "failed     D0707: stopped at t = 0.372491955: the model is singular at t = 0.372491955, and the "
                "solution may not be unique beyond it",
     .cure = "Stop before it, or write the model so that it says what happens there.",
     .right = R"($ driftless run tests/bad_models/steering_wheel_blocked.mo --stop 0.3)"},
    {.code = Code::StatesLost,
     .title = "no choice of states is regular any more",
     .reason = "What is not a state is computed from the states by the constraints. Here that is no longer possible: "
               "the states were prescribed (stateSelect, --pivot never), or the constraints have become dependent on "
               "each other, as in a singular position of a mechanism.",
     .wrong = R"($ driftless run models/pendulum.mo --method radau --pivot never)",
     .message = "failed     D0708: stopped at t = 1.07757971: with y as the state, x is no longer determined here by "
                "line 24: x^2 + y^2 = L^2",
     .cure = "Leave the choice of states to the program; if the model itself is singular there, stop before.",
     .right = R"($ driftless run models/pendulum.mo --method radau)"},
    {.code = Code::EndlessJumps,
     .title = "the equations jump again and again",
     .reason =
         "The solution is driven back across a jump from both sides: dry friction that sticks, a relay without "
         "hysteresis. It would slide along the jump. The option --sliding follows that motion along relations without "
         "noEvent: if x > 0 then 1 else -1, in the place of sign(x).",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = noEvent(if x > 0.5 then -1 else 1);
  annotation(experiment(StopTime = 2));
end M;)",
     .message = "failed     D0709: stopped at t = 0.500000022: the equations jump again and again",
     .cure = "Make the jump a steep slope, for example tanh(x/0.01), or give it hysteresis.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -tanh((x - 0.5)/0.01);
  annotation(experiment(StopTime = 2));
end M;)"},
    {.code = Code::EventUnresolved,
     .title = "no values satisfy all equations at an event",
     .reason = "At an event discrete variables, relations and continuous equations must hold together. They were "
               "evaluated one after the other until nothing changed, then combination by combination of the relations, "
               "and each combination contradicts an equation or a relation. Often a relation is true exactly if it is "
               "false: both sides of it lead back to it. Or impacts have become so weak that reinit no longer leads "
               "away from its relation, and no motion at rest was found. Or a relation changes faster than even the "
               "shortest steps can follow, so that events would be missed.",
     .wrong = "",
     .message = "",
     .cure =
         "Give the relation hysteresis with pre(...), or follow the motion along it with --sliding. --events prints "
         "what happened before.",
     .right = ""},
    {.code = Code::ProjectionFails,
     .title = "the projection does not converge",
     .reason = "From the end of a step no point on the constraints was found: the step was too long, or the "
               "constraints are singular there.",
     .wrong = "",
     .message = "",
     .cure = "Choose a smaller step or tolerance, or another projection.",
     .right = ""},
    {.code = Code::AssertionViolated,
     .title = "an assertion does not hold",
     .reason = "The model says by assert(...) in which range it is meant, and the run has left it.",
     .wrong = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  assert(x < 1.5, "the tank overflows");
end M;)",
     .message = "failed     D0711: stopped at t = 0.5: assertion violated: the tank overflows",
     .cure = "Look at what the model says; stop before, or extend the model.",
     .right = R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 0.4;
  assert(x < 1.5, "the tank overflows");
end M;)"},
    {.code = Code::PointNotSatisfied,
     .title = "a point does not satisfy the equations",
     .reason = "Before a point is delivered its residuals are formed anew from the equations as written. They are "
               "larger than the tolerance allows, so the point is not delivered: a wrong number would be worse.",
     .wrong = "",
     .message = "",
     .cure = "Choose a smaller tolerance, another method or another formulation; give nominal values to variables that "
             "are large or small.",
     .right = ""},
    {.code = Code::ConstraintsNotKept,
     .title = "constraints have drifted",
     .reason = "The end was reached, but levels of constraints that the formulation does not impose are violated by "
               "more than the tolerance allows. The certificate shows which and by how much. Exit code 3.",
     .wrong = R"($ driftless run models/pendulum.mo --formulation index1 --method dopri5 --stop 100 --tol 1e-3)",
     .message = "drifted    D0713: the end was reached, but the constraints are not kept within 0.001: line 24 is off "
                "by 0.44 of its terms",
     .cure = "Choose the formulation dummy or ggl, which impose all levels, or a projection.",
     .right = R"($ driftless run models/pendulum.mo --stop 100 --tol 1e-3)"},
    {.code = Code::Interrupted,
     .title = "the run was interrupted",
     .reason = "Ctrl-C, another signal or the calling program stopped the run, or the output file cannot grow any "
               "more. What was computed is kept.",
     .wrong = "",
     .message = "",
     .cure = "Run again, or go on with what there is.",
     .right = ""},
    {.code = Code::OutOfMemory,
     .title = "out of memory",
     .reason = "The model, its matrices or the trajectory need more memory than the machine or the container gives. "
               "Points that were delivered are kept.",
     .wrong = "",
     .message = "",
     .cure = "Fewer output points, a smaller model, or --output to a file, which keeps only the last point in memory.",
     .right = ""},
    {.code = Code::InternalError,
     .title = "an internal error",
     .reason = "The program has come to a place that it should never reach. That is a mistake of the program, not of "
               "the model.",
     .wrong = "",
     .message = "",
     .cure = "Please report it with the model and the command.",
     .right = ""},
    {.code = Code::BoundaryUnsolved,
     .title = "no solution of a boundary value problem was found",
     .reason = "Newton's iteration for all points of the mesh did not end at a solution, or the mesh became too fine. "
               "There may be no solution, the guess may be too far away, or the conditions may not determine it. The "
               "message says where the equations are missed most.",
     .wrong = R"($ driftless solve-bvp models/boundary/bratu.mo --override lambda=4)",
     .message = "failed     D0717: Newton's iteration made no further progress, with 10 mesh intervals",
     .cure =
         "Give a guess over the interval, __Driftless(guess(x = ...)), or follow a parameter from where the problem is "
         "easier with --continue.",
     .right = R"($ driftless solve-bvp models/boundary/bratu.mo)"},
};

}  // namespace

Entries entries_of_runs() { return runs_entries; }

}  // namespace driftless::diagnostics
