// Kinds of planted dumps, a list for each part of an implementation that they concern.
// Sources: planted_right_kinds.cpp, planted_spectrum_faults.cpp, planted_position_faults.cpp,
// planted_side_faults.cpp, planted_axes_kinds.cpp, planted_head_kinds.cpp.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/diagnosis/finding.h"
#include "tests/support/emulated_implementation.h"

namespace ropescope::test {

using diagnosis::Verdict;

/// What a kind does to a usual implementation, and the answer.
struct Kind {
    std::string name;
    Verdict verdict;
    std::set<std::string> codes, allowed;
    std::function<void(Implementation&, Dice&)> change;
};

std::vector<Kind> right_kinds();
std::vector<Kind> equivalent_kinds();
std::vector<Kind> spectrum_faults();
std::vector<Kind> position_faults();
std::vector<Kind> side_faults();
std::vector<Kind> axes_kinds();
std::vector<Kind> head_kinds();
std::vector<Kind> undetermined_kinds();

}  // namespace ropescope::test
