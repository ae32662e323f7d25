// Implementations that turn k otherwise than q, or do not rotate.
#include <cmath>
#include <limits>

#include "core/base/uniform.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/planted_kinds.h"

namespace ropescope::test {

namespace {

/// Two heads are the fewest from which the two factors of a channel follow.
void several_heads(Implementation& made) {
    sharp(made);
    made.heads = made.key_heads = 4;
}

}  // namespace

std::vector<Kind> side_faults() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"q_reversed",
         Verdict::invalid,
         {"sign.reversed"},
         any,
         [](Implementation& made, Dice&) { made.sign = -1.0; }},
        {"k_reversed",
         Verdict::invalid,
         {"sign.k_reversed"},
         any,
         [](Implementation& made, Dice&) { made.key_sign = -1.0; }},
        {"k_unrotated",
         Verdict::invalid,
         {"k.unrotated"},
         any,
         [](Implementation& made, Dice&) { made.key_omega.assign(made.omega.size(), 0.0); }},
        {"k_rotated_twice",
         Verdict::invalid,
         {"k.rotated_twice"},
         any,
         [](Implementation& made, Dice&) {
             sharp(made);
             made.key_omega = made.omega;
             for (double& omega : made.key_omega) {
                 omega *= 2.0;
             }
         }},
        {"gain_both",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice& dice) {
             made.gain = made.key_gain = dice.pick({1.7, 2.0, 0.8});
         }},
        {"gain_k",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice&) { made.key_gain = 1.2; }},
        {"gain_of_tokens",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice& dice) {
             const auto seed = static_cast<std::uint64_t>(dice.integer(1, 1'000'000));
             made.token_gain = [=](Index token) {
                 return 0.7 + 0.6 * uniform(seed, static_cast<std::uint64_t>(token));
             };
         }},
        {"gain_of_some_tokens",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice& dice) {
             const Index every = dice.integer(5, 9);
             made.token_gain = [=](Index token) { return token % every == 0 ? 1.25 : 1.0; };
         }},
        {"norm_behind",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice& dice) {
             made.spec.rotary_dim = made.spec.head_dim;
             use_spec(made);
             const auto seed = static_cast<std::uint64_t>(dice.integer(1, 1'000'000));
             made.pair_gain = [=](const At& at, Index) {
                 const auto row = static_cast<std::uint64_t>(at.l + 1000 * at.h + 100000 * at.b +
                                                             (at.key ? 10000000 : 0));
                 return 0.7 + 0.6 * uniform(seed, row);
             };
         }},
        {"qk_layout",
         Verdict::invalid,
         {"layout.half_split", "layout.interleaved"},
         any,
         [](Implementation& made, Dice&) {
             sharp(made);
             made.pairs = made.rotated = channel_pairs(Layout::half_split, made.spec.rotary_dim);
             made.key_pairs = made.key_rotated =
                 channel_pairs(Layout::interleaved, made.spec.rotary_dim);
         }},
        {"table_ends_in_zeros",
         Verdict::invalid,
         {"not_a_rotation"},
         any,
         [](Implementation& made, Dice& dice) {
             const Index end = made.length * dice.integer(4, 8) / 10;
             made.token_gain = [=](Index token) { return token < end ? 1.0 : 0.0; };
         }},
        {"broken_table",
         Verdict::invalid,
         {"not_a_rotation"},
         any,
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const Index pairs = made.spec.pairs();
             if (dice.coin()) {
                 made.second_entry = [=](Index pair) { return (pair + pairs / 2) % pairs; };
             } else {
                 made.second_entry = [=](Index pair) { return pair / 2; };
             }
         }},
        {"k_changes_sign",
         Verdict::invalid,
         {"phase"},
         any,
         [](Implementation& made, Dice&) { made.key_gain = -1.0; }},
        {"q_has_exchanged_tables",
         Verdict::invalid,
         {"phase", "sign.reversed"},
         any,
         [](Implementation& made, Dice&) { made.exchanged = true; }},
        {"lost_minus",
         Verdict::invalid,
         {"not_a_rotation"},
         any,
         [](Implementation& made, Dice&) {
             several_heads(made);
             made.first_sign = 1.0;
         }},
        {"factor_on_one_table",
         Verdict::invalid,
         {"not_a_rotation"},
         any,
         [](Implementation& made, Dice& dice) {
             several_heads(made);
             (dice.coin() ? made.sin_gain : made.cos_gain) = dice.pick({0.0, 0.5, 1.25, 2.0});
         }},
        {"stretched_alike",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice& dice) { stretch_as_xpos(made, dice, 1.0); }},
        {"softmax_scale",
         Verdict::invalid,
         {"softmax.scale"},
         any,
         [](Implementation& made, Dice& dice) {
             made.score_scale = dice.coin() ? 1.0 : 1.0 / to_double(made.spec.head_dim);
         }},
        {"one_wrong_score",
         Verdict::invalid,
         {"scores.not_the_product"},
         any,
         [](Implementation& made, Dice& dice) {
             with_scores(made);
             const At place{false, dice.integer(0, made.batch - 1), dice.integer(0, made.heads - 1),
                            dice.integer(0, made.length - 1)};
             const Index at_key = dice.integer(0, made.length - 1);
             made.score_of = [=](const At& query, Index key, double score) {
                 const bool here = query.b == place.b && query.h == place.h && query.l == place.l &&
                                   key == at_key;
                 return here ? score + 0.25 : score;
             };
         }},
        {"score_of_no_number",
         Verdict::invalid,
         {"scores.not_finite"},
         any,
         [](Implementation& made, Dice& dice) {
             with_scores(made);
             const Index last = made.length - 1, first = dice.integer(0, last);
             const double value = dice.pick({std::numeric_limits<double>::quiet_NaN(),
                                             std::numeric_limits<double>::infinity()});
             made.score_of = [=](const At& query, Index key, double score) {
                 return query.l == last && key >= first ? value : score;
             };
         }},
        {"head_of_zero_scores",
         Verdict::invalid,
         {"scores.not_the_product"},
         any,
         [](Implementation& made, Dice& dice) {
             with_scores(made);
             const Index head = dice.integer(0, made.heads - 1);
             made.score_of = [=](const At& query, Index, double score) {
                 return query.h == head ? 0.0 : score;
             };
         }},
        {"head_without_keys",
         Verdict::invalid,
         {"scores.masked"},
         any,
         [](Implementation& made, Dice& dice) {
             with_scores(made);
             const Index head = dice.integer(0, made.heads - 1);
             made.score_of = [=](const At& query, Index, double score) {
                 return query.h == head ? -std::numeric_limits<double>::infinity() : score;
             };
         }},
    };
}

}  // namespace ropescope::test
