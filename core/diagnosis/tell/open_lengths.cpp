// Takes back what lengths do not prove.
#include "core/diagnosis/tell/open_lengths.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

double root_of_squares(const std::vector<double>& row) {
    double squares = 0.0;
    for (const double value : row) {
        squares += value * value;
    }
    return std::sqrt(squares);
}

/// Whether all rows have the lengths that they had before, within the rounding of a rotation, or
/// those times one factor, which a few rows would have by chance.
bool rows_keep_lengths(const DumpSide& side) {
    const DumpTensor& before = side.before;
    const double allowed = kRotationUnits * effective_format(side.after).unit + 0x1p-22;
    constexpr Index kFewestForFactor = 4;
    const Index rows = before.batch * before.heads * before.length;
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    std::vector<double> x(before.channels), y(before.channels);
    for (Index b = 0; b < before.batch; ++b) {
        for (Index h = 0; h < before.heads; ++h) {
            for (Index l = 0; l < before.length; ++l) {
                before.read(b, h, l, x);
                side.after.read(b, h, l, y);
                const double length = root_of_squares(x);
                if (length > 0.0) {
                    const double factor = root_of_squares(y) / length;
                    least = std::min(least, factor);
                    most = std::max(most, factor);
                }
            }
        }
    }
    if (rows < kFewestForFactor) {
        return most > 0.0 && most <= 1.0 + allowed && least >= 1.0 - allowed;
    }
    return most > 0.0 && most - least <= 2.0 * allowed * most;
}

/// Half a unit of bf16 in cos and in sin changes the length of a pair by 2^-8 of it at most; the
/// usual length is off by as much.
bool may_be_of_table(const Explanation& side) {
    return side.gain.uneven <= 2.0 * format_of(Dtype::bf16).unit;
}

/// Whether a factor of each token may be that of the few pairs that tell it, which a table in 16
/// bits makes uneven: pairs are taken for alike within four roundings (measure/turns.cpp), and
/// where these are as large as half a unit of bf16 they do not show that all have the same factor.
bool factors_may_be_of_table(const Explanation& side) {
    const bool hidden = 4.0 * kRotationUnits * side.format.unit >= format_of(Dtype::bf16).unit;
    return hidden && !side.gain.by_token.empty() && may_be_of_table(side);
}

const DumpSide& tensors_of(const Dump& dump, const Explanation& side) {
    return side.side == Side::k ? *dump.k : *dump.q;
}

/// Whether every side that the finding is about is one that `is_open`.
template <typename IsOpen>
bool all_open(const Finding& finding, const std::vector<Explanation>& sides, IsOpen is_open) {
    return std::ranges::all_of(sides, [&](const Explanation& side) {
        return !contains(finding.place.sides, side.side) || is_open(side);
    });
}

}  // namespace

void leave_lengths_open(const Dump& dump, Analysis& analysis) {
    Diagnosis& diagnosis = analysis.diagnosis;
    const auto left_open = [&](const Finding& finding) -> const Phrase* {
        if (finding.words.phrase == &say::kUneven &&
            all_open(finding, analysis.sides, may_be_of_table)) {
            return &say::kUnevenOpen;
        }
        if (finding.code == faults::code("gain") &&
            all_open(finding, analysis.sides, factors_may_be_of_table)) {
            return &say::kUnevenOpen;
        }
        const bool unpaired = finding.words.phrase == &say::kNoPairing;
        return unpaired && all_open(finding, analysis.sides,
                                    [&](const Explanation& side) {
                                        return rows_keep_lengths(tensors_of(dump, side));
                                    })
                   ? &say::kNoUsualPairing
                   : nullptr;
    };
    std::vector<Words> open;
    std::erase_if(diagnosis.findings, [&](const Finding& finding) {
        const Phrase* words = left_open(finding);
        if (words != nullptr) {
            open.push_back({*words, {finding.place.sides}});
        }
        return words != nullptr;
    });
    if (!open.empty()) {
        std::ranges::move(open, std::back_inserter(diagnosis.next));
        diagnosis.verdict = verdict_of(diagnosis);
        diagnosis.gist = gist_of(diagnosis, analysis.sides);
    }
}

}  // namespace ropescope::diagnosis
