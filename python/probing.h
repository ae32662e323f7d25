// The part of the compiled module that asks functions of Python.
#pragma once

#include <pybind11/pybind11.h>

namespace ropescope {

/// Adds read_parts(), parse_parts(), with_name() and probe().
void define_probe(pybind11::module_& module);

}  // namespace ropescope
