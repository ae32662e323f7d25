// What can be wrong with tensors that were rounded to 8 bits behind their rotation.
#pragma once

#include <optional>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// Whether a tensor behind the rotation has 8 bits.
bool is_quantised(const Dump& dump);

/// Which grid, and what it hides; of a dump that was held to an expectation also what was cut.
void add_grid_notes(const Dump& dump, const Held* held, Diagnosis& diagnosis);

/// Says of numbers behind the rotation that all belong to a narrower format than their dtype, which
/// those before it do not: they were rounded on their way, and are judged in that rounding.
void add_narrow_formats(const Dump& dump, Diagnosis& diagnosis);

/// What a search found without an expectation. Numbers of 8 bits show a rotation by which all of
/// them come out, and hardly what is wrong with another one: what is not valid is undetermined.
Analysis told_of_grids(const Dump& dump, Analysis analysis);

/// Of a dump that the expected rotation explains with another rounding or another scale: that is
/// the fault. The scale is known between bounds: every number has its own, and all have some in
/// common. A scale that nobody gave is no fault but something to dump.
std::optional<Analysis> with_grid_fault(const Dump& dump, const Expectation& expectation,
                                        const Held& held);

}  // namespace ropescope::diagnosis
