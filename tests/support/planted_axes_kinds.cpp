// Implementations that turn by several axes.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/support/planted_kinds.h"

namespace ropescope::test {
namespace {

/// Text, an image of `rows` x `columns` patches and text again, as M-RoPE counts them.
void show_image(Implementation& made, Index rows, Index columns) {
    std::vector<std::array<double, 3>> places;
    for (Index t = 0; t < 5; ++t) {
        places.push_back({to_double(t), to_double(t), to_double(t)});
    }
    for (Index h = 0; h < rows; ++h) {
        for (Index w = 0; w < columns; ++w) {
            places.push_back({5.0, to_double(5 + h), to_double(5 + w)});
        }
    }
    for (Index t = 0; t < 4; ++t) {
        const double next = to_double(5 + std::max(rows, columns) + t);
        places.push_back({next, next, next});
    }
    made.length = std::ssize(places);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const auto& place : places) {
            made.axis_positions.push_back(place[axis]);
        }
    }
}

/// The text of Qwen2-VL: sections of 16, 24 and 24 pairs.
void as_qwen2_vl(Implementation& made, Dice& dice) {
    made.spec.head_dim = made.spec.rotary_dim = 128;
    made.spec.base = 1e6;
    made.spec.layout = Layout::half_split;
    made.dtype = Dtype::f32;
    made.batch = 1;
    use_spec(made);
    show_image(made, dice.integer(3, 6), dice.integer(7, 10));
    for (Index p = 0; p < made.spec.pairs(); ++p) {
        made.axis_of_pair.push_back(p < 16 ? 0 : p < 40 ? 1 : 2);
    }
}

/// Rows and columns of an image of patches.
void show_patches(Implementation& made, Index rows, Index columns) {
    made.length = rows * columns;
    made.axis_positions.resize(2 * made.length);
    for (Index at = 0; at < made.length; ++at) {
        made.axis_positions[at] = to_double(at / columns);
        made.axis_positions[made.length + at] = to_double(at % columns);
    }
}

/// A vision tower whose heads have 64 channels, on an image that is not square.
void as_tower(Implementation& made, Dice& dice) {
    made.spec.head_dim = made.spec.rotary_dim = 64;
    made.spec.base = 10000.0;
    made.dtype = dice.pick({Dtype::f32, Dtype::f32, Dtype::bf16});
    made.batch = dice.integer(1, 2);
    made.heads = made.key_heads = dice.integer(2, 4);
    use_spec(made);
    use_layout(made, dice.coin() ? Layout::half_split : Layout::interleaved);
    show_patches(made, dice.integer(4, 6), dice.integer(7, 9));
}

/// Directions and speeds as RoPE-Mixed draws them at first, and training moves them.
std::vector<std::array<double, 2>> learned_directions(Index pairs, Dice& dice) {
    const double start = dice.real(0.0, 6.28);
    std::vector<std::array<double, 2>> rows;
    for (Index p = 0; p < pairs; ++p) {
        const Index quarter = pairs / 2;
        const double speed =
            std::pow(10.0, -to_double(p % quarter) / to_double(quarter)) * dice.real(0.8, 1.2);
        const double angle = start + (p < quarter ? 0.0 : 1.5707963) + dice.real(-0.3, 0.3);
        rows.push_back({speed * std::cos(angle), speed * std::sin(angle)});
    }
    return rows;
}

/// Pairs of head h turn by rows[h] over both axes.
void turn_by_rows(Implementation& made, std::vector<std::vector<std::array<double, 2>>> rows) {
    const std::vector<double> positions = made.axis_positions;
    const Index length = made.length;
    made.angle_of = [=](const At& at, Index pair) {
        const auto& row = rows[at.h % std::ssize(rows)][pair];
        return row[0] * positions[at.l] + row[1] * positions[length + at.l];
    };
}

std::vector<Kind> mixed_kinds() {
    const std::set<std::string> any = {"spectrum.scaled", "spectrum.default"};
    return {
        {"mixed_axes",
         Verdict::valid,
         {"axes.map", "spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             turn_by_rows(made, {learned_directions(made.spec.pairs(), dice)});
         }},
        {"mixed_axes_per_head",
         Verdict::valid,
         {"axes.map", "spectrum.per_head", "spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             std::vector<std::vector<std::array<double, 2>>> rows;
             for (Index h = 0; h < made.heads; ++h) {
                 rows.push_back(learned_directions(made.spec.pairs(), dice));
             }
             turn_by_rows(made, std::move(rows));
         }},
        {"spiral_directions",
         Verdict::valid,
         {"axes.map", "spectrum.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             std::vector<std::array<double, 2>> rows;
             for (Index p = 0; p < made.spec.pairs(); ++p) {
                 const double share = to_double(p) / to_double(made.spec.pairs());
                 const double speed = 1.5 * std::pow(0.05, share), angle = 2.3999632 * to_double(p);
                 rows.push_back({speed * std::cos(angle), speed * std::sin(angle)});
             }
             turn_by_rows(made, {rows});
         }},
        {"mixed_axes_key_reversed",
         Verdict::invalid,
         {"sign.k_reversed"},
         {"axes.map", "spectrum.scaled"},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             turn_by_rows(made, {learned_directions(made.spec.pairs(), dice)});
             made.key_sign = -1.0;
         }},
        {"mixed_axes_qk",
         Verdict::invalid,
         {"spectrum.qk_mismatch"},
         {"axes.map", "spectrum.scaled"},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             turn_by_rows(made, {learned_directions(made.spec.pairs(), dice)});
             const auto forward = made.angle_of;
             made.angle_of = [=](const At& at, Index pair) {
                 return at.key ? 0.5 * forward(at, pair) : forward(at, pair);
             };
         }},
        {"axes_by_head",
         Verdict::valid,
         {"axes.map", "spectrum.default", "spectrum.per_head"},
         {},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             made.dtype = Dtype::f32;
             made.heads = made.key_heads = 4;
             const std::vector<double> omega = made.omega, positions = made.axis_positions;
             const Index length = made.length;
             made.angle_of = [=](const At& at, Index pair) {
                 return omega[pair] * positions[(at.h < 2 ? 0 : length) + at.l];
             };
         }},
        {"axes_exchanged",
         Verdict::undetermined,
         {"axes.swapped"},
         {"spectrum.default"},
         [](Implementation& made, Dice& dice) {
             as_tower(made, dice);
             made.spec.head_dim = made.spec.rotary_dim = 80;
             use_spec(made);
             use_layout(made, Layout::half_split);
             for (Index p = 0; p < made.spec.pairs(); ++p) {
                 made.axis_of_pair.push_back(p < 20 ? 1 : 0);
                 made.omega[p] = std::pow(10000.0, -to_double(p % 20) / 20.0);
             }
         }},
    };
}

std::vector<Kind> section_kinds() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"m_rope", Verdict::valid, {"axes.map", "spectrum.default"}, {}, as_qwen2_vl},
        {"m_rope_interleaved",
         Verdict::valid,
         {"axes.map", "spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             as_qwen2_vl(made, dice);
             for (Index p = 0; p < made.spec.pairs(); ++p) {
                 made.axis_of_pair[p] = p < 60 ? p % 3 : 0;
             }
         }},
        {"axes_blocks",
         Verdict::valid,
         {"axes.map", "spectrum.default"},
         {},
         [](Implementation& made, Dice& dice) {
             as_qwen2_vl(made, dice);
             made.spec.base = dice.pick({10000.0, 100.0});
             use_layout(made, Layout::interleaved);
             const std::array<Index, 3> sizes = {8, 28, 28};
             Index pair = 0;
             for (Index axis = 0; axis < 3; ++axis) {
                 const Index size = sizes[static_cast<std::size_t>(axis)];
                 for (Index j = 0; j < size; ++j, ++pair) {
                     made.axis_of_pair[pair] = axis;
                     made.omega[pair] = std::pow(made.spec.base, -to_double(j) / to_double(size));
                 }
             }
         }},
        {"axes_swapped",
         Verdict::invalid,
         {"axes.swapped"},
         any,
         [](Implementation& made, Dice& dice) {
             as_qwen2_vl(made, dice);
             for (Index& axis : made.axis_of_pair) {
                 axis = axis == 0 ? 0 : 3 - axis;
             }
         }},
        {"axes_qk",
         Verdict::invalid,
         {"axes.map"},
         {"spectrum.default", "axes.swapped"},
         [](Implementation& made, Dice& dice) {
             as_qwen2_vl(made, dice);
             made.swap_key_axes = true;
         }},
        {"axes_agree",
         Verdict::undetermined,
         {},
         any,
         [](Implementation& made, Dice& dice) {
             as_qwen2_vl(made, dice);
             for (Index l = 0; l < made.length; ++l) {
                 for (Index axis = 0; axis < 3; ++axis) {
                     made.axis_positions[axis * made.length + l] = to_double(l);
                 }
             }
         }},
    };
}

}  // namespace

std::vector<Kind> axes_kinds() {
    std::vector<Kind> kinds = section_kinds();
    for (Kind& kind : mixed_kinds()) {
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

}  // namespace ropescope::test
