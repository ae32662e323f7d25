// Holds what was recovered of a dump to what is expected of it, name by name.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/held/phrases.h"
#include "core/faults/codes.h"
#include "core/formats/rope_scaling.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "core/scaling/ntk.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

Finding mismatch(std::string what, Value expected, Value found, Words words) {
    return {.code = std::move(what),
            .words = std::move(words),
            .measured = std::move(found),
            .expected = std::move(expected)};
}

/// "head_dim 32, expected 64"
Finding plain_mismatch(const std::string& what, const Value& expected, const Value& found) {
    return mismatch(what, expected, found, {say::kDiffers, {what, found, expected}});
}

/// [pairs]: the speeds of a part, forwards; of text, if it turns in several axes.
std::vector<double> speeds_of(const ExpectedPart& part) {
    if (part.spec) {
        return make_spectrum(*part.spec).inv_freq_rad;
    }
    std::vector<double> speeds;
    for (Index p = 0; p < part.scheme.pair_count(); ++p) {
        const auto by_axis = part.scheme.heads.front().omega_rad(p);
        speeds.push_back(std::accumulate(by_axis.begin(), by_axis.end(), 0.0));
    }
    return speeds;
}

/// Names what differs in a dump that is not as expected; whether it is has been decided.
class Comparison {
  public:
    Comparison(const Explanation& side, const Diagnosis& diagnosis, const ExpectedPart& part)
        : side_(side),
          diagnosis_(diagnosis),
          part_(part),
          head_dim_(part.scheme.head_dim),
          rotary_dim_(2 * part.scheme.pair_count()),
          speeds_(speeds_of(part)) {}

    std::vector<Finding> mismatches() {
        compare_sizes();
        compare_layout();
        if (side_.model && part_.spec) {
            compare_spectrum();
        } else if (side_.speeds.known() && side_.gain.uniform &&
                   side_.pairing.kind == PairingKind::found) {
            compare_speeds();
        }
        return std::move(found_);
    }

  private:
    void add(std::string what, Value expected, Value found, Words words) {
        found_.push_back(
            mismatch(std::move(what), std::move(expected), std::move(found), std::move(words)));
    }
    /// "head_dim 32, expected 64"
    void add(const std::string& what, const Value& expected, const Value& found) {
        found_.push_back(plain_mismatch(what, expected, found));
    }

    /// A model whose heads are joined of channels that never turn and those that do, as in
    /// multi-head latent attention, is described by the latter.
    bool described_by_the_rest() const {
        return side_.first_channel > 0 && side_.head_dim - side_.first_channel == head_dim_;
    }

    void compare_sizes() {
        const bool slice = side_.head_dim == rotary_dim_;  // that the rotation was given
        if (side_.head_dim != head_dim_ && !slice && !described_by_the_rest()) {
            add("head_dim", head_dim_, side_.head_dim);
        }
        if (diagnosis_.rotary_dim && *diagnosis_.rotary_dim != rotary_dim_) {
            add("rotary_dim", rotary_dim_, *diagnosis_.rotary_dim);
        }
    }

    /// Pairs that are read where they should be and written elsewhere, in q and k alike, have the
    /// same scores; if q and k differ, a finding says so.
    bool only_written_elsewhere() const {
        std::vector<ChannelPair> expected = part_.scheme.pairs;
        for (ChannelPair& pair : expected) {
            pair.first += side_.first_channel;
            pair.second += side_.first_channel;
        }
        return side_.pairing.permuted() && side_.pairing.pairs == expected;
    }

    void compare_layout() {
        const std::string expected(layout_name(part_.scheme.pairs));
        if (only_written_elsewhere()) {
            return;
        }
        if (!diagnosis_.layout.empty() && diagnosis_.layout != expected && rotary_dim_ > 2) {
            add("layout", expected, diagnosis_.layout);
        } else {
            compare_partners();
        }
    }

    /// One layout can span other widths: half-split pairs i with i + rotary_dim / 2, or with
    /// i + head_dim / 2 though only the first pairs turn.
    void compare_partners() {
        const std::vector<ChannelPair>& found = side_.pairing.rotated;
        const std::vector<ChannelPair>& expected = part_.scheme.pairs;
        if (side_.first_channel > 0) {
            compare_first_channel();
            return;
        }
        if (rotary_dim_ <= 2 || found.empty() || expected.front() == found.front() ||
            side_.head_dim != head_dim_ || diagnosis_.rotary_dim != rotary_dim_) {
            return;  // another width has been said
        }
        add("partner", expected.front().second, found.front().second,
            {say::kPartnerDiffers,
             {found.front().first, found.front().second, expected.front().second}});
    }
    void compare_first_channel() {
        if (side_.head_dim == head_dim_) {
            add("first channel", Index{0}, side_.first_channel,
                {say::kFirstChannelDiffers, {side_.first_channel}});
        }
    }

    /// Whether the speeds are those that the model has within, or beyond, its original context.
    bool of_another_length() const {
        RopeSpec other = *part_.spec;
        const auto original = original_positions(other.scaling);
        if (!depends_on_seq_len(other.scaling) || other.seq_len == 0 || !original) {
            return false;
        }
        other.seq_len = other.seq_len > *original ? *original : *original + 1;
        return has_speeds(make_spectrum(other).inv_freq_rad);
    }

    /// Whether the model has these speeds; one of a list has no error, one that was fitted has that
    /// of the speeds.
    bool has_speeds(std::span<const double> wanted) const {
        const SpectrumModel& model = *side_.model;
        const bool fitted = model.base_error > 0.0 || model.fitted_factor != 1.0 ||
                            std::holds_alternative<LongRopeScaling>(model.scaling);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double found = i < model.omega.size() ? model.omega[i] : 0.0;
            const double error =
                fitted && i < side_.speeds.error.size() ? side_.speeds.error[i] : 0.0;
            if (std::abs(found - wanted[i]) > error + 0x1p-18 * wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /// Speeds of no known method: which pairs have others than expected.
    void compare_speeds() {
        std::vector<Index> differing;
        for (Index p = 0; p < std::ssize(speeds_) && p < std::ssize(side_.speeds.omega); ++p) {
            if (std::abs(side_.speeds.difference(p, side_.sign * speeds_[p])) >
                side_.speeds.error[p] + 0x1p-18 * std::abs(speeds_[p])) {
                differing.push_back(p);
            }
        }
        if (differing.empty()) {
            return;
        }
        const Index first = differing.front();
        const double expected = side_.sign * speeds_[first];
        const double found = expected + side_.speeds.difference(first, expected);
        add("spectrum", speeds_[first], found,
            {differing.size() == 1 ? say::kSpeedDiffers : say::kSpeedsDifferBy,
             {Numbers{"pair", differing}, side_.side, first, found, speeds_[first]}});
    }

    void compare_spectrum() {
        if (has_speeds(speeds_)) {
            return;
        }
        const SpectrumModel& model = *side_.model;
        if (of_another_length()) {
            add("spectrum", {}, {}, {say::kOtherLength, {part_.spec->seq_len}});
            return;
        }
        const std::string expected(scaling_type(part_.spec->scaling));
        const std::string found(scaling_type(model.scaling));
        const bool own_factors = std::holds_alternative<LongRopeScaling>(model.scaling);
        if (own_factors && found != expected) {
            compare_speeds();  // factors of its own fit any base
            return;
        }
        compare_base();
        if (found == expected) {
            compare_parameters();
        } else if (!base_is_enlarged()) {
            add("scaling", expected, found);
        }
        if (found_.empty()) {
            compare_speeds();
        }
    }

    /// The base with which NTK scaling turns at the length at hand; the model's own for any other
    /// method.
    double base_at_length() const {
        const RopeSpec& spec = *part_.spec;
        const FrequencyInput input = frequency_input(spec);
        if (const auto* ntk = std::get_if<NtkScaling>(&spec.scaling)) {
            return scaled_base(*ntk, input);
        }
        const auto* dynamic = std::get_if<DynamicNtkScaling>(&spec.scaling);
        return dynamic != nullptr ? scaled_base(*dynamic, input) : spec.base;
    }
    /// Whether what was found is a base, and what is expected is a larger base.
    bool base_is_enlarged() const {
        return std::holds_alternative<NoScaling>(side_.model->scaling) &&
               (std::holds_alternative<NtkScaling>(part_.spec->scaling) ||
                std::holds_alternative<DynamicNtkScaling>(part_.spec->scaling));
    }

    void compare_base() {
        const SpectrumModel& model = *side_.model;
        const double expected = base_is_enlarged() ? base_at_length() : part_.spec->base;
        if (!model.base ||
            std::abs(*model.base / expected - 1.0) <= 1e-6 + model.base_error / *model.base) {
            return;
        }
        if (base_is_enlarged() && part_.spec->seq_len > 0) {
            add("base", expected, *model.base,
                {say::kBaseAtLengthDiffers, {*model.base, expected, part_.spec->seq_len}});
        } else {
            add("base", expected, *model.base, {say::kBaseDiffers, {*model.base, expected}});
        }
    }

    /// The parameters of one method that differ, under the names that they have in a config.json.
    void compare_parameters() {
        using Json = nlohmann::ordered_json;
        const Json expected = parameters_of(part_.spec->scaling);
        const Json found = parameters_of(side_.model->scaling);
        for (const auto& [key, value] : expected.items()) {
            const Json other = found.value(key, Json());
            if (other != value && !value.is_array()) {
                add("scaling", value_of(value), value_of(other),
                    {say::kDiffers, {std::string(key), value_of(other), value_of(value)}});
            }
        }
    }
    static nlohmann::ordered_json parameters_of(const Scaling& scaling) {
        nlohmann::ordered_json all = scaling_json(scaling);
        if (const auto* yarn = std::get_if<YarnScaling>(&scaling)) {
            all["truncate"] = yarn->truncate;
            all["beta_fast"] = yarn->beta_fast;
            all["beta_slow"] = yarn->beta_slow;
        }
        return all;
    }
    static Value value_of(const nlohmann::ordered_json& value) {
        return value.is_number()    ? Value(value.get<double>())
               : value.is_boolean() ? Value(std::string(value.get<bool>() ? "true" : "false"))
               : value.is_null()    ? Value(std::string("its usual value"))
                                    : Value(value.dump());
    }

    const Explanation& side_;
    const Diagnosis& diagnosis_;
    const ExpectedPart& part_;
    Index head_dim_, rotary_dim_;
    std::vector<double> speeds_;
    std::vector<Finding> found_;
};

double gain_rounding(const Explanation& side) {
    return kRotationUnits * side.format.unit + side.noise.table_rad + 0x1p-20;
}

/// Whether the lengths of each side are multiplied as the method says, once if both are alike.
std::vector<Finding> mismatches_of_gain(const std::vector<Explanation>& sides, double expected) {
    std::vector<const Explanation*> known;
    for (const Explanation& side : sides) {
        if (side.model && side.gain.by_token.empty()) {  // a finding says the others
            known.push_back(&side);
        }
    }
    const bool alike = known.size() < 2 || std::abs(known[0]->gain.value - known[1]->gain.value) <=
                                               gain_rounding(*known[0]);
    std::vector<Finding> mismatches;
    for (const Explanation* side : known) {
        const double found = side->gain.value;
        if ((alike && side != known.front()) ||
            std::abs(found - expected) <= gain_rounding(*side)) {
            continue;
        }
        const Words words = alike ? Words(say::kGainDiffers, {found, expected})
                                  : Words(say::kGainOfSideDiffers, {side->side, found, expected});
        mismatches.push_back(mismatch("attention factor", expected, found, words));
    }
    return mismatches;
}

/// Sides that all turn against the direction that the weights were trained with. Sides that turn
/// against each other are a finding.
std::optional<Finding> mismatch_of_direction(const std::vector<Explanation>& sides,
                                             bool backwards) {
    const int expected = backwards ? -1 : 1;
    bool turns = false;
    for (const Explanation& side : sides) {
        if (side.model && side.model->code != faults::code("spectrum.zero")) {
            turns = true;
            if (side.sign == expected) {
                return std::nullopt;
            }
        }
    }
    if (!turns) {
        return std::nullopt;
    }
    const std::string found = backwards ? "forward" : "reversed";
    const std::string wanted = backwards ? "reversed" : "forward";
    return plain_mismatch("sign", wanted, found);
}

}  // namespace

std::vector<Finding> mismatches_of(const std::vector<Explanation>& sides,
                                   const Expectation& expectation, const ExpectedPart* part,
                                   const Diagnosis& diagnosis) {
    const Explanation* side = nullptr;
    for (const Explanation& each : sides) {
        if (side == nullptr || (each.model && !side->model)) {
            side = &each;
        }
    }
    std::vector<Finding> mismatches;
    if (part != nullptr && !side->axis_map) {  // else the findings compare the axes
        mismatches = Comparison(*side, diagnosis, *part).mismatches();
        std::ranges::move(mismatches_of_gain(sides, part->scheme.heads.front().attention_factor),
                          std::back_inserter(mismatches));
    }
    if (expectation.layer_types.size() == 1) {
        for (Finding& each : mismatches) {
            each.words = {say::kInLayersOfType, {each.words, expectation.layer_types.front()}};
        }
    }
    if (side->axis_map && expectation.schemes.empty()) {
        mismatches.push_back(mismatch("axes", Index{1}, side->axis_map->axes,
                                      {say::kAxesDiffer, {side->axis_map->axes}}));
    }
    if (const auto direction = mismatch_of_direction(sides, expectation.backwards)) {
        mismatches.push_back(*direction);
    }
    const bool any_by_token = std::ranges::any_of(
        sides, [](const Explanation& each) { return !each.gain.by_token.empty(); });
    for (const Finding& finding : diagnosis.findings) {
        // One factor on all tokens has been compared with that of the method.
        const bool compared = finding.code == faults::code("gain") && !any_by_token;
        if (finding.weight == Weight::fault && !compared) {
            mismatches.push_back(
                mismatch(finding.code, finding.expected, finding.measured, finding.words));
        }
    }
    return mismatches;
}

}  // namespace ropescope::diagnosis
