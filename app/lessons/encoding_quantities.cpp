// The numbers of lessons about pairs, speeds, wavelengths, scaling and precision.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figures/context/context.h"
#include "app/figures/shared/describe.h"
#include "app/lessons/quantities.h"
#include "core/analysis/precision.h"
#include "core/rope/spectrum.h"

namespace ropescope::lessons {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

Spectrum spectrum_of(const Asked& asked) {
    return make_spectrum(rope_spec(asked.scene));
}

double speed(const Asked& asked) {
    return spectrum_of(asked).inv_freq_rad[asked.scene.selected_pair];
}

double wavelength(const Asked& asked) {
    return spectrum_of(asked).wavelength_positions(asked.scene.selected_pair);
}

double turns(const Asked& asked) {
    return static_cast<double>(asked.scene.context_length) / wavelength(asked);
}

double query_turn_degrees(const Asked& asked) {
    return static_cast<double>(asked.scene.query_position) * speed(asked) * kDegrees;
}

/// How far that is from a whole number of turns.
double query_turn_rest_degrees(const Asked& asked) {
    return std::abs(reduced_angle_rad(asked.scene.query_position, speed(asked))) * kDegrees;
}

/// At the scene's length of context, for methods that depend on it.
Spectrum spectrum_at_context(const Asked& asked) {
    return make_spectrum(figures::at_context(rope_spec(asked.scene), asked.scene.context_length));
}

double unfinished_pairs(const Asked& asked) {
    const Spectrum spectrum = spectrum_at_context(asked);
    double count = 0;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        count +=
            spectrum.wavelength_positions(pair) > to_double(asked.scene.context_length) ? 1 : 0;
    }
    return count;
}

double slowdown(const Asked& asked) {
    const Index pair = asked.scene.selected_pair;
    return make_spectrum(unscaled_rope_spec(asked.scene)).inv_freq_rad[pair] /
           spectrum_at_context(asked).inv_freq_rad[pair];
}

/// The row of the context calculator for the scene's method.
figures::MethodRow method_row(const Asked& asked) {
    const figures::Methods methods = figures::extension_methods(asked.scene);
    const figures::MethodRow* row = methods.find(asked.scene.scaling);
    return row == nullptr ? methods.rows.front() : *row;
}

double rounded_angle_error(const Asked& asked) {
    double worst = 0;
    for (const double speed_rad : spectrum_of(asked).inv_freq_rad) {
        worst = std::max(worst, std::abs(round_to(NumberFormat::bf16, speed_rad) - speed_rad));
    }
    return worst * static_cast<double>(asked.scene.query_position);
}

double table_error(const Asked& asked) {
    const std::vector<double> errors = chain_error(precision_chain(asked.scene.precision_chain),
                                                   spectrum_of(asked), asked.scene.query_position);
    return *std::ranges::max_element(errors);
}

/// Both positions move by as much as the context is long.
double score_violation(const Asked& asked) {
    const Scene& scene = asked.scene;
    return relative_violation(precision_chain(scene.precision_chain), spectrum_of(asked),
                              scene.head_dim, scene.query_position, scene.key_position,
                              scene.context_length)
        .worst;
}

double cosine_to_unscaled(const Asked& asked) {
    const Spectrum plain = make_spectrum(unscaled_rope_spec(asked.scene));
    const Spectrum scaled = spectrum_of(asked);
    double sum = 0;
    for (Index pair = 0; pair < plain.pairs(); ++pair) {
        const Index at = asked.scene.query_position;
        sum += std::cos(reduced_angle_rad(at, plain.inv_freq_rad[pair]) -
                        reduced_angle_rad(at, scaled.inv_freq_rad[pair]));
    }
    return sum / to_double(plain.pairs());
}

}  // namespace

std::vector<NumberQuantity> encoding_quantities() {
    return {
        {"pair_count", "pairs of channels that turn",
         [](const Asked& asked) { return static_cast<double>(asked.scene.rotary_dim / 2); }},
        {"speed", "radians per position of the selected pair", speed},
        {"wavelength", "positions of one turn of the selected pair", wavelength},
        {"turns", "turns of the selected pair within the context", turns},
        {"query_turn_degrees", "degrees by which the query's position turns the selected pair",
         query_turn_degrees},
        {"query_turn_rest_degrees", "how many degrees that is from the nearest whole turn",
         query_turn_rest_degrees},
        {"unfinished_pairs", "pairs that finish no turn within the context", unfinished_pairs},
        {"slowdown", "how many times slower the scaling makes the selected pair", slowdown},
        {"needed_factor", "target length over trained length",
         [](const Asked& asked) { return figures::needed_factor(asked.scene); }},
        {"kept_pairs", "pairs that the scaling leaves as fast as they were",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).kept); }},
        {"slower_pairs", "pairs that the scaling slows",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).slower()); }},
        {"unseen_pairs", "pairs that meet angles within the target that training never showed",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).unseen); }},
        {"table_error", "largest error of cos and sin at the query's position, for the chain",
         table_error},
        {"score_violation",
         "largest change of a score, over |q| |k|, if both positions move by the context length",
         score_violation},
        {"rounded_angle_error",
         "largest error in radians of an angle at the query's position if inv_freq is bf16",
         rounded_angle_error},
        {"cosine_to_unscaled",
         "mean cosine between a vector turned with and without the scaling at the query's position",
         cosine_to_unscaled},
    };
}

}  // namespace ropescope::lessons
