// Draws implementations for a probe: faults of single calls, rows, heads and tokens, and right
// ones.
#include <cmath>
#include <memory>

#include "core/base/uniform.h"
#include "core/models/model.h"
#include "tests/support/swept_faults.h"

namespace ropescope::test {
namespace {

/// What can be said of implementations one after the other.
class Implementations {
  public:
    explicit Implementations(Part subject) : subject_(std::move(subject)) {}

    SweptProbe& add(const std::string& name, const std::set<std::string>& codes,
                    const ChangeCall& change, const std::string& words = {}) {
        return all_.emplace_back(
            SweptProbe{name, subject_, {}, codes, words, implementation(subject_, change)});
    }
    /// Calls whose number, from 1 on, `is_wrong`.
    void add_by_call(const std::string& name, std::function<bool(int)> is_wrong,
                     ChangeCall change) {
        const auto calls = std::make_shared<int>(0);
        SweptProbe& made = add(name, {"answer.changes"}, {});
        made.ask = [=, subject = subject_](const probe::Request& request) {
            return answer_call(subject, request, is_wrong(++*calls) ? change : ChangeCall());
        };
    }
    const Part& subject() const { return subject_; }
    std::vector<SweptProbe> take() { return std::move(all_); }

  private:
    Part subject_;
    std::vector<SweptProbe> all_;
};

ChangeCall times(double gain) {
    return [=](ProbedCall& call) { call.rotation.gain *= gain; };
}

void add_changing_calls(Implementations& all, std::uint64_t seed) {
    const double gain = 1.0 + 0.02 * uniform(seed, 1) + 0.005;
    all.add_by_call(
        "every second call is longer", [](int call) { return call % 2 == 0; }, times(gain));
    all.add_by_call(
        "the first and every second call is longer", [](int call) { return call % 2 == 1; },
        times(gain));
    all.add_by_call(
        "every third call is one position late", [](int call) { return call % 3 == 2; },
        at_place([](double p) { return p + 1.0; }));
    all.add_by_call(
        "some calls turn backwards",
        [=](int call) { return call > 1 && uniform(seed, static_cast<std::uint64_t>(call)) < 0.3; },
        at_speed(-1.0));
}

void add_edges_of_kernels(Implementations& all) {
    const auto rest = [](auto turns) {
        return [=](ProbedCall& call) { call.rotation.turns = turns; };
    };
    const std::set<std::string> rows = {"rows.unrotated"};
    if (all.subject().q_heads == 0 || all.subject().q_heads > 8) {
        all.add("heads after the eighth stay", rows,
                rest([](const TokenAt& at) { return at.h < 8; }));
    }
    all.add("rows after the third stay", rows, rest([](const TokenAt& at) { return at.b < 3; }));
    all.add("tokens after the 256th stay", rows,
            rest([](const TokenAt& at) { return at.l < 256; }));
    all.add(
        "keys of one head stay", {"k.unrotated"},
        where(
            [](const ProbedCall& call) { return call.of_keys && call.request.k_shape.heads == 1; },
            turn_nothing));
}

void add_places(Implementations& all) {
    if (!all.subject().decodes()) {
        return;
    }
    const std::set<std::string> low = {"positions.low_precision"};
    if (all.subject().reach == 0 || all.subject().reach > 4100) {
        all.add("fp16 positions", {"positions.low_precision", "answer.not_finite"},
                [](ProbedCall& call) { call.rotation.position = Dtype::f16; });
    }
    all.add(
        "bf16 positions", low, [](ProbedCall& call) { call.rotation.position = Dtype::bf16; }, "");
    for (const double rows : {512.0, 4096.0, 65536.0}) {
        if (to_double(all.subject().reach) > rows) {
            const std::string many = std::to_string(static_cast<int>(rows));
            all.add("positions begin again at " + many, {"positions.restart"},
                    at_place([=](double p) { return p < rows ? p : std::fmod(p, rows); }));
            all.add("a table ends at " + many, {"positions.clamped"},
                    at_place([=](double p) { return std::min(p, rows - 1.0); }));
        }
    }
}

void add_spectra(Implementations& all) {
    if (!all.subject().spec) {
        return;
    }
    const std::set<std::string> scaled = {"spectrum.scaled"};
    if (std::holds_alternative<YarnScaling>(all.subject().spec->scaling)) {
        all.add("YaRN with another ramp", scaled, with_spec([](RopeSpec& spec) {
                    std::get<YarnScaling>(spec.scaling).beta_fast = 16.0;
                }));
        all.add("YaRN from another length", scaled, with_spec([](RopeSpec& spec) {
                    std::get<YarnScaling>(spec.scaling).original_positions /= 2;
                }));
    }
    if (std::holds_alternative<Llama3Scaling>(all.subject().spec->scaling)) {
        all.add("Llama 3 with another ramp", scaled, with_spec([](RopeSpec& spec) {
                    std::get<Llama3Scaling>(spec.scaling).low_freq_factor = 2.0;
                }));
    }
    if (all.subject().spec->rotary_dim < all.subject().spec->head_dim) {
        // ggml of 2023-08 turned every block of n_dims channels.
        all.add("the channels behind turn as well",
                {"partial_rotary", "layout.other", "not_a_rotation"}, [](ProbedCall& call) {
                    const Index width = 2 * std::ssize(call.rotation.pairs);
                    const Index blocks = call.request.q_shape.head_dim / width;
                    std::vector<ChannelPair> pairs = call.rotation.pairs;
                    std::vector<double> omega = call.rotation.omega;
                    for (Index b = 1; b < blocks; ++b) {
                        for (std::size_t i = 0; i < call.rotation.pairs.size(); ++i) {
                            pairs.push_back({call.rotation.pairs[i].first + b * width,
                                             call.rotation.pairs[i].second + b * width});
                        }
                        omega.insert(omega.end(), call.rotation.omega.begin(),
                                     call.rotation.omega.end());
                    }
                    call.rotation.pairs = call.rotation.written = pairs;
                    call.rotation.omega = omega;
                });
    }
}

void add_right_ones(Implementations& all, std::uint64_t seed) {
    for (const Dtype first : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16}) {
        const std::string name(to_string(first));
        const auto add = [&](const std::string& how, const ChangeCall& change) {
            all.add("right, " + name + ", " + how, {}, change).settings.dtypes = {first};
        };
        add("angles in fp32", {});
        add("fp64", compute_in_fp64);
        add("arithmetic in its dtype", [](ProbedCall& call) {
            const Dtype dtype = call.request.dtype;
            call.rotation.table = call.rotation.arithmetic =
                dtype == Dtype::f64 ? Dtype::f32 : dtype;
        });
        if (first == Dtype::f64) {
            add("cos and sin in fp32, products in fp64",
                [](ProbedCall& call) { call.rotation.arithmetic = Dtype::f64; });
        }
        add("frequencies within their rounding", [=](ProbedCall& call) {
            for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
                double& omega = call.rotation.omega[i];
                if (omega != 0.0 && std::abs(omega) != 1.0) {
                    omega *= 1.0 + (uniform(seed, i) - 0.5) * 0x1p-23 *
                                       (std::abs(std::log(std::abs(omega))) + 2.0);
                }
            }
        });
    }
}

}  // namespace

std::vector<SweptProbe> swept_probes(const std::string& model, std::uint64_t seed) {
    Implementations all(open_model(model).part());
    add_changing_calls(all, seed);
    if (seed == 0) {  // the others draw nothing
        add_edges_of_kernels(all);
        add_places(all);
        add_spectra(all);
    }
    add_right_ones(all, seed);
    return all.take();
}

}  // namespace ropescope::test
