// Emulates implementations, right ones and wrong ones, in the arithmetic that they have.
#include "tests/support/planted_dumps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>

#include "core/base/uniform.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/rounding.h"
#include "core/formats/model_presets.h"
#include "core/rope/spectrum.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::test {
namespace {

using diagnosis::Verdict;

/// Random choices that depend on the seed alone.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}

    double real(double low, double high) { return low + (high - low) * uniform(seed_, counter_++); }
    Index integer(Index first, Index last) {
        return first + static_cast<Index>(real(0.0, to_double(last - first + 1)));
    }
    template <typename T>
    T pick(std::initializer_list<T> choices) {
        return choices.begin()[integer(0, std::ssize(choices) - 1)];
    }
    bool coin() { return integer(0, 1) == 1; }
    double normal() {
        const double u = real(0x1p-53, 1.0), v = real(0.0, 1.0);
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

  private:
    std::uint64_t seed_, counter_ = 0;
};

/// Where a number of a tensor stands.
struct At {
    bool key = false;
    Index b = 0, h = 0, l = 0;
};

/// An implementation: every part can be replaced by a wrong one.
struct Implementation {
    Index batch = 1, heads = 1, key_heads = 1, length = 1;
    RopeSpec spec;
    std::vector<double> omega;      ///< [pairs]
    std::vector<double> key_omega;  ///< of k; empty: the same
    std::vector<ChannelPair> pairs, rotated, key_pairs, key_rotated;
    std::vector<double> stated;    ///< [batch or 1, length]
    bool state_positions = false;  ///< whether the dump has `positions`
    Dtype dtype = Dtype::f32;      ///< of the tensors and of the arithmetic
    std::optional<Dtype> table, inv_freq, angle, position;  ///< rounded to; empty: fp32
    double sign = 1.0, key_sign = 1.0, gain = 1.0, key_gain = 1.0;
    bool has_q = true, has_k = true;
    /// The position by which a token really turns.
    std::function<double(const At&, double stated)> turned_by = [](const At&, double own) {
        return own;
    };
    /// The frequency of a pair at a token; null: `omega`.
    std::function<double(const At&, Index pair)> speed;
    std::function<double(Index channel)> scale_x = [](Index) { return 1.0; };
    /// Several axes: positions [axes, length], and the axis of each pair; empty for one axis.
    std::vector<double> axis_positions;
    std::vector<Index> axis_of_pair;
    std::function<double(Index token)> token_gain = [](Index) { return 1.0; };
    bool swap_key_axes = false;         ///< k takes the second axis for the third
    std::optional<double> score_scale;  ///< the dump has scores with this factor on q . k
    /// Index of the sine and cosine of the second channel of a pair; a broken table has others.
    std::function<Index(Index pair)> second_entry = [](Index pair) { return pair; };

    double stated_at(Index b, Index l) const {
        return stated[std::ssize(stated) == length ? l : b * length + l];
    }
};

double rounded(const std::optional<Dtype>& dtype, double value) {
    return diagnosis::round_to(dtype.value_or(Dtype::f32), value);
}

struct CosSin {
    double cos = 1.0, sin = 0.0;
};

/// The stated position by which a pair turns.
double stated_of(const Implementation& made, const At& at, Index pair) {
    if (made.axis_of_pair.empty()) {
        return made.stated_at(at.b, at.l);
    }
    const Index axis = made.axis_of_pair[pair];
    const Index taken = at.key && made.swap_key_axes && axis > 0 ? 3 - axis : axis;
    return made.axis_positions[taken * made.length + at.l];
}

CosSin table_entry(const Implementation& made, const At& at, Index pair) {
    const std::vector<double>& own =
        at.key && !made.key_omega.empty() ? made.key_omega : made.omega;
    const double omega = rounded(made.inv_freq, made.speed ? made.speed(at, pair) : own[pair]);
    const double position = rounded(made.position, made.turned_by(at, stated_of(made, at, pair)));
    const double angle = rounded(made.angle, rounded(std::nullopt, position * omega));
    const double gain = (at.key ? made.key_gain : made.gain) * made.token_gain(at.l);
    const double sign = at.key ? made.key_sign : made.sign;
    return {rounded(made.table, gain * to_float(std::cos(angle))),
            rounded(made.table, gain * sign * to_float(std::sin(angle)))};
}

void rotate_row(const Implementation& made, const At& at, const std::vector<double>& x,
                std::vector<double>& y) {
    y = x;
    const auto& pairs = at.key ? made.key_pairs : made.pairs;
    const auto& to = at.key ? made.key_rotated : made.rotated;
    const auto round = [&](double value) { return diagnosis::round_to(made.dtype, value); };
    for (Index p = 0; p < std::ssize(pairs); ++p) {
        const CosSin first = table_entry(made, at, p);
        const CosSin second = table_entry(made, at, made.second_entry(p));
        const double a = x[pairs[p].first], b = x[pairs[p].second];
        y[to[p].first] = round(round(a * first.cos) - round(b * first.sin));
        y[to[p].second] = round(round(b * second.cos) + round(a * second.sin));
    }
}

struct SideTensors {
    std::vector<double> x, y;
};

SideTensors make_side(const Implementation& made, bool key, Dice& dice) {
    SideTensors side;
    const Index heads = key ? made.key_heads : made.heads, channels = made.spec.head_dim;
    std::vector<double> x(channels), y;
    for (Index b = 0; b < made.batch; ++b) {
        for (Index h = 0; h < heads; ++h) {
            for (Index l = 0; l < made.length; ++l) {
                for (Index c = 0; c < channels; ++c) {
                    x[c] = diagnosis::round_to(made.dtype, made.scale_x(c) * dice.normal());
                }
                rotate_row(made, {key, b, h, l}, x, y);
                side.x.insert(side.x.end(), x.begin(), x.end());
                side.y.insert(side.y.end(), y.begin(), y.end());
            }
        }
    }
    return side;
}

std::vector<double> scores_of(const Implementation& made, const std::vector<double>& q,
                              const std::vector<double>& k) {
    std::vector<double> scores;
    const Index d = made.spec.head_dim, l = made.length, group = made.heads / made.key_heads;
    for (Index b = 0; b < made.batch; ++b) {
        for (Index h = 0; h < made.heads; ++h) {
            for (Index m = 0; m < l; ++m) {
                for (Index n = 0; n < l; ++n) {
                    const double* query = q.data() + ((b * made.heads + h) * l + m) * d;
                    const double* key = k.data() + ((b * made.key_heads + h / group) * l + n) * d;
                    double sum = 0.0;
                    for (Index c = 0; c < d; ++c) {
                        sum += query[c] * key[c];
                    }
                    scores.push_back(*made.score_scale * sum);
                }
            }
        }
    }
    return scores;
}

diagnosis::Dump dump_of(const Implementation& made, Dice& dice) {
    auto tensors = std::make_shared<std::vector<Tensor>>();
    // NumPy has no bf16: half of the people save it as F32.
    const Dtype stored = made.dtype == Dtype::bf16 && dice.coin() ? Dtype::f32 : made.dtype;
    SideTensors q, k;
    const auto add = [&](const std::string& name, Index heads, const SideTensors& side) {
        const std::vector<std::int64_t> shape = {made.batch, heads, made.length,
                                                 made.spec.head_dim};
        tensors->push_back(make_tensor_as(stored, name, shape, side.x));
        tensors->push_back(make_tensor_as(stored, name + "_rot", shape, side.y));
    };
    if (made.has_q) {
        q = make_side(made, false, dice);
        add("q", made.heads, q);
    }
    if (made.has_k) {
        k = make_side(made, true, dice);
        add("k", made.key_heads, k);
    }
    if (!made.axis_of_pair.empty()) {
        const Index axes = std::ssize(made.axis_positions) / made.length;
        tensors->push_back(make_tensor("positions", {axes, made.length},
                                       std::span<const double>(made.axis_positions)));
    } else if (made.state_positions) {
        std::vector<std::int64_t> shape = {made.length};
        if (std::ssize(made.stated) != made.length) {
            shape.insert(shape.begin(), made.batch);
        }
        tensors->push_back(make_tensor("positions", shape, std::span(made.stated)));
    }
    if (made.score_scale) {
        tensors->push_back(make_tensor_as(Dtype::f32, "scores",
                                          {made.batch, made.heads, made.length, made.length},
                                          scores_of(made, q.y, k.y)));
    }
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    return diagnosis::make_dump(views, tensors, "planted", {.axes = "bhld"});
}

void use_layout(Implementation& made, Layout layout) {
    made.spec.layout = layout;
    made.pairs = made.rotated = made.key_pairs = made.key_rotated =
        channel_pairs(layout, made.spec.rotary_dim);
}

void use_spec(Implementation& made) {
    const Spectrum spectrum = make_spectrum(made.spec);
    made.omega = spectrum.inv_freq_rad;
    made.gain = made.key_gain = spectrum.attention_factor;
    use_layout(made, made.spec.layout);
}

/// A right implementation of any size.
Implementation usual(Dice& dice) {
    Implementation made;
    made.spec.head_dim = dice.pick<Index>({16, 32, 64, 80, 96, 128, 128, 256});
    made.spec.rotary_dim = made.spec.head_dim;
    made.spec.base = dice.pick({10000.0, 10000.0, 500000.0, 1e6, 1e5, 150000.0, 5e6});
    made.spec.layout = dice.coin() ? Layout::half_split : Layout::interleaved;
    made.batch = dice.integer(1, 3);
    made.key_heads = dice.integer(1, 2);
    made.heads = made.key_heads * dice.pick<Index>({1, 1, 2, 4});
    made.length = dice.pick<Index>({16, 31, 33, 64, 127, 160});
    made.dtype = dice.pick({Dtype::f32, Dtype::f32, Dtype::f16, Dtype::bf16});
    for (Index l = 0; l < made.length; ++l) {
        made.stated.push_back(to_double(l));
    }
    made.state_positions = dice.coin();
    use_spec(made);
    return made;
}

void start_at(Implementation& made, double first) {
    for (double& position : made.stated) {
        position += first;
    }
    made.state_positions = true;
}

/// What a kind does to a usual implementation, and the answer.
struct Kind {
    std::string name;
    Verdict verdict;
    std::set<std::string> codes, allowed;
    std::function<void(Implementation&, Dice&)> change;
};

void sharp(Implementation& made) {
    made.dtype = Dtype::f32;
}

/// A size at which the methods of scaling differ.
void large(Implementation& made, Dice& dice) {
    sharp(made);
    made.spec.head_dim = made.spec.rotary_dim = dice.pick<Index>({64, 96, 128});
    made.spec.base = dice.pick({10000.0, 500000.0, 1e6});
    made.length = dice.pick<Index>({64, 100});
    made.stated.resize(made.length);
    for (Index l = 0; l < made.length; ++l) {
        made.stated[l] = to_double(l);
    }
    made.heads = made.key_heads = 2;
}

void scaled(Implementation& made, Dice& dice, const Scaling& scaling) {
    large(made, dice);
    made.spec.scaling = scaling;
    use_spec(made);
}

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
        {"longrope",
         Verdict::valid,
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
         [](Implementation& made, Dice&) {
             made.score_scale = 1.0 / std::sqrt(to_double(made.spec.head_dim));
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

std::vector<Kind> position_faults() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"slots",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             Index next = dice.integer(0, 9);
             for (double& position : made.stated) {
                 position = to_double(next);
                 next += dice.integer(1, 3);
             }
             made.stated[1] = made.stated[0] + 1.0;
             made.stated[2] = made.stated[0] + 2.0;
             made.stated[3] = made.stated[0] + 4.0;
             for (std::size_t i = 4; i < made.stated.size(); ++i) {
                 made.stated[i] = made.stated[i - 1] + to_double(dice.integer(1, 3));
             }
             made.state_positions = true;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"stated_restart",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const Index at_token = made.length * dice.integer(4, 7) / 10;
             for (Index l = at_token; l < made.length; ++l) {
                 made.stated[l] = to_double(l - at_token);
             }
             made.state_positions = true;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"table_wraps",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const double size = to_double(made.length / dice.integer(2, 3));
             made.turned_by = [=](const At&, double stated) { return std::fmod(stated, size); };
         }},
        {"qk_offset",
         Verdict::invalid,
         {"positions.qk_offset"},
         any,
         [](Implementation& made, Dice& dice) {
             const double offset = dice.pick({1.0, -1.0, 16.0});
             made.turned_by = [=](const At& at, double stated) {
                 return at.key ? stated : stated + offset;
             };
         }},
        {"scaled_positions",
         Verdict::invalid,
         {"positions.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const double factor = dice.pick({2.0, 4.0, 8.0});
             made.turned_by = [=](const At&, double stated) { return factor * stated; };
         }},
        {"positions_16",
         Verdict::invalid,
         {"positions.low_precision"},
         any,
         [](Implementation& made, Dice& dice) {
             start_at(made, dice.pick({250.0, 1000.0, 8150.0}));
             made.position = Dtype::bf16;
         }},
        {"clamped",
         Verdict::invalid,
         {"positions.clamped"},
         any,
         [](Implementation& made, Dice& dice) {
             const double last = made.stated[made.length * dice.integer(5, 8) / 10];
             made.turned_by = [=](const At&, double stated) { return std::min(stated, last); };
         }},
        {"batch_axis",
         Verdict::invalid,
         {"positions.wrong_axis"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             sharp(made);
             made.turned_by = [](const At& at, double) { return to_double(at.b); };
         }},
        {"head_axis",
         Verdict::invalid,
         {"positions.wrong_axis"},
         any,
         [](Implementation& made, Dice& dice) {
             made.heads = made.key_heads = dice.integer(2, 4);
             sharp(made);
             made.turned_by = [](const At& at, double) { return to_double(at.h); };
         }},
        {"restart",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const double at_token = to_double(made.length * dice.integer(4, 7) / 10);
             made.turned_by = [=](const At&, double stated) {
                 return stated < at_token ? stated : stated - at_token;
             };
             made.state_positions = dice.coin();
         }},
        {"per_row",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             const double padding = to_double(dice.integer(1, 6));
             made.turned_by = [=](const At& at, double stated) {
                 return stated + padding * to_double(at.b);
             };
         }},
        {"padding_counted",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = 2;
             made.state_positions = true;
             const Index padding = dice.integer(2, 6);
             std::vector<double> stated = made.stated;
             for (Index l = 0; l < made.length; ++l) {
                 stated.push_back(to_double(std::max<Index>(0, l - padding)));
             }
             made.stated = stated;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"rows_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             made.turned_by = [](const At& at, double stated) { return at.b == 0 ? stated : 0.0; };
         }},
        {"heads_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice&) {
             made.heads = made.key_heads = 4;
             made.turned_by = [](const At& at, double stated) { return at.h == 0 ? stated : 0.0; };
         }},
        {"decode_rows_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             made.length = 1;
             made.stated = {to_double(dice.integer(3, 40))};
             made.state_positions = true;
             made.turned_by = [](const At& at, double stated) { return at.b == 0 ? stated : 0.0; };
         }},
    };
}

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
             made.gain = made.key_gain = dice.pick({1.1386, 1.19, 0.8});
         }},
        {"gain_k",
         Verdict::invalid,
         {"gain"},
         any,
         [](Implementation& made, Dice&) { made.key_gain = 1.2; }},
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
        {"softmax_scale",
         Verdict::invalid,
         {"softmax.scale"},
         any,
         [](Implementation& made, Dice& dice) {
             made.score_scale = dice.coin() ? 1.0 : 1.3 / std::sqrt(to_double(made.spec.head_dim));
         }},
    };
}

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

std::vector<Kind> axes_kinds() {
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
        {"zero_vectors",
         Verdict::undetermined,
         {},
         any,
         [](Implementation& made, Dice&) { made.scale_x = [](Index) { return 0.0; }; }},
    };
}

/// The same on every machine.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0;
    for (const char letter : text) {
        hash = mixed(hash + static_cast<unsigned char>(letter) + 1);
    }
    return hash;
}

const std::vector<Kind>& all_kinds() {
    static const std::vector<Kind> kAll = [] {
        std::vector<Kind> all;
        for (const auto part : {right_kinds, equivalent_kinds, spectrum_faults, position_faults,
                                side_faults, axes_kinds, undetermined_kinds}) {
            for (Kind& kind : part()) {
                all.push_back(std::move(kind));
            }
        }
        return all;
    }();
    return kAll;
}

}  // namespace

const std::vector<std::string>& planted_kinds() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        std::ranges::transform(all_kinds(), std::back_inserter(names), &Kind::name);
        return names;
    }();
    return kNames;
}

PlantedDump plant(const std::string& name, std::uint64_t seed) {
    const Kind& kind = *std::ranges::find(all_kinds(), name, &Kind::name);
    Dice dice(mixed(seed) ^ hash_of(name));
    Implementation made = usual(dice);
    kind.change(made, dice);
    PlantedDump planted{.kind = name,
                        .description = {},
                        .dump = dump_of(made, dice),
                        .verdict = kind.verdict,
                        .codes = kind.codes,
                        .allowed = kind.allowed};
    planted.description =
        fmt::format("{} seed {}: batch {}, heads {} and {}, length {}, {}, {}{}", name, seed,
                    made.batch, made.heads, made.key_heads, made.length, describe(made.spec),
                    to_string(made.dtype), made.state_positions ? ", positions stated" : "");
    return planted;
}

}  // namespace ropescope::test
