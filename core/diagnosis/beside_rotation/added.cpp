// Holds each side to the expected rotation with a transform or a constant vector beside it.
#include "core/diagnosis/beside_rotation/added.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/diagnosis/beside_rotation/phrases.h"
#include "core/diagnosis/held/changed_tensor.h"
#include "core/diagnosis/held/held_diagnosis.h"
#include "core/diagnosis/held/turned_vector.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// One side and its rotation.
struct TurnedSide {
    const StatedSide& side;
    const ExpectedRotation& rotation;

    const DumpTensor& before() const { return side.tensors.before; }
    Index channels() const { return before().channels; }
    /// Calls visit(row, head, token); stops when that returns false, and returns whether none did.
    template <typename Visit>
    bool for_vectors(const Visit& visit) const {
        for (Index row = 0; row < before().batch; ++row) {
            for (Index head = 0; head < before().heads; ++head) {
                for (Index token = 0; token < before().length; ++token) {
                    if (!visit(row, head, token)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
};

double sum_of(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum;
}

double length_of(std::span<const double> values) {
    double squares = 0.0;
    for (const double value : values) {
        squares += value * value;
    }
    return std::sqrt(squares);
}

/// Whether every number is that of the rotated vector under the transform with this factor. Each
/// number of it is a sum of all channels, so that it may be off by the sum of what they may be off
/// by, times the factor; by a unit of float32 for each step of the sum; and by its own rounding.
bool is_transformed(const TurnedSide& of, double factor) {
    const auto n = static_cast<std::size_t>(of.channels());
    const VectorTurner turner(of.side, of.rotation);
    const FloatFormat format = effective_format(of.side.tensors.after);
    const double steps = std::log2(static_cast<double>(n)) * kUnitOfF32;
    std::vector<double> x(n), y(n), turned(n), allowed(n);
    return of.for_vectors([&](Index row, Index head, Index token) {
        of.before().read(row, head, token, x);
        of.side.tensors.after.read(row, head, token, y);
        turner.turn(row, head, token, x, turned);
        turner.allowed(row, head, token, x, allowed);
        const double off =
            factor * (sum_of(allowed) + steps * length_of(x) * std::sqrt(static_cast<double>(n)));
        hadamard(turned);
        for (std::size_t c = 0; c < n; ++c) {
            const double wanted = factor * turned[c];
            if (!(std::abs(y[c] - wanted) <=
                  off + 2.0 * format.unit * std::abs(wanted) + format.smallest)) {
                return false;
            }
        }
        return true;
    });
}

/// The factor of a transform that makes the side: 1 / sqrt(n) or 1; 0 if there is none.
double transform_of(const TurnedSide& of) {
    const auto n = static_cast<std::uint64_t>(of.channels());
    if (n < 4 || !std::has_single_bit(n)) {
        return 0.0;
    }
    for (const double factor : {1.0 / std::sqrt(static_cast<double>(n)), 1.0}) {
        if (is_transformed(of, factor)) {
            return factor;
        }
    }
    return 0.0;
}

/// The numbers that a constant of each head and channel may be: every token narrows them.
class Constants {
  public:
    Constants(Index heads, Index channels)
        : channels_(channels),
          low_(static_cast<std::size_t>(heads * channels), -kInfinity),
          high_(low_.size(), kInfinity) {}

    /// False if no constant is left.
    bool narrow(Index head, std::span<const double> apart, std::span<const double> allowed) {
        for (std::size_t c = 0; c < apart.size(); ++c) {
            const std::size_t at = static_cast<std::size_t>(head * channels_) + c;
            low_[at] = std::max(low_[at], apart[c] - allowed[c]);
            high_[at] = std::min(high_[at], apart[c] + allowed[c]);
            if (!(low_[at] <= high_[at])) {
                return false;
            }
        }
        return true;
    }
    /// The largest of them that cannot be 0.
    double largest() const {
        double largest = 0.0;
        for (std::size_t i = 0; i < low_.size(); ++i) {
            if (low_[i] > 0.0 || high_[i] < 0.0) {
                largest = std::max(largest, std::abs(0.5 * (low_[i] + high_[i])));
            }
        }
        return largest;
    }

  private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Index channels_;
    std::vector<double> low_, high_;
};

/// Whether tokens differ in every head, so that a constant is more than what one vector shows.
bool tokens_differ(const TurnedSide& of) {
    constexpr Index kFewest = 4;
    if (of.before().batch * of.before().length < kFewest) {
        return false;
    }
    std::vector<double> first(static_cast<std::size_t>(of.channels())), other(first.size());
    for (Index head = 0; head < of.before().heads; ++head) {
        of.before().read(0, head, 0, first);
        bool differ = false;
        for (Index token = 1; token < of.before().length && !differ; ++token) {
            of.before().read(0, head, token, other);
            differ = first != other;
        }
        if (!differ) {
            return false;
        }
    }
    return true;
}

/// The largest number of a constant vector that stands before or behind the rotation of the side; 0
/// if there is none.
double constant_of(const TurnedSide& of, bool behind) {
    const auto n = static_cast<std::size_t>(of.channels());
    const VectorTurner turner(of.side, of.rotation);
    Constants constants(of.before().heads, of.channels());
    const double unit = effective_format(of.side.tensors.after).unit;
    std::vector<double> x(n), y(n), made(n), allowed(n), apart(n);
    const bool constant = of.for_vectors([&](Index row, Index head, Index token) {
        of.before().read(row, head, token, x);
        of.side.tensors.after.read(row, head, token, y);
        // What was turned may be longer than x by the constant, and y is as long as that.
        turner.allowed(row, head, token, x, allowed);
        if (behind) {
            turner.turn(row, head, token, x, made);
        } else {
            turner.turn_back(row, head, token, y, made);
        }
        std::vector<double> of_y(n);
        turner.allowed(row, head, token, y, of_y);
        for (std::size_t c = 0; c < n; ++c) {
            apart[c] = behind ? y[c] - made[c] : made[c] - x[c];
            allowed[c] += of_y[c] + unit * std::abs(y[c]);  // the sum itself is rounded once
        }
        return constants.narrow(head, apart, allowed);
    });
    return constant ? constants.largest() : 0.0;
}

struct Added {
    enum class Kind : std::uint8_t { nothing, transform, bias_before, bias_behind };
    Kind kind = Kind::nothing;
    double size = 0.0;  ///< the factor of a transform, or the largest number of a bias
};

std::optional<Added> added_to(const TurnedSide& of, const Residual& left) {
    using Kind = Added::Kind;
    if (left.none()) {
        return Added();
    }
    if (of.side.tensors.after.quantised || of.side.norm || !VectorTurner::applies(of.rotation)) {
        return std::nullopt;
    }
    if (const double factor = transform_of(of); factor > 0.0) {
        return Added{Kind::transform, factor};
    }
    if (!tokens_differ(of)) {
        return std::nullopt;
    }
    for (const bool behind : {false, true}) {
        if (const double largest = constant_of(of, behind); largest > 0.0) {
            return Added{behind ? Kind::bias_behind : Kind::bias_before, largest};
        }
    }
    return std::nullopt;
}

/// Of transforms on these sides, of a dump with so many.
Finding transform_finding(Side sides, std::size_t of, double factor, Index channels) {
    const bool all = sides == Side::both, scaled = factor == 1.0;
    const Phrase& said = scaled    ? say::kTransformScaled
                         : all     ? say::kTransformOfBoth
                         : of == 1 ? say::kTransformOfShown
                                   : say::kTransformOfOne;
    const bool fault = scaled || (!all && of > 1);
    return {.code = faults::code("beside.transform"),
            .words = {said, {sides, channels}},
            .place = {sides},
            .measured = factor,
            .weight = fault ? Weight::fault : Weight::equivalent};
}

std::vector<Finding> findings_of(const Held& held, const std::vector<Added>& added) {
    using Kind = Added::Kind;
    std::vector<Finding> findings;
    Side transformed = Side::none;
    double factor = 0.0;
    for (std::size_t i = 0; i < added.size(); ++i) {
        const Side side = held.sides[i].name;
        const Added& each = added[i];
        if (each.kind == Kind::transform) {
            transformed = transformed | side;
            factor = std::max(factor, each.size);
        } else if (each.kind != Kind::nothing) {
            const bool behind = each.kind == Kind::bias_behind;
            findings.push_back(
                {.code = faults::code("beside.bias"),
                 .words = {behind ? say::kBiasBehind : say::kBiasBefore, {side, each.size}},
                 .place = {side},
                 .measured = each.size,
                 .weight = behind ? Weight::fault : Weight::equivalent});
        }
    }
    if (transformed != Side::none) {
        findings.push_back(transform_finding(transformed, added.size(), factor,
                                             held.sides.front().tensors.before.channels));
    }
    return findings;
}

/// The dump with what the rotation alone makes of it, for the search that says everything else.
Held as_turned(const Held& held) {
    Held plain = held;
    for (std::size_t i = 0; i < plain.sides.size(); ++i) {
        StatedSide& side = plain.sides[i];
        const StatedSide& stated = held.sides[i];
        const VectorTurner turner(stated, held.rotations[i]);
        ChangedTensor after =
            changed(stated.tensors.before, Dtype::f64,
                    [&](Index row, Index head, Index token, std::span<double> channels) {
                        const std::vector<double> x(channels.begin(), channels.end());
                        turner.turn(row, head, token, x, channels);
                    });
        side.tensors.after = after.view;
        side.owner = both_owners(side.owner, after.owner);
    }
    hold_again(plain);
    return plain;
}

}  // namespace

void hadamard(std::span<double> x) {
    for (std::size_t half = 1; half < x.size(); half *= 2) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            if ((i & half) == 0) {
                const double a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
}

std::vector<Finding> findings_of_added(const Held& held) {
    std::vector<Added> added;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        const auto found = added_to({held.sides[i], held.rotations[i]}, held.residuals[i]);
        if (!found) {
            return {};
        }
        added.push_back(*found);
    }
    return findings_of(held, added);
}

std::optional<Analysis> with_something_added(const Dump& dump, const Expectation& expectation,
                                             const Held& held) {
    const std::vector<Finding> findings = findings_of_added(held);
    const Held plain = as_turned(held);
    if (findings.empty() || !plain.met()) {
        return std::nullopt;
    }
    Analysis analysis = as_expected(dump, expectation, plain);
    Diagnosis& diagnosis = analysis.diagnosis;
    for (const Finding& finding : findings) {
        if (finding.weight == Weight::fault) {
            diagnosis.mismatches.push_back(finding);
        }
    }
    diagnosis.findings.insert(diagnosis.findings.begin(), findings.begin(), findings.end());
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace ropescope::diagnosis
