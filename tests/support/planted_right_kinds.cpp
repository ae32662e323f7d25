// Implementations whose scores are right, and dumps that say too little.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formats/presets.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/planted_kinds.h"

namespace ropescope::test {

std::vector<Kind> right_kinds() {
    return {
        {"default", Verdict::valid, {"spectrum.default"}, {}, [](Implementation&, Dice&) {}},
        {"any_base",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.spec.base = std::round(dice.real(2000.0, 90000.0));
             use_spec(made);
         }},
        {"later_positions",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             start_at(made, to_double(dice.pick<Index>({1, 17, 255, 4000, 100000})));
         }},
        {"sparse_positions",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.spec.base = dice.pick({10000.0, 500000.0});
             made.stated.resize(made.length = 11);
             made.stated = {0, 1, 255, 256, 257, 1000, 4095, 4096, 4097, 32768, 131071};
             made.state_positions = true;
             use_spec(made);
         }},
        {"last_channels",
         Verdict::valid,
         {"spectrum.default", "partial_rotary"},
         {},
         [](Implementation& made, Dice& dice) {
             made.spec.head_dim = made.spec.rotary_dim + dice.pick<Index>({2, 32, 64, 128});
             use_spec(made);
             for (auto* pairs : {&made.pairs, &made.rotated, &made.key_pairs, &made.key_rotated}) {
                 for (ChannelPair& pair : *pairs) {
                     pair.first += made.spec.head_dim - made.spec.rotary_dim;
                     pair.second += made.spec.head_dim - made.spec.rotary_dim;
                 }
             }
         }},
        {"small_heads",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.spec.head_dim = made.spec.rotary_dim = dice.pick<Index>({4, 6, 8, 12});
             made.spec.base = dice.pick({10000.0, 500000.0});
             made.heads = made.key_heads = 4;
             use_spec(made);
         }},
        {"long_sequences",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             made.batch = made.heads = made.key_heads = 1;
             made.stated.clear();
             made.length = dice.pick<Index>({2048, 3000});
             for (Index l = 0; l < made.length; ++l) {
                 made.stated.push_back(to_double(l));
             }
             made.spec.head_dim = made.spec.rotary_dim = 64;
             use_spec(made);
         }},
        {"real_positions",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const double first = dice.real(-30.0, 10.0), step = dice.pick({0.25, 0.5, 1.5});
             for (double& position : made.stated) {
                 position = to_float(first + step * position);
             }
             made.state_positions = true;
         }},
        {"ntk",
         Verdict::valid,
         {"spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             scaled(made, dice, NtkScaling{dice.pick({2.0, 4.0, 8.0})});
         }},
        {"decode_step",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(3, 6);
             made.length = 1;
             made.state_positions = true;
             made.dtype = Dtype::f32;
             made.spec.base = dice.pick({10000.0, 500000.0});
             use_spec(made);
             made.stated.clear();
             for (Index b = 0; b < made.batch; ++b) {
                 made.stated.push_back(to_double(7 + b + (b > 1 ? 30 * b : 0)));
             }
         }},
        {"q_only",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice&) { made.has_k = false; }},
        {"partial",
         Verdict::valid,
         {"spectrum.default", "partial_rotary"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.spec.head_dim = dice.pick<Index>({64, 80, 96, 128, 256});
             made.spec.rotary_dim = made.spec.head_dim / dice.pick<Index>({2, 4}) / 2 * 2;
             use_spec(made);
         }},
        {"linear",
         Verdict::valid,
         {"spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             scaled(made, dice, LinearScaling{dice.pick({2.0, 4.0, 8.0, 2.5})});
         }},
        {"yarn",
         Verdict::valid,
         {"spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             YarnScaling yarn{.factor = dice.pick({4.0, 8.0, 16.0, 40.0})};
             yarn.original_positions = dice.pick<Index>({2048, 4096, 8192, 32768});
             yarn.truncate = dice.coin();
             scaled(made, dice, yarn);
         }},
        {"llama3",
         Verdict::valid,
         {"spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             scaled(made, dice, Llama3Scaling{dice.pick({8.0, 32.0}), 1.0, 4.0, 8192});
         }},
        {"proportional",
         Verdict::valid,
         {"spectrum.scaled"},
         {"partial_rotary"},
         [](Implementation& made, Dice& dice) {
             scaled(made, dice, ProportionalScaling{dice.pick({0.25, 0.5}), 1.0});
             use_layout(made, Layout::half_split);
         }},
        {"preset",
         Verdict::valid,
         {},
         {"spectrum.default", "spectrum.scaled", "partial_rotary"},
         [](Implementation& made, Dice& dice) {
             const auto& presets = model_presets();
             sharp(made);
             made.spec = presets[dice.integer(0, std::ssize(presets) - 1)].rope;
             use_spec(made);
         }},
        {"blocks",
         Verdict::valid,
         {"layout.other"},
         {"spectrum.default", "spectrum.scaled"},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             made.spec.head_dim = made.spec.rotary_dim = dice.pick<Index>({64, 128});
             use_spec(made);
             const Index blocks = 2, each = made.spec.pairs() / blocks;
             made.pairs = half_split_blocks(made.spec.head_dim / blocks, blocks);
             made.rotated = made.key_pairs = made.key_rotated = made.pairs;
             for (Index i = 0; i < made.spec.pairs(); ++i) {
                 made.omega[i] = std::pow(made.spec.base, -to_double(i % each) / to_double(each));
             }
         }},
        {"xpos",
         Verdict::valid,
         {"gain.xpos", "spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) { stretch_as_xpos(made, dice, -1.0); }},
        {"bf16_table",
         Verdict::valid,
         {"table.bf16"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) {
             sharp(made);
             made.table = Dtype::bf16;
         }},
        {"fp16_table",
         Verdict::valid,
         {"table.fp16"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) {
             sharp(made);
             made.table = Dtype::f16;
         }},
        {"right_scores",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice&) { with_scores(made); }},
        {"masked_scores",
         Verdict::valid,
         {"spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             with_scores(made);
             const Index keys = made.length, padding = dice.integer(0, keys / 4);
             const Index window = dice.pick<Index>({keys, keys / 2, 5});
             const bool left = dice.coin(), added = dice.coin();
             const double hidden = dice.pick({-std::numeric_limits<double>::infinity(), -1e4,
                                              double{std::numeric_limits<float>::lowest()}});
             made.score_of = [=](const At& query, Index key, double score) {
                 const bool is_padding =
                     query.b > 0 && (left ? key < padding : key >= keys - padding);
                 const bool seen = key <= query.l && key > query.l - window && !is_padding;
                 return seen ? score : added ? score + hidden : hidden;
             };
         }},
        // As Gemma 2 and Granite have: only the model can say whether it is right.
        {"own_score_scale",
         Verdict::valid,
         {"spectrum.default", "softmax.scale"},
         {},
         [](Implementation& made, Dice& dice) {
             made.score_scale = dice.pick({1.3, 0.6}) / std::sqrt(to_double(made.spec.head_dim));
         }},
    };
}

std::vector<Kind> equivalent_kinds() {
    return {
        {"reversed_both",
         Verdict::equivalent,
         {"sign.reversed"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) { made.sign = made.key_sign = -1.0; }},
        {"offset_both",
         Verdict::equivalent,
         {"positions.offset"},
         {"spectrum.default"},
         [](Implementation& made, Dice& dice) {
             const double offset = to_double(dice.pick<Index>({1, 7, 100, 2047}));
             made.turned_by = [=](const At&, double stated) { return stated + offset; };
         }},
        {"exchanged_tables",
         Verdict::equivalent,
         {"phase", "sign.reversed"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) { made.exchanged = made.key_exchanged = true; }},
        {"both_change_sign",
         Verdict::equivalent,
         {"phase"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) { made.gain = made.key_gain = -1.0; }},
        {"permuted_both",
         Verdict::equivalent,
         {"layout.other"},
         {"spectrum.default"},
         [](Implementation& made, Dice&) {
             sharp(made);
             made.pairs = made.key_pairs = channel_pairs(Layout::interleaved, made.spec.rotary_dim);
             made.rotated = made.key_rotated =
                 channel_pairs(Layout::half_split, made.spec.rotary_dim);
         }},
    };
}

std::vector<Kind> undetermined_kinds() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"one_position",
         Verdict::undetermined,
         {},
         any,
         [](Implementation& made, Dice& dice) {
             made.length = 1;
             made.stated = {to_double(dice.integer(1, 40))};
             made.state_positions = true;
         }},
        {"position_zero",
         Verdict::undetermined,
         {},
         any,
         [](Implementation& made, Dice&) {
             std::ranges::fill(made.stated, 0.0);
             made.state_positions = true;
         }},
        // Any falling spectrum has a factor for each pair: only the model can say that it is right.
        {"longrope",
         Verdict::undetermined,
         {"spectrum.scaled"},
         {"gain"},
         [](Implementation& made, Dice& dice) {
             large(made, dice);
             made.spec.base = 10000.0;
             LongRopeScaling scaling;
             scaling.original_positions = 4096;
             for (Index i = 0; i < made.spec.pairs(); ++i) {
                 scaling.short_factor.push_back(
                     1.0 + 40.0 * std::pow(to_double(i) / to_double(made.spec.pairs()), 3.0));
             }
             scaling.long_factor = scaling.short_factor;
             made.spec.scaling = scaling;
             use_spec(made);
         }},
        {"zero_vectors",
         Verdict::undetermined,
         {},
         any,
         [](Implementation& made, Dice&) { made.scale_x = [](Index) { return 0.0; }; }},
    };
}

}  // namespace ropescope::test
