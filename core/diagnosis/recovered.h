// The numbers of a diagnosis, from the explanations of its sides.
#pragma once

#include <algorithm>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"
#include "core/diagnosis/head_kinds.h"

namespace ropescope::diagnosis {

/// The side whose numbers stand for both: the first that is explained.
const Explanation& leading(const std::vector<Explanation>& sides);

/// Sets layout, base and all other recovered numbers.
void fill_numbers(const std::vector<Explanation>& sides, Recovered& numbers);

/// Sets what each kind of heads does, and takes back the numbers that they do not share.
void fill_heads(const std::vector<HeadKind>& kinds, Diagnosis& diagnosis);

/// Takes back the numbers that parts do not share, of fields that `concerned(field)` chooses.
template <typename Parts, typename Concerned>
void keep_common(const Parts& parts, const Concerned& concerned, Recovered& whole) {
    Recovered::fields([&](const Recovered::Field& field, auto member) {
        const auto differs = [&](const Recovered& part) {
            return part.*member != static_cast<const Recovered&>(*parts.begin()).*member;
        };
        if (concerned(field) && std::ranges::any_of(parts, differs)) {
            whole.*member = {};
        }
    });
}

}  // namespace ropescope::diagnosis
