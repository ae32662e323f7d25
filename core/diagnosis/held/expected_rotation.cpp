// Takes a model's embedding to the channels and axes of a tensor, and bounds what float32 makes of
// its frequencies.
#include "core/diagnosis/held/expected_rotation.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/diagnosis/hypotheses/axis_map.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "core/schemes/part.h"

namespace ropescope::diagnosis {
namespace {

/// Bound of the relative error of an angle whose frequency base^-e is formed in fp32, in units of
/// 2^-24, where `log_omega` is e ln(base). Programs form it in one of two ways.
/// By itself: exp(-e ln(base)) or base^e, whose exponent is off by up to 2 units (a constant and a
/// product), which is 2 e ln(base) in the power; the power (2), its reciprocal (1), a division by a
/// factor (1) and the product with the position (1).
/// By a chain, as ggml's theta *= theta_scale: each of the i products is off by a unit and by that
/// of the scale, a power whose exponent is -2 / d: 1 + ln(base) 2 / d. With the first angle and a
/// factor that is 2 + 2 i + e ln(base).
double angle_units_of(double log_omega, Index pair) {
    return std::max(5.0 + 2.0 * log_omega, 2.0 + 2.0 * to_double(pair) + log_omega);
}

double log_of(double omega) {
    return omega == 0.0 ? 0.0 : std::abs(std::log(std::abs(omega)));
}

/// [pairs] bounds for a spectrum in one axis.
std::vector<double> errors_of(const RopeSpec& spec, std::span<const double> omega) {
    RopeSpec plain = spec;
    plain.scaling = NoScaling();
    const std::vector<double> unscaled = make_spectrum(plain).inv_freq_rad;
    std::vector<double> error;
    for (Index p = 0; p < std::ssize(omega); ++p) {
        const double without = p < std::ssize(unscaled) ? unscaled[p] : omega[p];
        const double log = std::max(log_of(without), log_of(omega[p]));
        const double method = fp32_units(spec.scaling, frequency_input(spec), p, log);
        error.push_back(kUnitOfF32 * (angle_units_of(log, p) * std::abs(omega[p]) +
                                      method * std::max(without, std::abs(omega[p]))));
    }
    return error;
}

/// [pairs, axes] of a scheme of which no more than its frequencies is known.
std::vector<double> errors_of(const Spectrum& spectrum) {
    std::vector<double> error;
    for (Index p = 0; p < spectrum.pairs(); ++p) {
        for (const double omega : spectrum.omega_rad(p)) {
            error.push_back(kUnitOfF32 * angle_units_of(log_of(omega), p) * std::abs(omega));
        }
    }
    return error;
}

/// Whether a scheme turns text as the spectrum does: then its frequencies are made in the same way.
bool has_speeds_of(const Spectrum& several, std::span<const double> omega) {
    if (several.pairs() != std::ssize(omega)) {
        return false;
    }
    for (Index p = 0; p < several.pairs(); ++p) {
        double sum = 0.0;
        for (const double each : several.omega_rad(p)) {
            sum += each;
        }
        if (std::abs(std::abs(sum) - omega[p]) > 1e-12 * omega[p]) {
            return false;
        }
    }
    return true;
}

/// The scheme of a file of several axes may have a method of scaling, which only its text names.
void add_errors_of_text(const std::vector<ExpectedPart>& texts, ExpectedPart& part) {
    for (const ExpectedPart& text : texts) {
        const std::vector<double> omega = make_spectrum(*text.spec).inv_freq_rad;
        for (std::size_t h = 0; h < part.scheme.heads.size(); ++h) {
            const Spectrum& own = part.scheme.heads[h];
            if (!has_speeds_of(own, omega)) {
                continue;
            }
            for (Index p = 0; p < own.pairs(); ++p) {
                for (Index a = 0; a < own.axes; ++a) {
                    const bool turns = own.omega_rad(p)[a] != 0.0;
                    double& error = part.error[h][p * own.axes + a];
                    error = turns ? std::max(error, text.error.front()[p]) : 0.0;
                }
            }
        }
    }
}

/// The channels of a tensor that a head of the scheme lies on: behind the first ones, all of them,
/// or the slice that turns. Empty if none fits.
std::optional<Index> first_channel_of(const RotaryScheme& scheme, Index channels) {
    if (channels >= scheme.head_dim) {
        return channels - scheme.head_dim;
    }
    const bool slice = channels == 2 * scheme.pair_count() &&
                       std::ranges::all_of(scheme.pairs, [&](const ChannelPair& pair) {
                           return pair.first < channels && pair.second < channels;
                       });
    return slice ? std::optional(Index{0}) : std::nullopt;
}

HeldHead as_text(const HeldHead& head, Index axes) {
    HeldHead text{.gain = head.gain};
    for (std::size_t p = 0; p * axes < head.omega.size(); ++p) {
        double omega = 0.0, error = 0.0;
        for (Index a = 0; a < axes; ++a) {
            omega += head.omega[p * axes + a];
            error += head.error[p * axes + a];
        }
        text.omega.push_back(omega);
        text.error.push_back(error);
    }
    return text;
}

}  // namespace

Index reach_of(const Dump& dump) {
    double reach = 1.0;
    for (const bool of_keys : {false, true}) {
        if (of_keys ? dump.k.has_value() : dump.q.has_value()) {
            for (const double position : stated_positions(dump, of_keys).values) {
                reach = std::max(reach, position + 1.0);
            }
        }
    }
    return static_cast<Index>(std::min(reach, to_double(kMaxSeqLen)));
}

ExpectedPart part_of_spec(const RopeSpec& spec, bool backwards) {
    ExpectedPart part{.scheme = text_scheme(spec, backwards), .spec = spec};
    part.error = {errors_of(spec, make_spectrum(spec).inv_freq_rad)};
    return part;
}

std::vector<ExpectedPart> expected_parts(const Expectation& expectation, Index reach) {
    std::vector<ExpectedPart> parts;
    for (std::size_t i = 0; i < expectation.specs.size(); ++i) {
        RopeSpec spec = expectation.specs[i];
        if (depends_on_seq_len(spec.scaling) && spec.seq_len == 0) {
            spec.seq_len = reach;
        }
        parts.push_back(part_of_spec(spec, expectation.backwards));
        if (i < expectation.layer_types.size()) {
            parts.back().layer_type = expectation.layer_types[i];
        }
    }
    const std::vector<ExpectedPart> texts = parts;
    for (const RotaryScheme& scheme : expectation.schemes) {
        ExpectedPart part{.scheme = scheme};
        for (const Spectrum& head : scheme.heads) {
            part.error.push_back(errors_of(head));
        }
        add_errors_of_text(texts, part);
        parts.push_back(std::move(part));
    }
    return parts;
}

std::optional<ExpectedRotation> rotation_of(const ExpectedPart& part, Index channels,
                                            const DumpPositions& positions) {
    const std::optional<Index> first = first_channel_of(part.scheme, channels);
    const Index axes = part.axes();
    const bool text = positions.axes == 1 || axes == 1;
    if (!first || (axes != positions.axes && !(text && axes_agree(positions)))) {
        return std::nullopt;
    }
    ExpectedRotation rotation{.axes = text ? 1 : axes, .first_channel = *first};
    for (const ChannelPair& pair : part.scheme.pairs) {
        rotation.pairs.push_back({pair.first + *first, pair.second + *first});
    }
    rotation.written = rotation.pairs;
    for (std::size_t h = 0; h < part.scheme.heads.size(); ++h) {
        const Spectrum& spectrum = part.scheme.heads[h];
        HeldHead head{spectrum.inv_freq_rad, part.error[h], spectrum.attention_factor};
        rotation.heads.push_back(text ? as_text(head, axes) : std::move(head));
    }
    return rotation;
}

std::vector<double> frequency_errors(std::span<const double> omega,
                                     const std::optional<RopeSpec>& spec) {
    if (spec) {
        try {
            validate(*spec);
            std::vector<double> error = errors_of(*spec, omega);
            return error;
        } catch (const InputError&) {
            return frequency_errors(omega);
        }
    }
    std::vector<double> error;
    for (Index p = 0; p < std::ssize(omega); ++p) {
        error.push_back(kUnitOfF32 * angle_units_of(log_of(omega[p]), p) * std::abs(omega[p]));
    }
    return error;
}

}  // namespace ropescope::diagnosis
