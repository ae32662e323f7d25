// Finds the spectrum of a side: by its speeds, else by what makes them others at some tokens or
// rows, by angles of 16 bits, or at one position.
#include "core/diagnosis/hypotheses/model_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// The angles, so that the right sign is positive.
Speeds with_sign(Speeds speeds, int sign) {
    for (double& omega : speeds.omega) {
        omega *= sign;
    }
    return speeds;
}

/// The numbers of turning channels that the data allow: all of the layout, or only those that
/// change. The pairs of a half-split layout say their number themselves.
std::vector<Index> possible_widths(const Explanation& side) {
    std::vector<Index> widths = {2 * side.turns.pairs};
    if (side.pairing.layout == "interleaved" && side.pairing.touched_pairs > 0 &&
        side.pairing.touched_pairs < side.turns.pairs) {
        widths.push_back(2 * side.pairing.touched_pairs);
    }
    return widths;
}

/// Tries the models of one kind on all tokens; keeps the one that explains most.
void try_source(Explanation& side, ModelSource* source, const SpectrumQuestion& question,
                int sign) {
    Index tried = 0;
    for (SpectrumModel& model : models_of(source, question)) {
        constexpr Index kMostTried = 4;  // the others fit the speeds worse
        if (++tried > kMostTried || (side.model && side.places.unexplained == 0)) {
            return;
        }
        Places places = places_by(side, model, sign);
        if (!side.model || places.unexplained < side.places.unexplained) {
            side.sign = sign;
            side.places = std::move(places);
            side.model = std::move(model);
        }
    }
}

/// Whether a token of the row that speeds were measured on stands where it is stated.
bool stands_in_place(const Explanation& side, Index token) {
    const std::size_t at = side.speeds.row * side.turns.length + token;
    return std::abs(side.places.position[at] - side.stated[at]) <= 2.0 * side.places.error[at];
}

/// Whether some token is found between two positions although it is stated at a whole one: it turns
/// by another spectrum.
bool any_between_positions(const Explanation& side) {
    for (std::size_t at = 0; at < side.stated.size(); ++at) {
        const double found = side.places.position[at];
        const double off = std::abs(found - std::round(found));
        if (side.stated[at] == std::round(side.stated[at]) &&
            off > 2.0 * side.places.error[at] + 1e-6) {
            return true;
        }
    }
    return false;
}

/// The same angles, of which nothing is known yet.
Explanation fresh(const Explanation& side) {
    return {.head_dim = side.head_dim,
            .pairing = side.pairing,
            .turns = side.turns,
            .noise = side.noise,
            .stated = side.stated};
}

/// Searches in `tried`; whether that explains every token.
bool search(Explanation& tried, std::span<const RopeSpec> expected) {
    tried.speeds = recover_speeds(tried.turns, tried.stated, tried.noise);
    if (tried.speeds.known()) {
        try_models(tried, expected);
    }
    return is_explained(tried);
}

void adopt(Explanation& side, Explanation found) {
    side.turns = std::move(found.turns);
    side.speeds = std::move(found.speeds);
    side.model = std::move(found.model);
    side.sign = found.sign;
    side.places = std::move(found.places);
}

/// Which numbers are rounded.
struct Chain {
    bool positions = false, inv_freq = false, angle = false;
    const char* text = "";
};
constexpr std::array<Chain, 6> kChains = {{{true, false, false, "positions"},
                                           {false, false, true, "angles"},
                                           {false, true, false, "inv_freq"},
                                           {false, true, true, "inv_freq and angles"},
                                           {true, false, true, "positions and angles"},
                                           {true, true, true, "positions, inv_freq and angles"}}};

/// The 16-bit numbers that a value may be rounded to which is off by `share` of itself: two if it
/// lies beside the middle between them.
std::array<double, 2> possible(Dtype dtype, double value, double share) {
    return {round_to(dtype, value * (1.0 - share)), round_to(dtype, value * (1.0 + share))};
}

/// Whether the angle is what the chain makes of a frequency, which fp32 forms with an error of
/// `omega_error`, and a position.
bool is_of_chain(const Chain& chain, Dtype dtype, double omega, double omega_error, double position,
                 double angle_rad, double allowed_rad) {
    const double share = omega == 0.0 ? 0.0 : omega_error / std::abs(omega);
    const double p = chain.positions ? round_to(dtype, position) : position;
    for (const double w :
         chain.inv_freq ? possible(dtype, omega, share) : std::array{omega, omega}) {
        const double off = chain.inv_freq ? 0.0 : omega_error * std::abs(p);
        for (const double angle : chain.angle
                                      ? possible(dtype, p * w, chain.inv_freq ? kUnitOfF32 : share)
                                      : std::array{p * w, p * w}) {
            if (std::abs(wrapped(angle_rad - angle)) <= allowed_rad + (chain.angle ? 0.0 : off)) {
                return true;
            }
        }
    }
    return false;
}

/// Whether every angle of every token is what the chain makes of the model. The token that a chain
/// failed at before is the first that is asked.
bool matches(const Explanation& side, const SpectrumModel& model, int sign, const Chain& chain,
             Dtype dtype, std::size_t& failed_at) {
    const std::vector<double> omega = signed_omega(model, 1, side.turns.pairs);
    const std::vector<double> errors = omega_errors(model, side.turns.pairs);
    bool told = false;
    const auto fits = [&](std::size_t token) {
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t at = token * side.turns.pairs + p;
            const double allowed = side.turns.error_rad[at] + side.noise.table_rad;
            told = told || allowed < 1.0;
            if (allowed < 1.0 && !is_of_chain(chain, dtype, omega[p], errors[p], side.stated[token],
                                              sign * side.turns.angle_rad[at], allowed)) {
                failed_at = token;
                return false;
            }
        }
        return true;
    };
    if (!fits(failed_at)) {
        return false;
    }
    for (std::size_t token = side.stated.size(); token-- > 0;) {
        if (!fits(token)) {
            return false;
        }
    }
    return told;
}

/// The length of the sequence, on which some methods depend.
Index reach_of(const Explanation& side) {
    return static_cast<Index>(std::max(0.0, std::ranges::max(side.stated))) + 1;
}

std::vector<SpectrumModel> exact_models(const Explanation& side,
                                        std::span<const RopeSpec> expected) {
    std::vector<SpectrumModel> models = models_of_specs(side, expected);
    const auto add = [&](const RopeSpec& spec, const Words& words) {
        std::ranges::move(models_of_spec(spec, side.turns.pairs, reach_of(side), words),
                          std::back_inserter(models));
    };
    for (const double base : usual_bases()) {
        for (const Index width : possible_widths(side)) {
            const RopeSpec spec{.head_dim = width, .rotary_dim = width, .base = base};
            add(spec, {say::kBase, {Measured{base}}});
        }
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.rotary_dim == 2 * side.turns.pairs &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            add(preset.rope, {say::kAsModel, {preset.title}});
        }
    }
    std::erase_if(models, [&](const SpectrumModel& model) {
        return model.rotary_dim <= 2 && side.head_dim > 6;  // one pair fits any base
    });
    return models;
}

void accept(Explanation& side, SpectrumModel model, int sign, const Chain& chain, Dtype dtype) {
    if (chain.inv_freq || chain.angle) {
        model.code = faults::code("spectrum.low_precision");
        model.right = false;
        model.rounded = dtype;
        model.words = {say::kRounded, {model.words, chain.text, std::string(numpy_name(dtype))}};
    }
    side.sign = sign;
    side.model = std::move(model);
    side.places.position = side.stated;
    side.places.error.assign(side.stated.size(), 0.0);
    side.places.unexplained = 0;
    if (chain.positions) {
        for (double& position : side.places.position) {
            position = round_to(dtype, position);
        }
    }
}

std::vector<SpectrumModel> usual_models(const Explanation& side) {
    std::vector<SpectrumModel> usual;
    for (const double base : usual_bases()) {
        usual.push_back(default_spectrum(2 * side.turns.pairs, base));
    }
    return usual;
}

void take(Explanation& side, const SpectrumModel& model, int sign, Places places) {
    side.model = model;
    side.sign = sign;
    side.places = std::move(places);
}

/// Takes the first model that has every token at its stated position.
bool find_in_place(Explanation& side, std::span<const SpectrumModel> models) {
    for (const SpectrumModel& model : models) {
        for (const int sign : {1, -1}) {
            if (explains_in_place(side, model, sign, 0, side.turns.length)) {
                take(side, model, sign, places_by(side, model, sign));
                return true;
            }
        }
    }
    return false;
}

/// Takes the first that has every token somewhere.
bool find_elsewhere(Explanation& side, std::span<const SpectrumModel> models) {
    for (const SpectrumModel& model : models) {
        Places places = places_by(side, model, 1);
        if (places.unexplained == 0) {
            take(side, model, 1, std::move(places));
            return true;
        }
    }
    return false;
}

/// Whether some pair turns otherwise by more than the speeds of both leave open.
bool turn_otherwise(const Explanation& a, const Explanation& b) {
    const std::vector<double> of_a = signed_omega(*a.model, a.sign, a.turns.pairs);
    const std::vector<double> of_b = signed_omega(*b.model, b.sign, a.turns.pairs);
    for (Index p = 0; p < a.turns.pairs; ++p) {
        const double open = a.speeds.error[p] + b.speeds.error[p] + 0x1p-18 * std::abs(of_a[p]);
        if (std::abs(of_a[p] - of_b[p]) > open) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool is_explained(const Explanation& side) {
    return side.model && side.places.unexplained == 0;
}

bool is_plain(const Explanation& side) {
    return is_explained(side) && side.model->right && constant_offset(side).has_value();
}

std::vector<double> signed_omega(const SpectrumModel& model, int sign, Index pairs) {
    std::vector<double> omega = model.omega;
    omega.resize(pairs, 0.0);
    for (double& each : omega) {
        each *= sign;
    }
    return omega;
}

std::vector<double> omega_errors(const SpectrumModel& model, Index pairs) {
    std::optional<RopeSpec> spec;
    if (model.base && model.rounded == std::nullopt) {
        spec = RopeSpec{.head_dim = model.rotary_dim,
                        .rotary_dim = model.rotary_dim,
                        .base = *model.base,
                        .scaling = model.scaling};
    }
    std::vector<double> errors = frequency_errors(model.omega, spec);
    errors.resize(pairs, 0.0);
    return errors;
}

Places places_by(const Explanation& side, const SpectrumModel& model, int sign) {
    return recover_places(side.turns, signed_omega(model, sign, side.turns.pairs), side.stated,
                          side.noise, omega_errors(model, side.turns.pairs));
}

bool explains_in_place(const Explanation& side, const SpectrumModel& model, int sign,
                       Index first_token, Index last_token) {
    const std::vector<double> omega = signed_omega(model, sign, side.turns.pairs);
    const std::vector<double> errors = omega_errors(model, side.turns.pairs);
    double worst = 0.0;
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index t = first_token; t < last_token; ++t) {
            const bool empty = std::ranges::none_of(
                std::span(side.turns.error_rad).subspan(side.turns.at(row, t, 0), side.turns.pairs),
                [](float error) { return error < 1.0F; });
            if (!empty &&
                !explains(side.turns, row, t, omega, side.stated[row * side.turns.length + t],
                          side.noise, worst, errors)) {
                return false;
            }
        }
    }
    return true;
}

std::vector<SpectrumModel> models_of_specs(const Explanation& side,
                                           std::span<const RopeSpec> specs) {
    std::vector<SpectrumModel> models;
    for (const RopeSpec& spec : specs) {
        std::ranges::move(models_of_spec(spec, side.turns.pairs, reach_of(side), say::kExpected),
                          std::back_inserter(models));
    }
    return models;
}

void try_models(Explanation& side, std::span<const RopeSpec> expected) {
    const Index reach = reach_of(side);
    for (ModelSource* const source : model_sources()) {
        std::vector<Index> widths = possible_widths(side);
        const bool usual =
            widths.back() * 2 == widths.front() || widths.back() * 4 == widths.front();
        if (source == &default_spectra && usual) {
            // Models turn a half or a quarter of the channels. In 16 bits the square or the fourth
            // power of their base fits all channels as well, but then some bits would change.
            std::ranges::reverse(widths);
        }
        for (const Index width : widths) {
            for (const int sign : {1, -1}) {
                if (side.model && side.places.unexplained == 0) {
                    return;
                }
                const Speeds speeds = with_sign(side.speeds, sign);
                try_source(side, source,
                           {speeds, side.head_dim, width, reach, expected, side.pairing.blocks},
                           sign);
            }
        }
    }
}

void try_phases(Explanation& side, std::span<const RopeSpec> expected) {
    constexpr double kHalf = std::numbers::pi, kQuarter = kHalf / 2.0;
    for (const double phase : {kHalf, kQuarter, -kQuarter}) {
        if (is_plain(side)) {
            return;
        }
        Explanation turned = fresh(side);
        for (double& angle : turned.turns.angle_rad) {
            angle = wrapped(angle - phase);
        }
        if (search(turned, expected) && (!is_explained(side) || is_plain(turned))) {
            adopt(side, std::move(turned));
            side.phase_rad = phase;
        }
    }
}

void find_change(Explanation& side, std::span<const RopeSpec> expected) {
    if (side.places.unexplained == 0 && !any_between_positions(side)) {
        return;
    }
    Index first = side.turns.length;
    while (first > 0 && !stands_in_place(side, first - 1)) {
        --first;
    }
    if (first < 2 || side.turns.length - first < 2) {
        return;
    }
    Explanation later{.head_dim = side.head_dim, .pairing = side.pairing, .noise = side.noise};
    later.turns = side.turns;
    later.stated = side.stated;
    later.speeds = recover_speeds(side.turns, side.stated, side.noise, first);
    if (!later.speeds.known()) {
        return;
    }
    try_models(later, expected);
    if (!later.model || later.model->code == faults::code("spectrum.zero")) {
        return;
    }
    if (explains_in_place(side, *later.model, later.sign, 0, side.turns.length)) {
        side.places = places_by(side, *later.model, later.sign);
        side.sign = later.sign;
        side.speeds = later.speeds;
        side.model = std::move(later.model);
        return;
    }
    // A change is one only if each spectrum explains its own tokens where they are stated, and the
    // two are not the same one, of which the tokens here or there tell less.
    if (!turn_otherwise(side, later) ||
        !explains_in_place(side, *side.model, side.sign, 0, first) ||
        !explains_in_place(side, *later.model, later.sign, first, side.turns.length)) {
        return;
    }
    for (std::size_t at = 0; at < side.places.position.size(); ++at) {
        side.places.position[at] = side.stated[at];
    }
    side.places.unexplained = 0;
    const double position = side.stated[side.speeds.row * side.turns.length + first];
    side.findings.push_back(
        {faults::code("spectrum.changes_at"),
         {say::kSpectrumChanges, {position, side.model->words, later.model->words}},
         {.sides = side.side, .from_token = first},
         position});
}

bool explain_by_rows(Explanation& side, std::span<const SpectrumModel> models) {
    if (side.turns.rows < 2) {
        return false;
    }
    std::vector<double> numbers(side.stated.size());
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const Index row = static_cast<Index>(at) / side.turns.length;
        numbers[at] = to_double(side.heads_differ ? row % side.heads : row / side.heads);
    }
    std::swap(side.stated, numbers);
    const bool found = find_in_place(side, models) || find_in_place(side, usual_models(side));
    std::swap(side.stated, numbers);
    return found;
}

bool explain_low_precision(Explanation& side, std::span<const RopeSpec> expected) {
    const std::vector<SpectrumModel> models = exact_models(side, expected);
    std::size_t failed_at = side.stated.size() - 1;  // the last has turned furthest
    // A chain that rounds nothing in this dump is the plain model, which explains it by itself.
    for (const SpectrumModel& model : models) {
        for (const int sign : {1, -1}) {
            if (matches(side, model, sign, {}, Dtype::f32, failed_at)) {
                accept(side, model, sign, {}, Dtype::f32);
                return true;
            }
        }
    }
    for (const Chain& chain : kChains) {
        for (const SpectrumModel& model : models) {
            for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
                for (const int sign : {1, -1}) {
                    if (matches(side, model, sign, chain, dtype, failed_at)) {
                        accept(side, model, sign, chain, dtype);
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

bool explain_one_position(Explanation& side, std::span<const SpectrumModel> models) {
    const bool measured = side.pairing.kind == PairingKind::found && !side.stated.empty();
    if (side.model || side.speeds.known() || !measured || models.empty()) {
        return false;
    }
    return find_in_place(side, models) || find_elsewhere(side, models) ||
           find_in_place(side, usual_models(side));
}

}  // namespace ropescope::diagnosis
