// Draws faults for test vectors, and right arithmetic.
#include "tests/support/swept_faults.h"

#include <cmath>
#include <numbers>

#include "core/base/uniform.h"
#include "core/faults/rotation/spectra.h"
#include "core/models/model.h"

namespace ropescope::test {
namespace {

/// Numbers that are drawn one after the other.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : seed_(seed) {}
    double operator()(double from, double to) { return from + (to - from) * uniform(seed_, at_++); }
    Index whole(Index from, Index to) {
        return from + static_cast<Index>(std::floor(uniform(seed_, at_++) * to_double(to - from)));
    }

  private:
    std::uint64_t seed_, at_ = 0;
};

bool beyond(const ProbedCall& call, double position) {
    return std::ranges::any_of(call.rotation.positions,
                               [=](double stated) { return stated >= position; });
}

void add_places(std::vector<SweptFault>& all, Draw& draw) {
    const auto add = [&](const std::string& name, const std::string& code, Fits fits,
                         ChangeCall change) {
        all.push_back({name, {code}, std::move(fits), std::move(change)});
    };
    const double offset = to_double(draw.whole(1, 65)) * (draw(0, 1) < 0.5 ? -1.0 : 1.0);
    add("an offset", "positions.offset", any, at_place([=](double p) { return p + offset; }));
    const double rows = std::ldexp(1.0, static_cast<int>(draw.whole(7, 17)));
    const Fits far = [=](const ProbedCall& call) { return beyond(call, rows); };
    all.push_back({"a table that ends",
                   {"positions.clamped", "positions.restart"},
                   far,
                   at_place([=](double p) { return std::min(p, rows - 1.0); })});
    all.push_back({"a table that begins again",
                   {"positions.restart", "positions.clamped"},
                   far,
                   at_place([=](double p) { return p < rows ? p : std::fmod(p, rows); })});
    add(
        "positions in int16", "positions.restart",
        [](const ProbedCall& call) { return beyond(call, 32768.0); }, at_place([](double p) {
            return static_cast<double>(static_cast<std::int16_t>(static_cast<std::int64_t>(p)));
        }));
    all.push_back({"fp16 positions",
                   {"positions.low_precision", "answer.not_finite"},
                   [](const ProbedCall& call) { return beyond(call, 2049.0); },
                   [](ProbedCall& call) { call.rotation.position = Dtype::f16; }});
    add(
        "bf16 positions", "positions.low_precision",
        [](const ProbedCall& call) { return beyond(call, 257.0); },
        [](ProbedCall& call) { call.rotation.position = Dtype::bf16; });
}

void add_speeds(std::vector<SweptFault>& all, Draw& draw) {
    constexpr std::array kFactors = {2.0, 0.5, 3.0, 4.0, 0.25, 8.0, 0.125, 16.0, 32.0};
    const double factor = kFactors[static_cast<std::size_t>(draw.whole(0, 9))];
    all.push_back({"positions times a factor", {"positions.scaled"}, any, at_place([=](double p) {
                       return p * factor;
                   })});
    const double unit = draw(0, 1) < 0.5 ? 180.0 / std::numbers::pi : std::numbers::pi / 180.0;
    all.push_back({"degrees and radians", {"positions.scaled"}, any, at_speed(unit)});
    const auto bases = faults::usual_bases();
    const double base = bases[static_cast<std::size_t>(draw.whole(0, std::ssize(bases)))];
    all.push_back({"another base",
                   {"spectrum.default"},
                   [=](const ProbedCall& call) {
                       return in_one_axis(call) && call.subject.spec->base != base;
                   },
                   with_base(base)});
    all.push_back({"exponents from 0 to 1",
                   {"spectrum.exponent_off_by_one"},
                   in_one_axis,
                   with_formula([](double i, double pairs, double b) {
                       return std::pow(b, -i / (pairs - 1.0));
                   })});
    all.push_back({"attention factor squared", {"gain"}, has_gain, [](ProbedCall& call) {
                       call.rotation.gain *= call.rotation.gain;
                   }});
}

/// Faults that have no name, or one of what they look like.
void add_nameless(std::vector<SweptFault>& all, Draw& draw) {
    all.push_back({"cos and sin exchanged", {"phase"}, any, [](ProbedCall& call) {
                       call.rotation.exchanged = true;
                   }});
    const double place = draw(0, 1), faster = draw(1.05, 1.9), length = draw(1.01, 1.5);
    const auto pair_of = [=](const ProbedCall& call) {
        return static_cast<Index>(place * to_double(std::ssize(call.rotation.pairs)));
    };
    const auto with_pair = [=](double times) {
        return [=](ProbedCall& call) {
            const Index all_pairs = std::ssize(call.rotation.pairs);
            for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
                if (static_cast<Index>(i) / call.axes() % all_pairs == pair_of(call)) {
                    call.rotation.omega[i] *= times;
                }
            }
        };
    };
    all.push_back({"one pair turns backwards", {}, any, with_pair(-1.0)});
    all.push_back({"one pair turns faster", {}, any, with_pair(faster)});
    all.push_back({"one pair is longer", {}, any, [=](ProbedCall& call) {
                       call.rotation.gain_at = [=, pair = pair_of(call)](const TokenAt&, Index p) {
                           return p == pair ? length : 1.0;
                       };
                   }});
    all.push_back({"a factor on all lengths", {}, no(has_gain), [=](ProbedCall& call) {
                       call.rotation.gain *= length;
                   }});
    all.push_back({"one token is not turned",
                   {"rows.unrotated"},
                   [](const ProbedCall& call) { return call.length() > 2; },
                   [](ProbedCall& call) {
                       call.rotation.turns = [last = call.length() - 1](const TokenAt& at) {
                           return at.b > 0 || at.l != last;
                       };
                   }});
}

}  // namespace

const std::vector<std::string>& swept_models() {
    static const std::vector<std::string> kModels = {
        "llama-3-8b", "llama-3.1-8b", "qwen2.5-7b-yarn", "phi-2",           "phi-3-mini-128k",
        "gpt-j-6b",   "gemma-2b",     "qwen2-vl-7b",     "qwen3-vl-vision", "flux.1"};
    return kModels;
}

std::vector<SweptFault> swept_faults(std::uint64_t seed) {
    Draw draw(seed);
    std::vector<SweptFault> all;
    for (const auto add : {add_places, add_speeds, add_nameless}) {
        add(all, draw);
    }
    return all;
}

std::vector<RightRotation> swept_right_rotations(std::uint64_t seed) {
    std::vector<RightRotation> all = right_rotations();
    for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
        const std::string name(to_string(dtype));
        // exp(-ln(base) 2i / d) in fp32: the exponent rounds, and exp and the product do.
        all.push_back({name + ", frequencies by exp and log", dtype, [=](ProbedCall& call) {
                           Draw draw(seed);
                           for (double& omega : call.rotation.omega) {
                               if (omega != 0.0 && std::abs(omega) != 1.0) {
                                   const double units = std::abs(std::log(std::abs(omega))) + 3.0;
                                   omega *= 1.0 + units * draw(-0x1p-24, 0x1p-24);
                               }
                           }
                       }});
        all.push_back({name + ", factors on cos and sin", dtype, [=](ProbedCall& call) {
                           Draw draw(seed + 7);
                           call.rotation.cos_gain = 1.0 + draw(-0x1p-24, 0x1p-24);
                           call.rotation.sin_gain = 1.0 + draw(-0x1p-24, 0x1p-24);
                       }});
    }
    return all;
}

Tensor near_answer(const vectors::RotationCase& made, Dtype dtype,
                   const std::vector<double>& tolerance, std::uint64_t seed) {
    Draw draw(seed);
    const bool one_alone = draw(0, 1) < 0.5;
    const double tolerances = std::exp(draw(std::log(1.5), std::log(30.0)));
    std::vector<double> values = made.expected;
    auto only = static_cast<std::size_t>(draw.whole(0, std::ssize(values)));
    while (tolerance[only] == 0.0) {
        only = (only + 1) % values.size();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double way = draw(0, 1) < 0.5 ? -1.0 : 1.0;
        if (one_alone ? i == only : tolerance[i] > 0.0) {
            // Half a tolerance more than said, as the dtype rounds the sum.
            values[i] += way * (tolerances + 0.5) * tolerance[i];
        }
    }
    const faults::HeadShape& shape = made.plan.shape;
    return make_tensor_as(dtype, made.id, {shape.batch, shape.heads, shape.length, shape.head_dim},
                          values);
}

}  // namespace ropescope::test
