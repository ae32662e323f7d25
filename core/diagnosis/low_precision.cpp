// Angles whose positions, frequencies or products were rounded to 16 bits: predicted exactly.
#include <array>
#include <cmath>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/formats/model_presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

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

double predicted(const Chain& chain, Dtype dtype, double omega, double position) {
    const double p = chain.positions ? round_to(dtype, position) : position;
    const double w = chain.inv_freq ? round_to(dtype, omega) : omega;
    return chain.angle ? round_to(dtype, p * w) : p * w;
}

/// Whether at least 98 % of the angles of some tokens are those predicted. A product that lies
/// beside the middle of two 16-bit numbers may be rounded the other way by fp32; that happens to
/// about one angle in a thousand.
bool matches(const Explanation& side, const SpectrumModel& model, int sign, const Chain& chain,
             Dtype dtype) {
    const Index tokens = side.turns.rows * side.turns.length;
    constexpr Index kMost = 96;
    Index seen = 0, wrong = 0;
    for (Index k = 0; k < std::min(tokens, kMost); ++k) {
        const Index token = tokens - 1 - k * tokens / std::min(tokens, kMost);
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t at = token * side.turns.pairs + p;
            const double omega = p < std::ssize(model.omega) ? model.omega[p] : 0.0;
            const double expected = sign * predicted(chain, dtype, omega, side.stated[token]);
            const double allowed = side.turns.error_rad[at] + side.noise.table_rad +
                                   side.noise.relative * std::abs(expected);
            if (allowed < 1.0) {
                ++seen;
                wrong += std::abs(wrapped(side.turns.angle_rad[at] - expected)) > allowed ? 1 : 0;
            }
        }
        if (wrong > 16 && wrong * 50 > seen) {
            return false;
        }
    }
    return seen > 0 && wrong * 50 <= seen;
}

std::vector<SpectrumModel> exact_models(const Explanation& side,
                                        std::span<const RopeSpec> expected) {
    std::vector<SpectrumModel> models;
    const auto add = [&](const RopeSpec& spec, const Words& words) {
        if (spec.pairs() <= side.turns.pairs) {
            SpectrumModel model{.code = faults::code("spectrum.default"),
                                .omega = make_spectrum(spec).inv_freq_rad,
                                .rotary_dim = spec.rotary_dim,
                                .base = spec.base,
                                .scaling = spec.scaling,
                                .words = words};
            if (!std::holds_alternative<NoScaling>(spec.scaling)) {
                model.code = faults::code("spectrum.scaled");
            }
            models.push_back(std::move(model));
        }
    };
    for (const RopeSpec& spec : expected) {
        add(spec, say::kExpected);
    }
    for (const double base : usual_bases()) {
        // The head may have more channels, even an odd number of them, which do not matter here.
        const Index width = 2 * side.turns.pairs;
        RopeSpec spec{.head_dim = width, .rotary_dim = width, .base = base};
        add(spec, {say::kBase, {Measured{base}}});
        if (side.pairing.touched_pairs > 0 && side.pairing.touched_pairs < side.turns.pairs) {
            spec.rotary_dim = 2 * side.pairing.touched_pairs;
            add(spec, {say::kBase, {Measured{base}}});
        }
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.rotary_dim == 2 * side.turns.pairs &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            add(preset.rope, {say::kAsModel, {preset.title}});
        }
    }
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

}  // namespace

bool explain_low_precision(Explanation& side, std::span<const RopeSpec> expected) {
    const std::vector<SpectrumModel> models = exact_models(side, expected);
    for (const Chain& chain : kChains) {
        for (const SpectrumModel& model : models) {
            for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
                for (const int sign : {1, -1}) {
                    if (matches(side, model, sign, chain, dtype)) {
                        accept(side, model, sign, chain, dtype);
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

}  // namespace ropescope::diagnosis
