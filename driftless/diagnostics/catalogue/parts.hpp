// The entries of the catalogue, a list for every hundred of codes or for a part of them.
#pragma once

#include <span>

#include "driftless/diagnostics/catalogue.hpp"

namespace driftless::diagnostics {

using Entries = std::span<const CatalogueEntry>;

Entries entries_of_syntax();          // D0101 to D0110
Entries entries_of_text();            // D0111 to D0120
Entries entries_of_names();           // D0201 to D0210
Entries entries_of_types();           // D0211 to D0219
Entries entries_of_functions();       // D0220 to D0228
Entries entries_of_values();          // D0229 to D0244
Entries entries_of_components();      // D0250 to D0256
Entries entries_of_events();          // D0260 to D0267
Entries entries_of_structure();       // D0301 to D0312
Entries entries_of_jumps();           // D0401 to D0410
Entries entries_of_initialization();  // D0501 to D0506
Entries entries_of_requests();        // D0601 to D0631
Entries entries_of_runs();            // D0701 to D0716
Entries entries_of_files();           // D0801 to D0811

}  // namespace driftless::diagnostics
