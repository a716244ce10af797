#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry files_entries[] = {
    {.code = Code::CannotRead,
     .title = "a file cannot be read",
     .reason = "The file does not exist, is a directory, may not be read, or is longer than any model.",
     .wrong = R"($ driftless run models/missing.mo)",
     .message = "error D0801: cannot read 'models/missing.mo': No such file or directory",
     .cure = "Check the name; it is relative to the present folder.",
     .right = R"($ driftless run models/pendulum.mo)"},
    {.code = Code::CannotWrite,
     .title = "a file cannot be written",
     .reason = "The folder does not exist, may not be written, or the disk is full. This is checked before the run.",
     .wrong = R"($ driftless run models/pendulum.mo --output missing/x.csv)",
     .message = "driftless: error D0802: cannot write 'missing/x.csv': there is no folder 'missing'",
     .cure = "Make the folder, or choose another.",
     .right = R"($ driftless run models/pendulum.mo --output x.csv)"},
    {.code = Code::WouldOverwrite,
     .title = "a file would be overwritten",
     .reason = "Results never replace a model or a file that is being read, and every result needs a file of its own.",
     .wrong = R"($ driftless run models/pendulum.mo --output x.csv --output ./x.csv)",
     .message = "driftless: error D0803: 'x.csv' and './x.csv' are the same file",
     .cure = "Give different names.",
     .right = R"($ driftless run models/pendulum.mo --output x.csv --output y.csv)"},
    {.code = Code::UnknownFormat,
     .title = "a format that cannot be written",
     .reason = "The end of the name says the format: .csv and .mat for trajectories, .json for the summary, .svg, .pdf "
               "and .png for pictures.",
     .wrong = R"($ driftless run models/pendulum.mo --output x.xls)",
     .message = "driftless: error D0804: cannot tell the format of 'x.xls': --output expects a name that ends in .csv, "
                ".mat or .json",
     .cure = "Choose one of these; .csv is read by every spreadsheet.",
     .right = R"($ driftless run models/pendulum.mo)"},
    {.code = Code::OutputLost,
     .title = "the standard output was lost",
     .reason = "What the program printed could not be written: a closed pipe, or a full disk.",
     .wrong = R"($ driftless run models/pendulum.mo > /dev/full)",
     .message = "driftless: error D0805: the standard output was lost: it cannot be written",
     .cure = "Send the output somewhere else.",
     .right = R"($ driftless run models/pendulum.mo > /dev/null)"},
    {.code = Code::LibraryNotFound,
     .title = "a library or a version of it was not found",
     .reason =
         "A library is a folder with a file package.mo, or a file, named after it: Modelica/package.mo, 'Modelica "
         "4.0.0/package.mo', Complex.mo. It is looked for in the folder of the model, in the folders of --library, "
         "then in those of the environment variable MODELICAPATH.",
     .wrong = R"($ driftless list Oscilators --library tests/libraries/good)",
     .message = "error D0810: there is no library 'Oscilators': did you mean 'Oscillators'?",
     .cure = "Give the folder that contains the library by --library, or correct the name.",
     .right = R"($ driftless list Oscillators --library tests/libraries/good)"},
    {.code = Code::WrongLibraryFile,
     .title = "a file of a library contradicts its place",
     .reason = "The file A/B/C.mo of a library defines the class C and begins with 'within A.B;'. A class has one file "
               "only: not both C.mo and C/package.mo, and it does not stand in package.mo as well.",
     .wrong = R"($ driftless list tests/libraries/bad/WrongWithin)",
     .message = "tests/libraries/bad/WrongWithin/Inner.mo:1:8: error D0811: this file is WrongWithin.Inner by its "
                "place, but says 'within Elsewhere'",
     .cure = "Write the names of the folders behind 'within', or move the file.",
     .right = R"($ driftless list tests/libraries/good/Oscillators)"},
};

}  // namespace

Entries entries_of_files() { return files_entries; }

}  // namespace driftless::diagnostics
