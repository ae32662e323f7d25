// Holds emulated implementations of random models to their models, in three formats, with far
// positions and one mistake at a random place or none, and counts false passes and false alarms.
//   residual_sweep [DUMPS [FIRST_SEED]]
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numbers>

#include "core/diagnosis/diagnosis.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "tests/support/emulated_implementation.h"

namespace {

using namespace ropescope;
using test::At;
using test::Dice;
using test::Implementation;

/// A mistake changes an angle, in radians; or a length.
struct Mistake {
    std::string name;
    bool sees_alone = true;  ///< no other model turns like this
    std::function<double(const At&, Index pair, double right)> angle = {};
    std::function<double(const At&, Index pair)> gain = {};
};

Scaling random_scaling(Dice& dice, Index pairs) {
    switch (dice.integer(0, 6)) {
        case 1:
            return LinearScaling{dice.pick({2.0, 4.0, 8.0, 2.5})};
        case 2:
            return NtkScaling{dice.pick({2.0, 2.6, 4.0, 8.0})};
        case 3:
            return Llama3Scaling{dice.pick({4.0, 8.0, 32.0}), 1.0, 4.0, dice.pick({4096, 8192})};
        case 4: {
            YarnScaling yarn{.factor = dice.pick({2.0, 4.0, 16.0, 32.0, 40.0})};
            yarn.original_positions = dice.pick<Index>({2048, 4096, 8192, 32768});
            yarn.truncate = dice.coin();
            return yarn;
        }
        case 5: {
            LongRopeScaling longrope{.original_positions = 4096, .factor = 32.0};
            for (Index p = 0; p < pairs; ++p) {
                longrope.short_factor.push_back(dice.real(1.0, 1.5) + to_double(p) / 8.0);
                longrope.long_factor.push_back(dice.real(1.0, 2.0) + to_double(p) / 2.0);
            }
            return longrope;
        }
        default:
            return NoScaling();
    }
}

RopeSpec random_spec(Dice& dice) {
    RopeSpec spec;
    spec.head_dim = dice.pick<Index>({32, 64, 80, 96, 128});
    spec.rotary_dim = dice.pick<Index>({1, 1, 2}) == 1 ? spec.head_dim : spec.head_dim / 2;
    spec.base = dice.coin() ? dice.pick({10000.0, 500000.0, 1e6, 5e6, 150000.0})
                            : std::round(std::pow(10.0, dice.real(3.7, 8.4)));
    spec.layout = dice.coin() ? Layout::half_split : Layout::interleaved;
    spec.scaling = random_scaling(dice, spec.pairs());
    return spec;
}

Implementation random_implementation(Dice& dice, Dtype dtype) {
    Implementation made;
    made.batch = dice.integer(1, 2);
    made.heads = dice.pick<Index>({2, 4});
    made.key_heads = dice.pick<Index>({1, 2});
    made.dtype = dtype;
    if (dtype != Dtype::f32 && dice.coin()) {
        made.table = dtype;
    }
    made.length = dice.pick<Index>({1, 8, 16, 48, 96});
    const Index near = dice.coin() ? made.length : made.length / 2;
    const double first = dice.pick({0.0, 0.0, 1000.0, 8191.0, 100000.0});
    for (Index l = 0; l < made.length; ++l) {
        made.stated.push_back(l < near ? first + to_double(l)
                                       : std::round(dice.real(first + to_double(near), 131071.0)));
    }
    std::sort(made.stated.begin(), made.stated.end());
    made.state_positions = true;
    made.spec = random_spec(dice);
    made.spec.seq_len = static_cast<Index>(made.stated.back()) + 1;
    test::use_spec(made);
    return made;
}

std::function<double(const At&, Index, double)> of_other_spec(const Implementation& made,
                                                              RopeSpec other) {
    other.seq_len = made.spec.seq_len;
    const std::vector<double> omega = make_spectrum(other).inv_freq_rad;
    return [=](const At& at, Index p, double) { return omega[p] * made.stated_at(at.b, at.l); };
}

std::vector<Mistake> mistakes_of(const Implementation& made, Dice& dice) {
    const Index pair = dice.integer(0, made.spec.pairs() - 1);
    const Index token = dice.integer(0, made.length - 1);
    const Index head = dice.integer(0, made.heads - 1), row = made.batch - 1;
    const std::vector<double> omega = made.omega;
    const auto at_pair = [=](auto change) {
        return [=](const At&, Index p, double right) { return p == pair ? change(right) : right; };
    };
    const auto shifted = [=](auto where, double by) {
        return [=](const At& at, Index p, double right) {
            return where(at) ? right + by * omega[p] : right;
        };
    };
    std::vector<Mistake> all = {
        {"none"},
        {"a pair turns backwards", true, at_pair([](double a) { return -a; })},
        {"a pair stays", true, at_pair([](double) { return 0.0; })},
        {"a pair turns twice", true, at_pair([](double a) { return 2.0 * a; })},
        {"a pair turns 1.1 times", true, at_pair([](double a) { return 1.1 * a; })},
        {"a token stays", true,
         [=](const At& at, Index, double right) { return at.l == token ? 0.0 : right; }},
        {"a token of k is one late", true,
         shifted([=](const At& at) { return at.key && at.l == token; }, 1.0)},
        {"a row is 7 late", true,
         shifted([=](const At& at) { return at.b == row && row > 0; }, 7.0)},
        {"a head of q is one late", true,
         shifted([=](const At& at) { return !at.key && at.h == head; }, 1.0)},
        {"k is one late", true, shifted([=](const At& at) { return at.key; }, 1.0)},
        {"backwards", false, [](const At&, Index, double right) { return -right; }},
        {"k backwards", true,
         [](const At& at, Index, double right) { return at.key ? -right : right; }},
        {"positions in bf16", true,
         [=](const At& at, Index p, double) {
             const double position = made.stated_at(at.b, at.l);
             const double scale =
                 std::pow(2.0, std::floor(std::log2(std::max(position, 1.0))) - 7.0);
             return omega[p] * std::nearbyint(position / scale) * scale;
         }},
        {"lengths of a pair by 1.1",
         true,
         {},
         [=](const At&, Index p) { return p == pair ? 1.1 : 1.0; }},
        {"lengths of k by 1.1", true, {}, [](const At& at, Index) { return at.key ? 1.1 : 1.0; }},
    };
    RopeSpec other = made.spec;
    other.base *= dice.pick({1.001, 1.01, 1.1, 2.0});
    all.push_back({"another base", false, of_other_spec(made, other)});
    if (!std::holds_alternative<NoScaling>(made.spec.scaling)) {
        other = made.spec;
        other.scaling = NoScaling();
        all.push_back({"scaling missing", false, of_other_spec(made, other)});
    }
    if (auto* llama3 = std::get_if<Llama3Scaling>(&(other = made.spec).scaling)) {
        llama3->factor *= 2.0;
        all.push_back({"another factor", false, of_other_spec(made, other)});
    } else if (auto* yarn = std::get_if<YarnScaling>(&other.scaling)) {
        yarn->factor *= 2.0;
        all.push_back({"another factor", false, of_other_spec(made, other)});
    }
    return all;
}

/// By how much the mistake turns some pair, in radians, or changes its length.
double visible(const Implementation& made, const Mistake& mistake) {
    double most = 0.0;
    for (const bool key : {false, true}) {
        for (Index b = 0; b < made.batch; ++b) {
            for (Index h = 0; h < (key ? made.key_heads : made.heads); ++h) {
                for (Index l = 0; l < made.length; ++l) {
                    for (Index p = 0; p < made.spec.pairs(); ++p) {
                        const At at{key, b, h, l};
                        const double right = made.omega[p] * made.stated_at(b, l);
                        const double off =
                            mistake.angle
                                ? std::abs(std::remainder(mistake.angle(at, p, right) - right,
                                                          2.0 * std::numbers::pi))
                                : 0.0;
                        const double longer =
                            mistake.gain ? std::abs(mistake.gain(at, p) - 1.0) : 0.0;
                        most = std::max({most, off, longer});
                    }
                }
            }
        }
    }
    return most;
}

struct Count {
    int dumps = 0, wrong = 0, right = 0, undetermined = 0;
};

class Sweep {
  public:
    void run(std::uint64_t seed) {
        const Dtype dtype = std::array{Dtype::f32, Dtype::f16, Dtype::bf16}[seed % 3];
        Dice dice(seed * 7919 + 13);
        const Implementation right = random_implementation(dice, dtype);
        const std::vector<Mistake> all = mistakes_of(right, dice);
        const Mistake& mistake = all[dice.coin() ? 0 : dice.integer(0, std::ssize(all) - 1)];
        Implementation made = right;
        if (mistake.angle) {
            made.angle_of = [&](const At& at, Index p) {
                return mistake.angle(at, p, right.omega[p] * right.stated_at(at.b, at.l));
            };
        }
        if (mistake.gain) {
            made.pair_gain = mistake.gain;
        }
        const double seen = visible(right, mistake);
        if (mistake.name != "none" && seen < 0.1) {
            return;  // these tokens do not show it
        }
        const diagnosis::Dump dump = test::dump_of(made, dice);
        RopeSpec spec = right.spec;
        spec.seq_len = 0;
        const diagnosis::Expectation expectation{.name = "the model", .specs = {spec}};
        judge("--expect", mistake, seed, describe(right.spec) + " " + to_text(right), dtype,
              diagnosis::diagnose(dump, &expectation), mistake.name == "none");
        if (mistake.sees_alone) {
            judge("alone", mistake, seed, describe(right.spec) + " " + to_text(right), dtype,
                  diagnosis::diagnose(dump), mistake.name == "none");
        }
    }
    int print() const {
        int wrong = 0, dumps = 0, open = 0;
        for (const auto& [name, count] : counts_) {
            fmt::print("| {} | {} | {} | {} | {} |\n", name, count.dumps, count.right,
                       count.undetermined, count.wrong);
            wrong += count.wrong;
            dumps += count.dumps;
            open += count.undetermined;
        }
        fmt::print("{} dumps, {} wrong, {} undetermined\n", dumps, wrong, open);
        return wrong == 0 ? 0 : 1;
    }

  private:
    static std::string to_text(const Implementation& made) {
        return fmt::format("{} batch {} heads {} {} length {} from {} to {}",
                           scaling_type(made.spec.scaling), made.batch, made.heads, made.key_heads,
                           made.length, made.stated.front(), made.stated.back());
    }
    void judge(const std::string& how, const Mistake& mistake, std::uint64_t seed,
               const std::string& about, Dtype dtype, const diagnosis::Diagnosis& found,
               bool is_right) {
        Count& count = counts_[fmt::format("{}, {}, {}", how, mistake.name, to_string(dtype))];
        ++count.dumps;
        const bool expected = found.expected.has_value();
        const bool open = found.verdict == diagnosis::Verdict::undetermined && !expected;
        const bool right = passes(found) == is_right;
        count.undetermined += open ? 1 : 0;
        count.right += !open && right ? 1 : 0;
        if (!open && !right) {
            ++count.wrong;
            std::fprintf(stderr, "seed %llu %s, %s, %s: %s\n  %s\n",
                         static_cast<unsigned long long>(seed), how.c_str(), mistake.name.c_str(),
                         std::string(to_string(dtype)).c_str(), about.c_str(),
                         found.summary().c_str());
        }
    }

    std::map<std::string, Count> counts_;
};

}  // namespace

int main(int argc, char** argv) {
    const int dumps = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int first = argc > 2 ? std::atoi(argv[2]) : 0;
    Sweep sweep;
    for (int seed = first; seed < first + dumps; ++seed) {
        sweep.run(static_cast<std::uint64_t>(seed));
    }
    return sweep.print();
}
