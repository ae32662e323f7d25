// Computes what published models compute in place of a rotation, and compares.
#include "core/diagnosis/beside_rotation/published.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/diagnosis/beside_rotation/phrases.h"
#include "core/diagnosis/held/held_dump.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"
#include "core/formats/json_object.h"

namespace ropescope::diagnosis {
namespace {

using Turn = PublishedComputation::Turn;

constexpr double kBase = 1e4;

/// A third of the head, rounded down to an even number, for each of time, height and width; each
/// third has its table twice, one behind the other. The rest stays.
std::vector<Turn> turns_of_vjepa2(Index channels) {
    const Index each = 2 * (channels / 3 / 2), half = each / 2;
    if (half < 1) {
        return {};
    }
    std::vector<Turn> turns(static_cast<std::size_t>(channels));
    for (Index c = 0; c < 3 * each; ++c) {
        const double exponent = to_double(c % each % half) / to_double(half);
        turns[static_cast<std::size_t>(c)] = {c / each, std::pow(kBase, -exponent)};
    }
    return turns;
}

/// Frequencies of time, height and width as 4 : 6 : 6 of half the head, and the whole twice.
std::vector<Turn> turns_of_mage_vl(Index channels) {
    constexpr Index kParts[] = {4, 6, 6};
    if (channels < 32 || channels % 32 != 0) {
        return {};
    }
    std::vector<Turn> half;
    for (Index axis = 0; axis < 3; ++axis) {
        const Index size = kParts[axis] * channels / 32;
        for (Index i = 0; i < size; ++i) {
            half.push_back({axis, std::pow(kBase, -to_double(i) / to_double(size))});
        }
    }
    std::vector<Turn> turns = half;
    turns.insert(turns.end(), half.begin(), half.end());
    return turns;
}

/// The vectors that are other ones.
struct Other {
    Index count = 0, of = 0, token = -1;
    Side side = Side::none;
};

/// cos and sin come out of fp32 functions (2 units each); the angle has the error of a frequency
/// and a product (angle_units); the rest is that of a rotated pair (kRotationUnits).
void compare(const StatedSide& side, const std::vector<Turn>& turns, Other& other) {
    const DumpTensor &before = side.tensors.before, &after = side.tensors.after;
    const auto n = static_cast<std::size_t>(before.channels);
    const FloatFormat format = effective_format(after);
    const double units = angle_units(kBase);
    std::vector<double> x(n), y(n);
    for (Index row = 0; row < before.batch; ++row) {
        for (Index token = 0; token < before.length; ++token) {
            for (Index head = 0; head < before.heads; ++head) {
                before.read(row, head, token, x);
                after.read(row, head, token, y);
                ++other.of;
                for (std::size_t c = 0; c < n; ++c) {
                    const double partner = (c ^ 1U) < n ? x[c ^ 1U] : 0.0;
                    const double angle =
                        turns[c].omega * side.positions.at(turns[c].axis, row, token);
                    const double sign = c % 2 == 0 ? -1.0 : 1.0;
                    const double wanted = x[c] * std::cos(angle) + sign * partner * std::sin(angle);
                    const double allowed =
                        std::hypot(x[c], partner) * (kRotationUnits * format.unit +
                                                     (4.0 + units * std::abs(angle)) * kUnitOfF32) +
                        4.0 * format.smallest;
                    if (!(std::abs(y[c] - wanted) <= allowed)) {
                        other.token = other.count == 0 ? token : other.token;
                        other.side = other.count == 0 ? side.name : other.side;
                        ++other.count;
                        break;
                    }
                }
            }
        }
    }
}

/// Whether the computation can be that of such tensors, and where it is not.
std::optional<Other> compared(const Dump& dump, const PublishedComputation& computation) {
    Other other;
    for (const StatedSide& side : stated_sides(dump)) {
        const std::vector<Turn> turns = computation.turns(side.tensors.before.channels);
        if (side.positions.axes != computation.axes || turns.empty() || side.norm ||
            side.tensors.after.quantised) {
            return std::nullopt;
        }
        compare(side, turns, other);
    }
    return other.of > 0 ? std::optional(other) : std::nullopt;
}

/// Tokens at one place of every axis would fit anything that stays.
bool any_place(const Dump& dump) {
    return std::ranges::any_of(stated_sides(dump), [](const StatedSide& side) {
        return std::ranges::any_of(side.positions.values, [](double p) { return p != 0.0; });
    });
}

Side sides_of(const Dump& dump) {
    return (dump.q ? Side::q : Side::none) | (dump.k ? Side::k : Side::none);
}

Analysis as_published(const Dump& dump, const PublishedComputation& computation, Analysis analysis,
                      Weight weight) {
    Diagnosis& diagnosis = analysis.diagnosis;
    std::erase_if(diagnosis.findings, [](const Finding& finding) {
        return finding.weight == Weight::fault &&
               !std::string_view(finding.code).starts_with("scores") &&
               finding.code != faults::code("softmax.scale");
    });
    diagnosis.findings.insert(
        diagnosis.findings.begin(),
        Finding{.code = faults::code("beside.published"),
                .words = {say::kPublished,
                          {std::string(computation.model), std::string(computation.source)}},
                .place = {sides_of(dump)},
                .weight = weight});
    std::ranges::stable_sort(diagnosis.findings, {}, &Finding::weight);
    diagnosis.next.clear();
    diagnosis.mismatches.clear();
    diagnosis.unexplained.clear();
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace

const std::vector<PublishedComputation>& published_computations() {
    return made_once([] {
        return std::vector<PublishedComputation>{
            {.model = "V-JEPA 2",
             .model_type = "vjepa2",
             .source = "modeling_vjepa2.py: rotate_queries_or_keys",
             .turns = turns_of_vjepa2},
            {.model = "Mage-VL",
             .model_type = "mage_vl",
             .source = "modeling_mage_vl.py: VisionRotaryEmbedding, rotate_half",
             .turns = turns_of_mage_vl},
        };
    });
}

const PublishedComputation* published_computation(std::string_view model_type) {
    const auto& all = published_computations();
    const auto found = std::ranges::find_if(all, [&](const PublishedComputation& each) {
        return model_type == each.model_type ||
               model_type == std::string(each.model_type) + "_vision";
    });
    return found == all.end() ? nullptr : &*found;
}

std::string published_type_in(std::string_view config_json) {
    const nlohmann::json json = parse_json_object(config_json, "config.json");
    const auto vision = json.find("vision_config");
    for (const nlohmann::json* each : {&json, vision == json.end() ? nullptr : &*vision}) {
        if (each == nullptr || !each->is_object()) {
            continue;
        }
        const auto type = each->find("model_type");
        const bool known = type != each->end() && type->is_string() &&
                           published_computation(type->get<std::string>()) != nullptr;
        const auto& of_base = vision != json.end() && vision->is_object() ? *vision : json;
        const auto base = of_base.find("rope_theta");
        if (known && (base == of_base.end() || *base == kBase)) {
            return type->get<std::string>();
        }
    }
    return "";
}

const PublishedComputation* expected_computation(const Dump& dump, const Expectation& expectation) {
    const PublishedComputation* const found = published_computation(expectation.computation);
    if (found == nullptr) {
        return nullptr;
    }
    const bool has_axes = std::ranges::all_of(stated_sides(dump), [&](const StatedSide& side) {
        return side.positions.axes == found->axes;
    });
    if (!has_axes && expectation.specs.empty() && expectation.schemes.empty()) {
        throw InputError(fmt::format(
            "{}: {} computes from time, height and width of each token; give positions [3, tokens]",
            expectation.name, found->model));
    }
    return has_axes ? found : nullptr;
}

std::optional<Analysis> with_published_computation(const Dump& dump, const Analysis& first) {
    const bool no_rotation = std::ranges::any_of(first.sides, [](const Explanation& side) {
        return side.pairing.kind == PairingKind::no_rotation;
    });
    if (!no_rotation || !any_place(dump)) {
        return std::nullopt;
    }
    for (const PublishedComputation& each : published_computations()) {
        if (const auto other = compared(dump, each); other && other->count == 0) {
            return as_published(dump, each, first, Weight::equivalent);
        }
    }
    return std::nullopt;
}

Analysis held_to_published(const Dump& dump, const PublishedComputation& computation,
                           const Expectation& expectation, const Analysis& search) {
    const auto other = compared(dump, computation);
    Analysis analysis = search;
    if (other && other->count == 0) {
        analysis = as_published(dump, computation, search, Weight::equivalent);
    } else {
        const Other found = other.value_or(Other());
        Diagnosis& diagnosis = analysis.diagnosis;
        diagnosis.mismatches.insert(
            diagnosis.mismatches.begin(),
            Finding{.code = faults::code("beside.published"),
                    .words = {say::kNotPublished,
                              {std::string(computation.model), std::string(computation.source),
                               found.count, found.of, found.side, found.token}},
                    .place = {found.side}});
        diagnosis.gist = gist_of(diagnosis, analysis.sides);
    }
    analysis.diagnosis.expected = expectation;
    return analysis;
}

}  // namespace ropescope::diagnosis
