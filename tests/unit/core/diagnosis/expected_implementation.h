// A right implementation of q and k with sizes of one's choice, to be changed and diagnosed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "tests/support/emulated_implementation.h"

namespace ropescope::diagnosis {

/// Of `length` tokens from position 0 on, which the dump states.
inline test::Implementation implementation_of(const RopeSpec& spec, Index length) {
    test::Implementation made;
    made.heads = 4;
    made.key_heads = 2;
    made.length = length;
    made.spec = spec;
    for (Index l = 0; l < length; ++l) {
        made.stated.push_back(to_double(l));
    }
    made.state_positions = true;
    test::use_spec(made);
    return made;
}

inline Dump dump_of(const test::Implementation& made, std::uint64_t seed = 1) {
    test::Dice dice(seed);
    return test::dump_of(made, dice);
}

inline Diagnosis diagnosed(const test::Implementation& made, const Expectation& expectation,
                           std::uint64_t seed = 1) {
    return diagnose(dump_of(made, seed), &expectation);
}

inline std::vector<std::string> mismatch_texts(const Diagnosis& found) {
    std::vector<std::string> texts;
    std::ranges::transform(found.mismatches, std::back_inserter(texts), &Finding::text);
    return texts;
}

}  // namespace ropescope::diagnosis
