// Implementations whose heads do not turn alike.
#include <cmath>

#include "core/rope/spectrum.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/planted_kinds.h"

namespace ropescope::test {
namespace {

/// Four heads of k, two of q for each, in fp32.
void with_groups(Implementation& made, Dice& dice) {
    sharp(made);
    made.spec.base = 10000.0;
    made.spec.head_dim = made.spec.rotary_dim = dice.pick<Index>({32, 64, 128});
    use_spec(made);
    made.heads = 8;
    made.key_heads = 4;
}

Index key_head(const At& at) {
    return at.key ? at.h : at.h / 2;
}

/// Heads turn by `omega(head of k)`.
void turn_by_head(Implementation& made, std::function<std::vector<double>(Index key_head)> omega) {
    made.speed = [omega](const At& at, Index pair) { return omega(key_head(at))[pair]; };
}

std::vector<double> spectrum_of(RopeSpec spec, double base) {
    spec.base = base;
    return make_spectrum(spec).inv_freq_rad;
}

std::vector<Kind> right_heads() {
    return {
        {"heads_bases",
         Verdict::valid,
         {"spectrum.per_head", "spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const Index first = dice.integer(1, 3);
             const auto slow = spectrum_of(made.spec, dice.pick({500000.0, 1e6})),
                        fast = made.omega;
             turn_by_head(made, [=](Index head) { return head < first ? fast : slow; });
         }},
        {"heads_factors",
         Verdict::valid,
         {"spectrum.per_head", "spectrum.scaled"},
         {"spectrum.default"},
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const double first = dice.pick({1.0, 1.2}), step = dice.pick({0.2, 0.5});
             const std::vector<double> plain = made.omega;
             turn_by_head(made, [=](Index head) {
                 std::vector<double> omega = plain;
                 for (double& each : omega) {
                     each /= first + step * to_double(head);
                 }
                 return omega;
             });
         }},
        {"heads_reversed",
         Verdict::equivalent,
         {"sign.reversed"},
         {"spectrum.default"},
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const Index reversed = dice.integer(0, 3);
             made.turned_by = [=](const At& at, double stated) {
                 return key_head(at) == reversed ? -stated : stated;
             };
         }},
        // Keys of other calls stand where they are stated.
        {"heads_offset",
         Verdict::invalid,
         {"positions.offset"},
         {"spectrum.default"},
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const double step = dice.pick({1.0, 5.0});
             made.turned_by = [=](const At& at, double stated) {
                 return stated + step * to_double(key_head(at));
             };
         }},
    };
}

std::vector<Kind> wrong_heads() {
    const std::set<std::string> any = {"spectrum.default", "spectrum.per_head"};
    return {
        {"heads_groups_mixed_up",
         Verdict::invalid,
         {"spectrum.qk_mismatch", "spectrum.per_head"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const auto slow = spectrum_of(made.spec, 500000.0), fast = made.omega;
             made.speed = [=](const At& at, Index pair) {
                 return (at.key ? at.h < 2 : at.h < 3) ? fast[pair] : slow[pair];
             };
         }},
        {"heads_layout",
         Verdict::invalid,
         {"layout.half_split", "layout.interleaved"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const auto halves = channel_pairs(Layout::half_split, made.spec.rotary_dim);
             const auto turns = channel_pairs(Layout::interleaved, made.spec.rotary_dim);
             const Index first = dice.integer(1, 3);
             made.pairs_of = [=](const At& at) { return key_head(at) < first ? &halves : &turns; };
         }},
        {"heads_key_reversed",
         Verdict::invalid,
         {"sign.k_reversed"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const Index reversed = dice.integer(0, 3);
             made.turned_by = [=](const At& at, double stated) {
                 return at.key && at.h == reversed ? -stated : stated;
             };
         }},
        {"heads_key_offset",
         Verdict::invalid,
         {"positions.qk_offset"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const Index off = dice.integer(0, 3);
             made.turned_by = [=](const At& at, double stated) {
                 return at.key && at.h == off ? stated + 1.0 : stated;
             };
         }},
        {"heads_still_and_bases",
         Verdict::invalid,
         {"rows.unrotated", "spectrum.per_head"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const auto slow = spectrum_of(made.spec, 500000.0), fast = made.omega;
             turn_by_head(made, [=](Index head) {
                 return head == 0 ? std::vector<double>(fast.size()) : head == 1 ? fast : slow;
             });
         }},
        {"heads_clamped",
         Verdict::invalid,
         {"positions.clamped"},
         any,
         [](Implementation& made, Dice& dice) {
             with_groups(made, dice);
             const Index own = dice.integer(0, 3);
             const double last = made.stated[made.length * dice.integer(5, 8) / 10];
             made.turned_by = [=](const At& at, double stated) {
                 return key_head(at) == own ? std::min(stated, last) : stated;
             };
         }},
    };
}

}  // namespace

std::vector<Kind> head_kinds() {
    std::vector<Kind> kinds = right_heads();
    for (Kind& kind : wrong_heads()) {
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

}  // namespace ropescope::test
