#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry requests_entries[] = {
    {.code = Code::UnknownCommand,
     .title = "no command, or one that does not exist",
     .reason = "The first word says what to do: run, analyze, sweep, compare and others.",
     .wrong = R"($ driftless simulate models/pendulum.mo)",
     .message = "driftless: error D0601: there is no command 'simulate': there are run, solve-bvp, analyze, init, "
                "steady, linearize, sweep, fit, compare, reproduce, "
                "bench, list, flatten, explain, plot, completion, manual",
     .cure = "Write driftless run and the name of the file; driftless --help lists the commands.",
     .right = R"($ driftless run models/pendulum.mo)"},
    {.code = Code::UnknownOption,
     .title = "an option or argument too many or too few",
     .reason = "The command has no option of this name, an argument is missing, or there is one too many. What other "
               "programs call the option is recognized.",
     .wrong = R"($ driftless run models/pendulum.mo --tolerance 1e-8)",
     .message = "driftless: error D0602: run has no option '--tolerance': it is called --tol here",
     .cure = "Use the name that the message offers; driftless run --help lists all options.",
     .right = R"($ driftless run models/pendulum.mo --tol 1e-8)"},
    {.code = Code::WrongOptionValue,
     .title = "the value of an option cannot be read",
     .reason = "The option takes a number, or one of a few words.",
     .wrong = R"($ driftless run models/pendulum.mo --stop soon)",
     .message = "driftless: error D0603: --stop: 'soon' is not a number",
     .cure = "Give such a value.",
     .right = R"($ driftless run models/pendulum.mo --stop 2)"},
    {.code = Code::UnknownChoice,
     .title = "an unknown method, formulation or projection",
     .reason = "The name is not one of those that the message lists, or its parameters behind the colon are incomplete "
               "or out of their range.",
     .wrong = R"($ driftless run models/pendulum.mo --method rk5)",
     .message = "driftless: error D0604: --method: 'rk5' is not known: did you mean 'rk4'? There are bdf, ida, "
                "backward-euler, bdf2..bdf6, multistep:alpha=..,beta=.., radau, radau1..radau7, gauss1..gauss5, "
                "gauss1-projected..gauss5-projected, lobatto-iiia2..lobatto-iiia4, lobatto-iiic2..lobatto-iiic4, "
                "explicit-euler, heun3, rk4, dopri5, dop853, explicit, half-explicit1..half-explicit5, "
                "half-explicit-heun3, half-explicit-extrapolation, symplectic-euler, stoermer-verlet, shake, rattle, "
                "lobatto-pair2..lobatto-pair4, "
                "taylor, auto; parameters follow a colon, as in multistep:alpha=1/-1,beta=0.5/0.5",
     .cure = "Take one of the names; docs/methods.md and docs/formulations.md explain them.",
     .right = R"($ driftless run models/pendulum.mo --method radau)"},
    {.code = Code::ToleranceOutOfRange,
     .title = "the tolerance is out of range",
     .reason = "A tolerance is relative: 1e-6 asks for about six digits. Above 0.1 there is no digit left, below 1e-14 "
               "(or what the method allows) rounding errors are larger.",
     .wrong = R"($ driftless run models/pendulum.mo --tol 5)",
     .message = "driftless: error D0605: --tol: the tolerance 5 is not between 1e-14 and 0.1",
     .cure = "Choose a tolerance such as 1e-6.",
     .right = R"($ driftless run models/pendulum.mo --tol 1e-6)"},
    {.code = Code::WrongStepSize,
     .title = "a step size that the method cannot use",
     .reason =
         "A method chooses its steps by a tolerance (--tol), or takes constant steps (--step): not both. Methods "
         "without an error test need a step size. It is positive, and does not ask for more steps than are allowed.",
     .wrong = R"($ driftless run models/pendulum.mo --method rk4)",
     .message = "driftless: error D0606: rk4 has no error test and needs a step size: give one, as in --step 0.01",
     .cure = "Give --step for constant steps, or choose a method with an error test.",
     .right = R"($ driftless run models/pendulum.mo --method rk4 --step 0.01 --formulation index1 --projection both)"},
    {.code = Code::TooManyPoints,
     .title = "a number of output points out of range",
     .reason = "Output points are those at which values are delivered: at least one interval and at most ten million.",
     .wrong = R"($ driftless run models/pendulum.mo --intervals 0)",
     .message = "driftless: error D0607: --intervals: '0' is not a whole number from 1 to 10000000",
     .cure = "Choose a number such as 500. The number has no influence on the accuracy.",
     .right = R"($ driftless run models/pendulum.mo --intervals 100)"},
    {.code = Code::WrongTimeSpan,
     .title = "the stop time is before the start time",
     .reason = "A run goes forward in time, from --start to --stop or as the annotation experiment(...) says.",
     .wrong = R"($ driftless run models/pendulum.mo --start 5 --stop 2)",
     .message = "driftless: error D0608: the stop time 2 is before the start time 5: give --start and --stop, or "
                "change the model's experiment annotation",
     .cure = "Exchange the two.",
     .right = R"($ driftless run models/pendulum.mo --start 2 --stop 5)"},
    {.code = Code::FormulationNotApplicable,
     .title = "the formulation does not suit the model",
     .reason = "A formulation rewrites the constraints and asks for a certain form of the equations: a mass matrix, "
               "constraints that are differentiated twice, any constraints at all. The message says what is missing.",
     .wrong = R"($ driftless run tests/bad_models/decay.mo --formulation ggl)",
     .message = "error D0609: ggl does not apply: no equation has to be differentiated, there is nothing to stabilize",
     .cure = "Leave --formulation out, or choose another; driftless compare shows which apply.",
     .right = R"($ driftless run models/pendulum.mo --formulation stabilized-index1)"},
    {.code = Code::MethodNotApplicable,
     .title = "the method does not suit the equations",
     .reason = "Explicit methods need equations that can be solved for all rates, half-explicit methods constraints of "
               "index 2, symplectic ones a mechanical system. The message names the equation that is in the way.",
     .wrong = R"($ driftless run models/pendulum.mo --method stoermer-verlet --step 0.01)",
     .message = "error D0610: stoermer-verlet does not apply: the model has constraints; with them the method is "
                "called rattle",
     .cure = "Choose another method or formulation; auto suits every model that can be integrated.",
     .right = R"($ driftless run models/pendulum.mo --method rattle --step 0.01)"},
    {.code = Code::ProjectionNotApplicable,
     .title = "the projection does not suit the model or the method",
     .reason = "A projection needs constraints or declared invariants, and a method that can go on from a point that "
               "was moved.",
     .wrong = R"($ driftless run tests/bad_models/decay.mo --method rk4 --step 0.01 --projection both)",
     .message = "error D0611: the projection both does not apply: the equations that are solved leave out no level of "
                "a constraint",
     .cure = "Leave --projection out, or declare invariants (docs/language.md).",
     .right = R"($ driftless run models/pendulum.mo --method radau --formulation index1 --projection both)"},
    {.code = Code::WrongToleranceOf,
     .title = "a tolerance of a single variable that cannot be used",
     .reason = "--tol-of takes name=number pairs. The name is a variable or a derivative that the method solves for, "
               "the number a tolerance. Taylor series have one tolerance for all.",
     .wrong = R"($ driftless run models/pendulum.mo --method bdf --tol-of w=1e-3)",
     .message = "error D0612: there is no variable 'w' to give a tolerance for",
     .cure = "Name a variable of the model.",
     .right = R"($ driftless run models/pendulum.mo --method bdf --tol-of lambda=1e-3)"},
    {.code = Code::WrongOverride,
     .title = "an override that cannot be used",
     .reason = "--override takes name=value pairs: a parameter or the start of a variable that the model has, that is "
               "not final or constant, and a value of its shape.",
     .wrong = R"($ driftless run models/pendulum.mo --override length=2)",
     .message = "error D0613: --override length=2: Pendulum has no parameter or variable 'length'",
     .cure = "Use the name that the model declares.",
     .right = R"($ driftless run models/pendulum.mo --override L=2)"},
    {.code = Code::UnknownCurve,
     .title = "nothing of this name can be drawn",
     .reason = "--plot takes names of variables, derivatives and invariants of the solution.",
     .wrong = R"($ driftless run models/pendulum.mo --plot z --plot-file /dev/null)",
     .message = "driftless: error D0614: no variable 'z': there are x, der(x), der(der(x)), y, der(y), der(der(y)), "
                "lambda, energy, …",
     .cure = "Use one of the names in the model.",
     .right = R"($ driftless run models/pendulum.mo --plot x --plot-file /dev/null)"},
    {.code = Code::WrongReference,
     .title = "a file of results that cannot be used",
     .reason =
         "A table of --reference, or one that plot reads, has a line of names, time first, and a line of numbers "
         "for each time; times do not go back. The names of --reference are variables of the model, and some of "
         "its times are output points. A MATLAB file (.mat) is of level 4, as Modelica tools write their results.",
     .wrong = R"($ driftless compare models/pendulum.mo --reference missing.csv)",
     .message = "driftless: error D0615: --reference: cannot read missing.csv: No such file or directory",
     .cure = "Name a .csv file as --output writes it.",
     .right = R"($ driftless compare models/pendulum.mo --formulations dummy --stop 1)"},
    {.code = Code::UnknownExperiment,
     .title = "an unknown experiment or model of the program",
     .reason = "reproduce and bench take the names of experiments and models that belong to the program.",
     .wrong = R"($ driftless reproduce ap9)",
     .message = "driftless: error D0616: no experiment is called 'ap9': see driftless reproduce --list",
     .cure = "driftless reproduce --list says which there are.",
     .right = R"($ driftless reproduce --list)"},
    {.code = Code::WrongChange,
     .title = "a value that cannot be set during a run",
     .reason =
         "In C++ a run can be changed between steps: a state can be set, and the equations must have a solution there.",
     .wrong = R"(Simulation run(compile(read_model_file("models/pendulum.mo")));
run.advance_to(1.0);
run.set("lambda", 2.0);)",
     .message =
         "error D0617: 'lambda' follows from the equations and cannot be set; what can be set: x, der(x), y, der(y)",
     .cure = "Set parameters and states; what is determined by the equations follows.",
     .right = R"(Simulation run(compile(read_model_file("models/pendulum.mo")));
run.advance_to(1.0);
run.set("g", 1.62);)"},
    {.code = Code::NotInThisBuild,
     .title = "this program was built without it",
     .reason =
         "Machine code needs LLVM and the method ida needs SUNDIALS; a program that was built without them says so.",
     .wrong = "",
     .message = "",
     .cure = "Install the package that the message names and build again, or leave the option out.",
     .right = ""},
    {.code = Code::UnknownCode,
     .title = "a code that does not exist",
     .reason = "Codes are a D and four digits. driftless explain without a code lists all of them.",
     .wrong = R"($ driftless explain D0399)",
     .message = "driftless: error D0619: there is no code 'D0399': did you mean D0309 (stateSelect = never for what "
                "must be a state)? driftless explain lists all codes",
     .cure = "Take the code as the message shows it, or look in the list.",
     .right = R"($ driftless explain)"},
    {.code = Code::WrongInput,
     .title = "values for what is no input, or that cannot be used",
     .reason = "SimulateOptions::inputs and RunInputs::inputs name inputs of the model and give each a table or a "
               "function of time. Times of a table do not go back, and functions are finite and do not jump.",
     .wrong = R"(simulate(read_model_file("models/hybrid/driven_lag.mo"), {.inputs = {{"w", InputTable{{0}, {1}}}}});)",
     .message = "error D0630: DrivenLag has no input 'w'",
     .cure = "Use the name of a variable that is declared as an input, and give what the message asks for.",
     .right =
         R"(simulate(read_model_file("models/hybrid/driven_lag.mo"), {.inputs = {{"u", InputTable{{0}, {1}}}}});)"},
    {.code = Code::WrongInputTable,
     .title = "a file for --input that cannot be used",
     .reason = "The file has a line of names, the first of which is time, and lines of numbers. Every other name is an "
               "input of the model, and every input that has no start is among them. Times do not go back; a time that "
               "is repeated is a jump.",
     .wrong = R"($ driftless run models/pendulum.mo --input models/hybrid/driven_lag.csv)",
     .message =
         "driftless: error D0631: models/hybrid/driven_lag.csv: the column 'u' is no input of Pendulum, which has "
         "none",
     .cure = "Change the file as the message says, or declare the input in the model: input Real u(start = 0).",
     .right = R"($ driftless run models/hybrid/driven_lag.mo --input models/hybrid/driven_lag.csv)"},
    {.code = Code::NoSensitivity,
     .title = "no derivatives with respect to these parameters",
     .reason =
         "A run has derivatives with respect to a parameter where neighbouring values of it lead to neighbouring "
         "runs: the same events in the same order, values behind them that follow from those before, a start that "
         "exists for the neighbours too. Sizes of arrays have no neighbours. Where the derivatives are not known, "
         "none are given.",
     .wrong = R"($ driftless run models/chain.mo --sensitivities N)",
     .message =
         "error D0640: no sensitivities: the parameter 'N' was used up when the model was read, for sizes or branches: "
         "nothing depends on it smoothly",
     .cure = "Do what the message says: an earlier stop time, a parameter that is not used up when the model is read, "
             "starts that are fixed, relations that cause events.",
     .right = R"($ driftless run models/chain.mo --sensitivities g)"},
    {.code = Code::WrongFit,
     .title = "data or parameters of a fit that cannot be used",
     .reason = "The data have a column time and columns with names of variables of the model, at least as many "
               "measurements as parameters are sought, and times within the run. Each parameter must change something "
               "that was measured, and in its own way.",
     .wrong = R"($ driftless fit models/pendulum.mo models/fit/cooling.csv --parameters L)",
     .message = "error D0641: the data have a column 'T', which is no variable of Pendulum",
     .cure = "Rename the column, leave out parameters that the data do not determine, or measure more.",
     .right = R"($ driftless fit models/fit/cooling.mo models/fit/cooling.csv --parameters k,T_room)"},
};

}  // namespace

Entries entries_of_requests() { return requests_entries; }

}  // namespace driftless::diagnostics
