// Emulates implementations, right ones and wrong ones, in the arithmetic that they have.
#include "tests/support/emulated_implementation.h"

#include <algorithm>
#include <memory>

#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/rounding.h"
#include "core/rope/spectrum.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/emulated_rotation.h"

namespace ropescope::test {
namespace {

double rounded(const std::optional<Dtype>& dtype, double value) {
    return diagnosis::round_to(dtype.value_or(Dtype::f32), value);
}

/// The stated position by which a pair turns.
double stated_of(const Implementation& made, const At& at, Index pair) {
    if (made.axis_of_pair.empty()) {
        return made.stated_at(at.b, at.l);
    }
    const Index axis = made.axis_of_pair[pair];
    const Index taken = at.key && made.swap_key_axes && axis > 0 ? 3 - axis : axis;
    return made.axis_positions[taken * made.length + at.l];
}

/// The angle of a pair of q or k, in the formats of the implementation.
double angle_of_pair(const Implementation& made, const At& at, Index pair) {
    if (made.angle_of) {
        return to_float(made.angle_of(at, pair));
    }
    const std::vector<double>& own =
        at.key && !made.key_omega.empty() ? made.key_omega : made.omega;
    const double omega = rounded(made.inv_freq, made.speed ? made.speed(at, pair) : own[pair]);
    const double position = rounded(made.position, made.turned_by(at, stated_of(made, at, pair)));
    return rounded(made.angle, rounded(std::nullopt, position * omega));
}

/// The rotation of q or k.
EmulatedRotation rotation_of(const Implementation& made, bool key) {
    const auto of_side = [key](const TokenAt& at) { return At{key, at.b, at.h, at.l}; };
    EmulatedRotation how{.batch = made.batch,
                         .heads = key ? made.key_heads : made.heads,
                         .length = made.length,
                         .head_dim = made.spec.head_dim,
                         .pairs = key ? made.key_pairs : made.pairs,
                         .written = key ? made.key_rotated : made.rotated,
                         .gain = key ? made.key_gain : made.gain,
                         .table = made.table.value_or(Dtype::f32),
                         .arithmetic = made.dtype,
                         .cos_sin = Dtype::f32,
                         .second_entry = made.second_entry,
                         .first_sign = made.first_sign,
                         .cos_gain = made.cos_gain,
                         .sin_gain = made.sin_gain,
                         .sign = key ? made.key_sign : made.sign,
                         .exchanged = key ? made.key_exchanged : made.exchanged};
    how.angle_at = [&made, of_side](const TokenAt& at, Index pair) {
        return angle_of_pair(made, of_side(at), pair);
    };
    how.gain_at = [&made, of_side](const TokenAt& at, Index pair) {
        return made.token_gain(at.l) * (made.pair_gain ? made.pair_gain(of_side(at), pair) : 1.0);
    };
    if (made.pairs_of) {
        how.pairs_of = [&made, of_side](const TokenAt& at) { return made.pairs_of(of_side(at)); };
    }
    return how;
}

struct SideTensors {
    std::vector<double> x, y;
};

SideTensors make_side(const Implementation& made, bool key, Dice& dice) {
    const EmulatedRotation how = rotation_of(made, key);
    SideTensors side;
    for (Index row = 0; row < how.batch * how.heads * how.length; ++row) {
        for (Index c = 0; c < how.head_dim; ++c) {
            side.x.push_back(diagnosis::round_to(made.dtype, made.scale_x(c) * dice.normal()));
        }
    }
    side.y = emulated(how, side.x);
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
                    scores.push_back(made.score_of({false, b, h, m}, n, *made.score_scale * sum));
                }
            }
        }
    }
    return scores;
}

}  // namespace

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
    if (!made.axis_positions.empty()) {
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

void with_scores(Implementation& made) {
    made.score_scale = 1.0 / std::sqrt(to_double(made.spec.head_dim));
}

void start_at(Implementation& made, double first) {
    for (double& position : made.stated) {
        position += first;
    }
    made.state_positions = true;
}

void sharp(Implementation& made) {
    made.dtype = Dtype::f32;
}

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

void stretch_as_xpos(Implementation& made, Dice& dice, double key_power) {
    made.heads = made.key_heads = 2;  // one head fits any layout if lengths change
    if (made.length < 64) {
        sharp(made);  // over so few positions lengths change less than bf16 rounds
    }
    const double scale_base = dice.pick({512.0, 256.0});
    const double pairs = to_double(made.spec.pairs());
    const std::vector<double> positions = made.stated;
    made.pair_gain = [=](const At& at, Index pair) {
        const double zeta = (to_double(pair) / pairs + 0.4) / 1.4;
        const double power = positions[at.l] / scale_base;
        return to_float(std::pow(zeta, at.key ? key_power * power : power));
    };
}

}  // namespace ropescope::test
