// Implementations that mistake the length of a sequence, the softmax scale, or round.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/planted_calls.h"

namespace ropescope::test {
namespace {

/// A spec whose frequencies depend on the length.
probe::Subject dynamic_subject(Index head_dim) {
    probe::Subject subject = probe::subject_of(
        RopeSpec{.head_dim = head_dim,
                 .rotary_dim = head_dim,
                 .scaling = DynamicNtkScaling{.factor = 4.0, .original_positions = 2048}},
        "dynamic");
    subject.max_position = 8191;
    return subject;
}

}  // namespace

Tensor scores_of(const probe::Answer& answer, const probe::Request& request, double factor) {
    const std::vector<double> q = to_f64(answer.q_rot->view()), k = to_f64(answer.k_rot->view());
    const faults::HeadShape &of_q = request.q_shape, &of_k = request.k_shape;
    std::vector<double> scores;
    for (Index b = 0; b < of_q.batch; ++b) {
        for (Index h = 0; h < of_q.heads; ++h) {
            for (Index m = 0; m < of_q.length; ++m) {
                for (Index n = 0; n < of_k.length; ++n) {
                    const Index row = of_q.row(b, h, m);
                    const Index column = of_k.row(b, h * of_k.heads / of_q.heads, n);
                    double sum = 0.0;
                    for (Index c = 0; c < of_q.head_dim; ++c) {
                        sum += q[row + c] * k[column + c];
                    }
                    scores.push_back(factor * sum / std::sqrt(to_double(of_q.head_dim)));
                }
            }
        }
    }
    return make_tensor_as(Dtype::f32, "scores", {of_q.batch, of_q.heads, of_q.length, of_k.length},
                          scores);
}

void add_lengths(Collection& all) {
    for (const Index head_dim : {64, 128}) {
        const probe::Subject subject = dynamic_subject(head_dim);
        const std::string name = "dynamic NTK, head_dim " + std::to_string(head_dim);
        all.add_one(20, "never applied", name, subject, {"spectrum.changes_at", "spectrum.default"},
                    implementation(subject, leave_scaling));
        const auto reached = std::make_shared<Index>(0);
        all.add_one(20, "never reset", name, subject, {"answer.changes", "spectrum.changes_at"},
                    [=](const probe::Request& request) {
                        *reached = std::max(*reached, request.reach());
                        return answer_call(subject, request, [&](ProbedCall& call) {
                            RopeSpec spec = *subject.spec;
                            spec.seq_len = *reached;
                            call.use_spec(spec);
                        });
                    });
        all.add_one(20, "negative base", name, subject, {"answer.not_finite"},
                    implementation(subject, [](ProbedCall& call) {
                        if (call.request.reach() > 2048) {
                            call.rotation.omega.back() = std::numeric_limits<double>::quiet_NaN();
                        }
                    }));
    }
    const Models longrope = {"phi-3-mini-128k"};
    const auto at_length = [](ProbedCall& call, Index length) {
        RopeSpec spec = *call.subject.spec;
        spec.seq_len = length;
        call.use_spec(spec);
    };
    all.add(21, "one token early", longrope, {"spectrum.changes_at"},
            [=](ProbedCall& call) { at_length(call, call.request.reach() + 1); });
    all.add(21, "one token late", longrope, {"spectrum.changes_at"}, [=](ProbedCall& call) {
        at_length(call, std::max<Index>(1, call.request.reach() - 1));
    });
    all.add(21, "always long", longrope, {"spectrum.scaled", "spectrum.changes_at"},
            [=](ProbedCall& call) { at_length(call, 100000); });
    all.add(21, "never long", longrope, {"spectrum.changes_at"},
            [=](ProbedCall& call) { at_length(call, 1); });
    for (const std::string model : {"deepseek-v3", "deepseek-v2", "gpt-j-6b", "llama-2-7b"}) {
        const probe::Subject subject = subject_named(model);
        const double factor = subject.scheme.heads.front().softmax_scale_factor;
        all.add_one(22, "scores without the factor", model, subject, {"softmax.scale"},
                    [=](const probe::Request& request) {
                        probe::Answer answer = answer_call(subject, request, {});
                        const double missing = factor == 1.0 ? 1.3 : 1.0;
                        answer.scores = scores_of(answer, request, missing);
                        return answer;
                    });
    }
}

void add_precision(Collection& all) {
    all.add(23, "bf16", kHalfSplit, {"spectrum.low_precision"},
            [](ProbedCall& call) { call.rotation.inv_freq = Dtype::bf16; });
    all.add(23, "bf16, with scaling", kScaled, {"spectrum.low_precision"},
            [](ProbedCall& call) { call.rotation.inv_freq = Dtype::bf16; });
    // 2 pi in six decimals: after 20861 turns the angle is off by 4e-3 rad.
    all.add(24, "a short 2 pi", {"llama-3.1-8b", "llama-3.2-1b", "mistral-nemo-12b", "qwen2-7b"},
            {"spectrum.low_precision"}, [](ProbedCall& call) {
                call.rotation.reduced = [](double angle) {
                    return angle - 6.283185 * std::round(angle / 6.283185);
                };
            });
    all.add(25, "bf16", {"dinov3-vit-small", "eva02-large", "timm-vit-base-rope", "pixtral-12b"},
            {"spectrum.low_precision"},
            [](ProbedCall& call) { call.rotation.inv_freq = Dtype::bf16; });
    all.add(26, "bf16 alone", kText, {"sign.reversed"}, [](ProbedCall& call) {
        if (call.request.dtype == Dtype::bf16) {
            for (double& omega : call.rotation.omega) {
                omega = -omega;
            }
        }
    });
}

}  // namespace ropescope::test
