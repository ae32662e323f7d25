// Wrong frequencies: of another base, scaling, length or exponent, or rounded.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/models/model.h"
#include "core/scaling/method.h"
#include "tests/support/faulty_calls.h"

namespace ropescope::test {
namespace {

const Models kScaledModels = {"llama-3.1-8b", "llama-3.2-1b", "gpt-oss-20b", "qwen2.5-7b-yarn",
                              "vicuna-7b-16k"};
const Models kLlama3Models = {"llama-3.1-8b", "llama-3.2-1b", "llama-3.1-70b"};
const Models kLongropeModels = {"phi-3-mini-128k"};

bool depends_on_length(const ProbedCall& call) {
    return in_one_axis(call) && depends_on_seq_len(call.subject.spec->scaling);
}

void add_bases(FaultyCalls& all) {
    const std::string no_number = "the number that was taken is not among the wrong answers";
    all.add("base 10000", {"spectrum.default"}, with_base(10000.0))
        .in_vectors({"base"},
                    [](const ProbedCall& call) {
                        return in_one_axis(call) && call.subject.spec->base != 10000.0;
                    })
        .probed(13, {"llama-3-8b", "qwen2-7b", "code-llama-7b", "yi-6b", "mistral-nemo-12b",
                     "smollm2-1.7b", "command-r"});
    all.add("base 10000, unscaled", {"spectrum.default"}, with_spec([](RopeSpec& spec) {
                spec.base = 10000.0;
                spec.scaling = {};
            }))
        .probed(18, {"gemma-3-1b", "gemma-3-4b", "gemma-3-27b", "modernbert-base"});
    all.add("base 1000000", {"spectrum.default"}, with_base(1000000.0))
        .probed(18, {"gemma-3-1b:sliding_attention", "gemma-3-4b:sliding_attention",
                     "gemma-3-27b:sliding_attention"});
    all.add("twice the base", {}, with_spec([](RopeSpec& spec) { spec.base *= 2.0; }))
        .in_vectors({"base"}, in_one_axis)
        .unnamed(no_number);
    all.add("the usual spectrum",
            {"axes.map", "spectrum.default", "spectrum.scaled", "spectrum.flat"},
            [](ProbedCall& call) {
                const Index pairs = std::ssize(call.rotation.pairs), axes = call.axes();
                for (Index i = 0; i < pairs; ++i) {
                    for (Index a = 0; a < axes; ++a) {
                        double& omega = call.rotation.omega[i * axes + a];
                        omega =
                            omega == 0.0 ? 0.0 : std::pow(500.0, -to_double(i) / to_double(pairs));
                    }
                }
            })
        .probed(9, {"dinov3-vit-small", "eva02-large", "qwen2-vl-vision"});
}

void add_scalings(FaultyCalls& all) {
    all.add("scaling left out", {"spectrum.default"}, leave_scaling)
        .in_vectors({"scaling"}, is_scaled)
        .probed(14, kScaledModels, {"spectrum.default", "spectrum.scaled"})
        .probed(14, {"phi-3-mini-128k", "deepseek-v3"},
                {"spectrum.default", "spectrum.scaled", "gain"});
    all.add("scaling left out in prefill", {"spectrum.qk_mismatch"},
            where(has_tokens, leave_scaling))
        .probed(15, kScaledModels);
    all.add("scaling left out in decode", {"spectrum.qk_mismatch"},
            where(both(is_later, no(has_tokens)), leave_scaling))
        .probed(15, kScaledModels);
    all.add("scaled linearly", {"spectrum.scaled"}, with_spec([](RopeSpec& spec) {
                spec.scaling = LinearScaling{extension_factor(spec.scaling)};
            }))
        .in_vectors({"scaling"}, both(is_scaled, no(has_method<LinearScaling>)));
    all.add("half the factor", {},
            with_spec([](RopeSpec& spec) { std::get<Llama3Scaling>(spec.scaling).factor /= 2.0; }))
        .in_vectors({"scaling"}, has_method<Llama3Scaling>)
        .unnamed("the number that was taken is not among the wrong answers");
    all.add("factor 4", {"spectrum.scaled"},
            with_spec([](RopeSpec& spec) { std::get<Llama3Scaling>(spec.scaling).factor = 4.0; }))
        .probed(16, kLlama3Models);
    all.add("original length 4096", {"spectrum.scaled"}, with_spec([](RopeSpec& spec) {
                std::get<Llama3Scaling>(spec.scaling).original_positions = 4096;
            }))
        .probed(16, kLlama3Models);
    all.add("YaRN's ramp truncated otherwise", {"spectrum.scaled"}, with_spec([](RopeSpec& spec) {
                bool& truncate = std::get<YarnScaling>(spec.scaling).truncate;
                truncate = !truncate;
            }))
        .in_vectors({"yarn_truncate"}, has_method<YarnScaling>);
    all.add("no attention factor", {"gain"}, [](ProbedCall& call) { call.rotation.gain = 1.0; })
        .in_vectors({"gain"}, has_gain);
    all.add("attention factor twice", {"gain"},
            [](ProbedCall& call) { call.rotation.gain *= call.rotation.gain; })
        .in_vectors({"gain"}, has_gain);
    all.add("scores without YaRN's factor", {"softmax.scale"}, {})
        .answered(22, {"deepseek-v3", "deepseek-v2", "gpt-j-6b", "llama-2-7b"},
                  [](const Part& subject) -> probe::Ask {
                      const double factor = subject.scheme.heads.front().softmax_scale_factor;
                      return [=](const probe::Request& request) {
                          probe::Answer answer = answer_call(subject, request, {});
                          answer.scores = scores_of(answer, request, factor == 1.0 ? 1.3 : 1.0);
                          return answer;
                      };
                  });
}

void add_lengths(FaultyCalls& all) {
    all.add("frequencies of a short sequence", {"spectrum.changes_at", "spectrum.default"},
            at_length(1))
        .in_vectors({"longrope_boundary", "scaling"}, both(depends_on_length, goes_far))
        .probed(21, kLongropeModels, {"spectrum.changes_at"});
    all.add("frequencies of a long sequence", {"spectrum.changes_at"}, at_length(kMaxPosition))
        .in_vectors({"longrope_boundary"}, both(depends_on_length, no(goes_far)))
        .probed(21, kLongropeModels, {"spectrum.scaled", "spectrum.changes_at"});
    all.add("LongRoPE's switch one token early", {"spectrum.changes_at"},
            with_spec([](RopeSpec& spec) { ++spec.seq_len; }))
        .probed(21, kLongropeModels);
    all.add("LongRoPE's switch one token late", {"spectrum.changes_at"},
            with_spec([](RopeSpec& spec) { spec.seq_len = std::max<Index>(1, spec.seq_len - 1); }))
        .probed(21, kLongropeModels);
    const Models dynamic = {"dynamic NTK, head_dim 64", "dynamic NTK, head_dim 128"};
    all.add("dynamic NTK never applied", {"spectrum.changes_at", "spectrum.default"}, leave_scaling)
        .probed(20, dynamic);
    all.add("dynamic NTK never reset", {"answer.changes", "spectrum.changes_at"}, {})
        .answered(20, dynamic, [](const Part& subject) -> probe::Ask {
            return [=, reached = std::make_shared<Index>(0)](const probe::Request& request) {
                *reached = std::max(*reached, request.reach());
                return answer_call(subject, request, at_length(*reached));
            };
        });
    all.add("dynamic NTK with a negative base", {"answer.not_finite"},
            [](ProbedCall& call) {
                if (call.request.reach() > 2048) {
                    call.rotation.omega.back() = std::numeric_limits<double>::quiet_NaN();
                }
            })
        .probed(20, dynamic);
}

void add_exponents(FaultyCalls& all) {
    using Formula = double (*)(double i, double pairs, double base);
    const auto add = [&](const std::string& name, const std::string& code, Formula formula) {
        all.add(name, {code}, with_formula(formula)).in_vectors({"base"}, in_one_axis);
    };
    const std::string off = "spectrum.exponent_off_by_one";
    add("exponent from 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -(i + 1) / pairs); });
    add("exponent to 1", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (pairs - 1)); });
    add("exponent without 2", off,
        [](double i, double pairs, double base) { return std::pow(base, -i / (2 * pairs)); });
    add("exponent from a half", off, [](double i, double pairs, double base) {
        return std::pow(base, -(2 * i + 1) / (2 * pairs));
    });
    add("exponent without minus", "spectrum.inverted",
        [](double i, double pairs, double base) { return std::pow(base, i / pairs); });
    add("all pairs alike", "spectrum.flat", [](double, double, double) { return 1.0; });
    all.add("frequencies in reverse order", {"spectrum.inverted"},
            [](ProbedCall& call) { std::ranges::reverse(call.rotation.omega); })
        .in_vectors({"base"}, in_one_axis);
}

void add_precision(FaultyCalls& all) {
    const Codes low = {"spectrum.low_precision"};
    const Fits very_far = [](const ProbedCall& call) { return call.request.reach() > 65536; };
    const auto rounded = [&](const std::string& name, const Codes& codes, ChangeCall change) {
        return all.add(name, codes, std::move(change)).in_vectors({"far"}, goes_far);
    };
    rounded("bf16 frequencies", low, round_frequencies_to_bf16)
        .probed(23, kHalfSplitModels)
        .probed(23, kScaledModels)
        .probed(25, {"dinov3-vit-small", "eva02-large", "timm-vit-base-rope", "pixtral-12b"});
    rounded("fp16 frequencies", low, [](ProbedCall& call) { call.rotation.inv_freq = Dtype::f16; });
    rounded("bf16 angles", low, [](ProbedCall& call) { call.rotation.angle = Dtype::bf16; });
    all.add("fp16 angles", {"answer.not_finite", "spectrum.low_precision"},
            [](ProbedCall& call) { call.rotation.angle = Dtype::f16; })
        .in_vectors({"far"}, very_far);
    rounded("bf16 positions", {"positions.low_precision"},
            [](ProbedCall& call) { call.rotation.position = Dtype::bf16; });
    rounded("fp16 positions", {"positions.low_precision"},
            [](ProbedCall& call) { call.rotation.position = Dtype::f16; });
    rounded("bf16 throughout", low, [](ProbedCall& call) {
        EmulatedRotation& how = call.rotation;
        how.position = how.inv_freq = how.angle = how.table = Dtype::bf16;
    });
    all.add("fp16 table", {"table.fp16"},
            [](ProbedCall& call) { call.rotation.table = Dtype::f16; })
        .in_vectors({"precision"}, any)
        .hides_in_16_bits();
    all.add("bf16 table", {"table.bf16"},
            [](ProbedCall& call) { call.rotation.table = Dtype::bf16; })
        .in_vectors({"precision"}, any)
        .hides_in_16_bits();
    all.add("2 pi in four decimals", {}, reduce_by_a_short_turn)
        .in_vectors({"far"}, very_far)
        .unnamed("its reduction of angles is not among the wrong answers")
        .hides_in_16_bits()
        .probed(24, {"llama-3.1-8b", "llama-3.2-1b", "mistral-nemo-12b", "qwen2-7b"}, low);
}

}  // namespace

void add_faulty_spectra(FaultyCalls& all) {
    for (const auto add : {add_bases, add_scalings, add_lengths, add_exponents, add_precision}) {
        add(all);
    }
}

}  // namespace ropescope::test
