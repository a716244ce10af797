// External functions in C (Modelica 3.6, Section 12.9). A call whose arguments are all known is made while the text is
// read. Any other call becomes a foreign function of the pool, which is called during the run.
#pragma once

#include <memory>

#include "driftless/language/functions.hpp"

namespace driftless::language {

// An object that a C function has returned as void*, with its destructor.
using CObject = std::shared_ptr<void>;

// May external functions that are not built in be called? False, with an error, if not.
bool may_call_c(Elaboration& all, const Instance& function, const ast::External& external, std::string_view name,
                SourceRange call);

// Calls the C function of an external function whose inputs are bound. False, with an error, if that failed.
bool call_c(Elaboration& all, Frame& frame, const ast::External& external, SourceRange call);

}  // namespace driftless::language
