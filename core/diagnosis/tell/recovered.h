// The numbers of a diagnosis, from the explanations of its sides.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/explanation.h"
#include "core/diagnosis/tell/heads.h"

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

/// Tokens of the first sequence and head that are compared.
inline constexpr Index kMatchedTokens = 128;

/// The id of the rotary system whose code, run on the first tokens of the dump, gives the dumped
/// result within rounding; the nearest if several do. Empty if none does, and for positions that do
/// not count up by one from at most 4096.
std::optional<std::string> matching_system(const DumpSide& tensors, const DumpPositions& positions,
                                           const Explanation& side);

}  // namespace ropescope::diagnosis
