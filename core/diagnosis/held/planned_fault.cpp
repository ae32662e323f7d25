// Makes the faults of the catalogue and compares.
#include "core/diagnosis/held/planned_fault.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/held/planned_side.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"
#include "core/faults/rotation/near_faults.h"

namespace ropescope::diagnosis {
namespace {

/// What makes the part of a side that is not as expected.
struct Named {
    faults::NamedFault fault = {};
    PlannedPart part = {};
    bool listed = true;
};

std::vector<faults::NamedFault> listed_faults(const PlannedSide& side, const PlannedPart& part) {
    std::vector<faults::NamedFault> found;
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        const auto plan = plan_with(fault, {side.right(), side.spec()});
        if (plan && side.is_made_by(*plan, part)) {
            found.push_back({std::string(fault.code), std::string(fault.text)});
        }
    }
    return found;
}

/// Several faults that no number of the dump tells apart are said in one sentence.
faults::NamedFault joined(const std::vector<faults::NamedFault>& found) {
    constexpr std::size_t kMost = 3;
    const auto still = std::ranges::find_if(found, [](const faults::NamedFault& fault) {
        return fault.code == faults::code("spectrum.zero");
    });
    if (still != found.end()) {
        return *still;  // other ways to position 0 are farther to seek
    }
    faults::NamedFault all = found.front();
    for (std::size_t i = 1; i < std::min(found.size(), kMost); ++i) {
        all.text += ", or " + found[i].text;
    }
    return all;
}

std::optional<Named> named_part(const PlannedSide& side, const PlannedPart& part) {
    auto listed = listed_faults(side, part);
    // A factor on all positions is one on all frequencies, which a parameter may have as well.
    const bool perhaps_scaled =
        !listed.empty() && listed.front().code == faults::code("positions.scaled");
    if (!listed.empty() && !perhaps_scaled) {
        return Named{joined(listed), part, true};
    }
    const auto near = find_near_fault(
        side.right(), side.spec(),
        [&](const faults::RotationPlan& plan) { return side.is_made_by(plan, part); },
        part.tokens.empty() && part.pairs.empty() ? side.measured()
                                                  : std::vector<faults::MeasuredAngle>());
    if (perhaps_scaled) {
        if (near && near->code == faults::code("spectrum.scaled")) {
            listed.insert(listed.begin(), *near);
        }
        return Named{joined(listed), part, true};
    }
    return near ? std::optional(Named{*near, part, !near->fitted}) : std::nullopt;
}

/// Whether tokens, of which there are some, stand at position 0 in all rows: what is made of an
/// angle does not show there.
bool stand_at_start(const faults::RotationPlan& plan, const std::vector<Index>& tokens) {
    return !tokens.empty() && std::ranges::all_of(tokens, [&](Index l) {
        for (Index b = 0; b < plan.shape.batch; ++b) {
            for (Index a = 0; a < plan.axes; ++a) {
                if (plan.position_at(a, b, l) != 0.0) {
                    return false;
                }
            }
        }
        return true;
    });
}

/// The parts of a side to look at, the larger first. A few vectors alone are like many faults.
std::vector<PlannedPart> parts_of(const PlannedSide& side, const Residual& residual) {
    const faults::HeadShape& shape = side.right().shape;
    const Index pairs = std::ssize(side.right().pairs);
    const auto strict = [](const std::vector<Index>& wrong, Index count) {
        return std::ssize(wrong) < count ? wrong : std::vector<Index>();
    };
    std::vector<PlannedPart> parts = {{}};
    const auto add = [&](const PlannedPart& part) {
        if (std::ranges::find(parts, part) == parts.end()) {
            parts.push_back(part);
        }
    };
    PlannedPart part{.rows = strict(residual.rows, shape.batch),
                     .heads = strict(residual.heads, shape.heads)};
    add(part);
    constexpr Index kFew = 8;
    if (residual.outside >= kFew && !residual.still_channels) {
        PlannedPart tokens = part, of_pairs = part;
        tokens.tokens = strict(residual.tokens, shape.length);
        if (stand_at_start(side.right(), tokens.tokens)) {
            return parts;
        }
        add(tokens);
        of_pairs.pairs = strict(residual.pairs, pairs);
        add(of_pairs);
        tokens.pairs = of_pairs.pairs;
        add(tokens);
    }
    return parts;
}

std::optional<Named> named_side(const PlannedSide& side, const Residual& residual) {
    for (const PlannedPart& part : parts_of(side, residual)) {
        if (auto named = named_part(side, part)) {
            return named;
        }
    }
    return std::nullopt;
}

/// The norm is taken from the tensors; of one behind the rotation, only with the expected rotation.
bool can_be_planned(const Held& held, const StatedSide& side) {
    return held.table.exact() && (!side.norm || side.norm->norm.order == NormOrder::before);
}

/// "q", "q (pairs 0 to 3, head 1)"
Words words_of(Side sides, const PlannedPart& part) {
    std::vector<Words> list;
    const auto add = [&](std::string_view noun, const std::vector<Index>& numbers) {
        if (!numbers.empty()) {
            list.push_back({say::kNumbers, {Numbers{noun, numbers}}});
        }
    };
    add("pair", part.pairs);
    add("token", part.tokens);
    add("row", part.rows);
    add("head", part.heads);
    return list.empty() ? Words(say::kNumbers, {sides}) : Words(say::kPartOf, {sides, list});
}

Finding finding_of(const Named& named, Side sides) {
    const Words part = words_of(sides, named.part);
    return {.code = named.fault.code,
            .words = {sides == Side::both ? say::kBothAsIf : say::kAsIf, {part, named.fault.text}},
            .place = {.sides = sides, .rows = named.part.rows, .heads = named.part.heads}};
}

}  // namespace

std::vector<Finding> PlannedFaults::sentences() const {
    std::vector<Finding> all = findings;
    for (Finding& finding : all) {
        if (finding.words.phrase == &say::kBothAsIf) {
            finding.words.phrase = &say::kBothAsIfSentence;
        } else if (finding.words.phrase == &say::kAsIf) {
            finding.words.phrase = &say::kAsIfSentence;
        }
    }
    return all;
}

bool is_measurement(const Finding& finding) {
    constexpr std::array kMeasurements = {
        &say::kNoPairing,    &say::kTableEndsInZeros, &say::kZeroAtStart, &say::kZeroEverywhere,
        &say::kZeroTokens,   &say::kUneven,           &say::kElsewhere,   &say::kStillRows,
        &say::kOffsetOfStep, &say::kSinScaled,        &say::kCosScaled,   &say::kAxesButSpeeds};
    return std::ranges::find(kMeasurements, finding.words.phrase) != kMeasurements.end();
}

PlannedFaults planned_faults(const Held& held) {
    std::vector<Named> named;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < held.sides.size(); ++i) {
        if (held.residuals[i].none()) {
            continue;
        }
        if (!can_be_planned(held, held.sides[i])) {
            return {};
        }
        auto found = named_side(PlannedSide(held, i), held.residuals[i]);
        if (!found) {
            return {};
        }
        named.push_back(std::move(*found));
        sides.push_back(held.sides[i].name);
    }
    PlannedFaults all;
    const bool still = named.size() == 1 && held.sides.size() == 2 && named[0].part.all() &&
                       named[0].fault.code == faults::code("spectrum.zero");
    if (still) {  // the other side turns, by the same inv_freq
        const bool of_keys = sides[0] == Side::k;
        all.findings = {{.code = std::string(of_keys ? faults::code("k.unrotated")
                                                     : faults::code("spectrum.zero")),
                         .words = {of_keys ? say::kKStill : say::kQStill},
                         .place = {.sides = sides[0]}}};
        return all;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
        all.listed = all.listed && named[i].listed;
        const bool both = named.size() == 2 && named[0].fault.text == named[1].fault.text &&
                          named[0].part == named[1].part;
        if (both) {
            all.findings = {finding_of(named[0], Side::both)};
            break;
        }
        all.findings.push_back(finding_of(named[i], sides[i]));
    }
    return all;
}

}  // namespace ropescope::diagnosis
