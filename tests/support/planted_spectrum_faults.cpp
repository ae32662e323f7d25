// Implementations that turn at wrong speeds.
#include <algorithm>
#include <cmath>

#include "core/rope/spectrum.h"
#include "tests/support/planted_kinds.h"

namespace ropescope::test {

std::vector<Kind> spectrum_faults() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"exponent_off_by_one",
         Verdict::invalid,
         {"spectrum.exponent_off_by_one"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const double first = dice.pick({1.0, 2.0});
             for (Index i = 0; i < made.spec.pairs(); ++i) {
                 made.omega[i] = std::pow(made.spec.base, -(2.0 * to_double(i) + first) /
                                                              to_double(made.spec.rotary_dim));
             }
         }},
        {"flat",
         Verdict::invalid,
         {"spectrum.flat"},
         {},
         [](Implementation& made, Dice&) { std::ranges::fill(made.omega, 1.0); }},
        {"inverted",
         Verdict::invalid,
         {"spectrum.inverted"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             if (dice.coin()) {
                 std::ranges::reverse(made.omega);
             } else {
                 for (double& omega : made.omega) {
                     omega = 1.0 / omega;
                 }
             }
         }},
        {"zero",
         Verdict::invalid,
         {"spectrum.zero"},
         {},
         [](Implementation& made, Dice&) { std::ranges::fill(made.omega, 0.0); }},
        {"inv_freq_16",
         Verdict::invalid,
         {"spectrum.low_precision"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.inv_freq = dice.coin() ? Dtype::bf16 : Dtype::f16;
             made.spec.base = dice.pick({10000.0, 500000.0});
             use_spec(made);
         }},
        {"angle_16",
         Verdict::invalid,
         {"spectrum.low_precision"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.angle = dice.coin() ? Dtype::bf16 : Dtype::f16;
         }},
        {"qk_mismatch",
         Verdict::invalid,
         {"spectrum.qk_mismatch"},
         any,
         [](Implementation& made, Dice& dice) {
             sharp(made);
             RopeSpec other = made.spec;
             other.base = made.spec.base * dice.pick({2.0, 10.0, 50.0});
             made.key_omega = make_spectrum(other).inv_freq_rad;
         }},
        {"longrope_switch",
         Verdict::invalid,
         {"spectrum.changes_at"},
         {"spectrum.default", "spectrum.scaled", "gain"},
         [](Implementation& made, Dice& dice) {
             large(made, dice);
             made.spec.base = 10000.0;
             use_spec(made);
             const Index change = made.length / 2;
             const std::vector<double> before = made.omega;
             std::vector<double> after = before;
             for (std::size_t i = 0; i < after.size(); ++i) {
                 const double place = static_cast<double>(i) / static_cast<double>(after.size());
                 after[i] /= 1.0 + 40.0 * std::pow(place, 3.0);
             }
             made.speed = [=](const At& at, Index pair) {
                 return at.l < change ? before[pair] : after[pair];
             };
         }},
        {"changes_at",
         Verdict::invalid,
         {"spectrum.changes_at"},
         any,
         [](Implementation& made, Dice& dice) {
             large(made, dice);
             use_spec(made);
             RopeSpec later = made.spec;
             later.scaling = LinearScaling{4.0};
             const Index change = made.length / 2;
             const std::vector<double> before = made.omega;
             const std::vector<double> after = make_spectrum(later).inv_freq_rad;
             made.speed = [=](const At& at, Index pair) {
                 return at.l < change ? before[pair] : after[pair];
             };
         }},
    };
}

}  // namespace ropescope::test
