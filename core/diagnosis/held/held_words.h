// What is said of a dump that was held to an expectation.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// That numbers are not the expected ones: how many, and the worst of them.
Finding mismatch_of(const Held& held);
/// A note that cosines and sines are of fixed point, or of fast functions; nothing for others.
void add_table_note(const Held& held, std::vector<Finding>& findings);
/// What stands behind the expected rotation, in q and in k alike.
Finding finding_behind(const Held& behind);
/// The same of what was found without an expectation, and what to do about it.
Words next_of_left(const Residual& left);
/// What the tokens at hand leave open, and which tokens would tell.
std::vector<Words> not_shown_by(const Held& held);

/// "pair 3 of q; tokens 0 to 63; head 1": where something is left.
Words words_of(const Residual& residual);

}  // namespace ropescope::diagnosis
