// Changes right implementations as people have changed theirs.
#include "tests/support/planted_implementations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/uniform.h"
#include "core/rope/spectrum.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::test {
namespace {

using Codes = std::set<std::string>;
using Models = std::vector<std::string>;

const Models kHalfSplit = {"llama-2-7b", "llama-3-8b", "qwen2-7b", "gemma-2b", "smollm2-1.7b"};
const Models kInterleaved = {"gpt-j-6b", "command-r", "deepseek-v3", "deepseek-v2-lite"};
const Models kPartial = {"phi-2", "stablelm-3b-4e1t", "pythia-160m", "gpt-neox-20b"};
const Models kScaled = {"llama-3.1-8b", "llama-3.2-1b", "gpt-oss-20b", "qwen2.5-7b-yarn",
                        "vicuna-7b-16k"};
const Models kText = {"llama-2-7b", "llama-3.1-8b", "phi-2", "gpt-j-6b", "gemma-2b"};
const Models kMultimodal = {"qwen2-vl-7b", "qwen2.5-vl-7b", "qwen3-vl-8b", "glm-4.1v-9b"};
const Models kTowers = {"qwen2-vl-vision", "qwen3-vl-vision", "pixtral-12b", "moonvit"};

/// "gemma-3-4b:sliding_attention" is a part of a model.
probe::Subject subject_named(const std::string& model) {
    const std::size_t colon = model.find(':');
    const std::vector<probe::Subject> parts = probe::read_subjects(model.substr(0, colon));
    return probe::subject_named(parts, colon == model.npos ? "" : model.substr(colon + 1));
}

class Collection {
  public:
    void add(int number, const std::string& variant, const Models& models, const Codes& codes,
             const ChangeCall& change) {
        for (const std::string& model : models) {
            const probe::Subject subject = subject_named(model);
            add_one(number, variant, model, subject, codes, implementation(subject, change));
        }
    }
    PlantedImplementation& add_one(int number, const std::string& variant, const std::string& model,
                                   const probe::Subject& subject, const Codes& codes,
                                   probe::Ask ask) {
        return planted_.emplace_back(
            PlantedImplementation{number, variant, model, subject, {}, codes, std::move(ask)});
    }
    std::vector<PlantedImplementation> take() { return std::move(planted_); }

  private:
    std::vector<PlantedImplementation> planted_;
};

void use_pairs(ProbedCall& call, Layout layout) {
    call.rotation.pairs = call.rotation.written =
        channel_pairs(layout, 2 * std::ssize(call.rotation.pairs));
}

void use_base(ProbedCall& call, double base) {
    RopeSpec spec = *call.subject.spec;
    spec.base = base;
    call.use_spec(spec);
}

void leave_scaling(ProbedCall& call) {
    RopeSpec spec = *call.subject.spec;
    spec.scaling = {};
    call.use_spec(spec);
}

void use_width(ProbedCall& call, Index rotary_dim) {
    RopeSpec spec = *call.subject.spec;
    spec.rotary_dim = rotary_dim;
    call.use_spec(spec, true);
}

void add_layouts(Collection& all) {
    const auto half_split = [](ProbedCall& call) { use_pairs(call, Layout::half_split); };
    const auto interleaved = [](ProbedCall& call) { use_pairs(call, Layout::interleaved); };
    all.add(1, "half-split", {"deepseek-v3", "deepseek-v2", "deepseek-v2-lite"},
            {"layout.half_split"}, half_split);
    all.add(1, "half-split in k alone", {"deepseek-v3", "command-r"}, {"layout.half_split"},
            [=](ProbedCall& call) { call.of_keys ? half_split(call) : void(); });
    all.add(2, "pairs of neighbours", {"qwen2-vl-7b", "qwen3-vl-8b"}, {"layout.interleaved"},
            interleaved);
    all.add(2, "half-split", {"glm-4.1v-9b", "ernie-4.5-vl-28b"}, {"layout.half_split"},
            half_split);
    all.add(5, "both", kInterleaved, {"layout.other"}, [](ProbedCall& call) {
        call.rotation.written =
            channel_pairs(Layout::half_split, 2 * std::ssize(call.rotation.pairs));
    });
    all.add(6, "both", kHalfSplit, {"layout.interleaved"}, interleaved);
    all.add(7, "both", kInterleaved, {"layout.half_split"}, half_split);
    all.add(8, "both", kPartial, {"layout.other"}, [](ProbedCall& call) {
        for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
            call.rotation.pairs[i] = {i, i + call.subject.spec->head_dim / 2};
        }
        call.rotation.written = call.rotation.pairs;
    });
    all.add(10, "half-split", {"deepseek-v3", "deepseek-v2", "deepseek-v2-lite"},
            {"layout.half_split"}, half_split);
    all.add(11, "half-split on the whole head", {"gpt-j-6b"},
            {"layout.half_split", "partial_rotary"}, [](ProbedCall& call) {
                RopeSpec spec = *call.subject.spec;
                spec.rotary_dim = spec.head_dim;
                spec.layout = Layout::half_split;
                call.use_spec(spec, true);
            });
    all.add(11, "the whole head", kPartial, {"partial_rotary"},
            [](ProbedCall& call) { use_width(call, call.subject.spec->head_dim); });
    all.add(12, "shuffled channels", kHalfSplit, {"layout.other"}, [](ProbedCall& call) {
        std::vector<Index> order(2 * call.rotation.pairs.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = static_cast<Index>(i);
        }
        std::ranges::sort(order, {}, [](Index i) { return mixed(static_cast<std::uint64_t>(i)); });
        for (ChannelPair& pair : call.rotation.pairs) {
            pair = {order[pair.first], order[pair.second]};
        }
        call.rotation.written = call.rotation.pairs;
    });
}

void add_spectra(Collection& all) {
    all.add(
        9, "the usual spectrum", {"dinov3-vit-small", "eva02-large", "qwen2-vl-vision"},
        {"axes.map", "spectrum.default", "spectrum.scaled", "spectrum.flat"}, [](ProbedCall& call) {
            const Index pairs = std::ssize(call.rotation.pairs), axes = call.axes();
            for (Index i = 0; i < pairs; ++i) {
                for (Index a = 0; a < axes; ++a) {
                    double& omega = call.rotation.omega[i * axes + a];
                    omega = omega == 0.0 ? 0.0 : std::pow(500.0, -to_double(i) / to_double(pairs));
                }
            }
        });
    all.add(13, "base 10000",
            {"llama-3-8b", "qwen2-7b", "code-llama-7b", "yi-6b", "mistral-nemo-12b", "smollm2-1.7b",
             "command-r"},
            {"spectrum.default"}, [](ProbedCall& call) { use_base(call, 10000.0); });
    all.add(14, "none", kScaled, {"spectrum.default", "spectrum.scaled"}, leave_scaling);
    all.add(14, "none", {"phi-3-mini-128k", "deepseek-v3"},
            {"spectrum.default", "spectrum.scaled", "gain"}, leave_scaling);
    all.add(15, "prefill without", kScaled, {"spectrum.qk_mismatch"}, [](ProbedCall& call) {
        if (call.length() > 1) {
            leave_scaling(call);
        }
    });
    all.add(15, "decode without", kScaled, {"spectrum.qk_mismatch"}, [](ProbedCall& call) {
        if (call.length() == 1 && call.request.past) {
            leave_scaling(call);
        }
    });
    const Models llama3 = {"llama-3.1-8b", "llama-3.2-1b", "llama-3.1-70b"};
    all.add(16, "factor 4", llama3, {"spectrum.scaled"}, [](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        std::get<Llama3Scaling>(spec.scaling).factor = 4.0;
        call.use_spec(spec);
    });
    all.add(16, "original length 4096", llama3, {"spectrum.scaled"}, [](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        std::get<Llama3Scaling>(spec.scaling).original_positions = 4096;
        call.use_spec(spec);
    });
    all.add(18, "base 10000", {"gemma-3-1b", "gemma-3-4b", "gemma-3-27b", "modernbert-base"},
            {"spectrum.default"}, [](ProbedCall& call) {
                RopeSpec spec = *call.subject.spec;
                spec.base = 10000.0;
                spec.scaling = {};
                call.use_spec(spec);
            });
    all.add(18, "base 1000000",
            {"gemma-3-1b:sliding_attention", "gemma-3-4b:sliding_attention",
             "gemma-3-27b:sliding_attention"},
            {"spectrum.default"}, [](ProbedCall& call) { use_base(call, 1000000.0); });
    all.add(19, "half of it", {"phi-2", "gpt-j-6b", "pythia-160m", "llama-2-7b"},
            {"partial_rotary"},
            [](ProbedCall& call) { use_width(call, call.subject.spec->rotary_dim / 4 * 2); });
    all.add(19, "the whole head", kPartial, {"partial_rotary"},
            [](ProbedCall& call) { use_width(call, call.subject.spec->head_dim); });
}

/// q_rot . k_rot / sqrt(head_dim), times a factor.
Tensor scores_of(const probe::Answer& answer, const probe::Request& request, double factor) {
    const std::vector<double> q = to_f64(answer.q_rot->view()), k = to_f64(answer.k_rot->view());
    const vectors::HeadShape &of_q = request.q_shape, &of_k = request.k_shape;
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

void add_positions(Collection& all) {
    const Codes counted = {"positions.restart", "positions.per_row"};
    all.add(28, "slots", kText, counted, [](ProbedCall& call) {
        if (call.batch() > 1) {
            call.put([&](Index, Index, Index l) { return call.stated(0, 0, 0) + to_double(l); });
        }
    });
    all.add(29, "documents run on", kText, {"positions.restart"}, [](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) {
            const bool packed = call.request.name == "packed";
            return packed ? to_double(l) : call.stated(a, b, l);
        });
    });
    all.add(29, "0, 3, 0, 3", kText, counted, [](ProbedCall& call) {
        if (call.request.name == "share of a rank") {
            call.put([](Index, Index, Index l) { return l % 2 == 0 ? 0.0 : 3.0; });
        }
    });
    all.add(30, "one token a row", kText, {"rows.unrotated"}, [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
        }
    });
    all.add(30, "one token a row", kMultimodal, {"rows.unrotated"}, [](ProbedCall& call) {
        if (call.length() == 1) {
            call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
        }
    });
    all.add(31, "slots", kMultimodal,
            {"positions.per_row", "positions.restart", "positions.offset"}, [](ProbedCall& call) {
                if (call.request.past && call.length() == 1) {
                    call.put([&](Index, Index, Index) { return to_double(*call.request.past); });
                }
            });
    all.add(32, "later chunk from 0", kMultimodal, {"positions.restart"}, [](ProbedCall& call) {
        if (call.request.past && call.length() > 1) {
            call.put([&](Index a, Index b, Index l) {
                return call.stated(a, b, l) - call.stated(0, 0, 0);
            });
        }
    });
    for (const bool forward : {false, true}) {
        for (const std::string model : {"llama-2-7b", "llama-3.1-8b"}) {
            const probe::Subject subject = subject_named(model);
            all.add_one(33, forward ? "the wrong way" : "not at all", model, subject,
                        {"sign.reversed", "k.unrotated", "spectrum.zero", "positions.offset"},
                        implementation(subject,
                                       [=](ProbedCall& call) {
                                           call.put([&](Index a, Index b, Index l) {
                                               const double p = call.stated(a, b, l);
                                               return p >= 0.0 ? p : forward ? -p : 0.0;
                                           });
                                       }))
                .settings.negative = true;
        }
    }
    all.add(39, "from 0", kText, {"positions.restart"}, [](ProbedCall& call) {
        if (call.request.past && call.length() > 1) {
            call.put([](Index, Index, Index l) { return to_double(l); });
        }
    });
}

/// Gives the axes of the pairs in an order.
void arrange(ProbedCall& call, const std::vector<Index>& axis_of_pair) {
    const Index axes = call.axes();
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        double sum = 0.0;
        for (Index a = 0; a < axes; ++a) {
            sum += call.rotation.omega[i * axes + a];
            call.rotation.omega[i * axes + a] = 0.0;
        }
        call.rotation.omega[i * axes + axis_of_pair[i]] = sum;
    }
}

void add_axes(Collection& all) {
    all.add(40, "in turn", {"qwen2-vl-7b", "qwen2.5-vl-7b"}, {"axes.map"}, [](ProbedCall& call) {
        std::vector<Index> axis(call.rotation.pairs.size());
        for (std::size_t i = 0; i < axis.size(); ++i) {
            axis[i] = i < 60 ? static_cast<Index>(i % 3) : 0;
        }
        arrange(call, axis);
    });
    all.add(40, "in sections", {"qwen3-vl-8b", "qwen3.5-9b"}, {"axes.map"}, [](ProbedCall& call) {
        std::vector<Index> axis;
        const Index axes = call.axes();
        for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
            for (Index a = 0; a < axes; ++a) {
                if (call.rotation.omega[i * axes + a] != 0.0) {
                    axis.push_back(a);
                }
            }
        }
        std::ranges::sort(axis);
        arrange(call, axis);
    });
    Models several = kMultimodal;
    several.insert(several.end(), kTowers.begin(), kTowers.end());
    all.add(41, "exchanged", several, {"axes.swapped"}, [](ProbedCall& call) {
        const Index last = call.axes() - 1;
        call.put([&](Index a, Index b, Index l) {
            return call.stated(a == last ? last - 1 : a == last - 1 ? last : a, b, l);
        });
    });
    all.add(42, "two pairs more for the first axis", {"wan-2.1", "hunyuanvideo", "flux.1"},
            {"axes.map"}, [](ProbedCall& call) {
                std::vector<Index> axis;
                const Index axes = call.axes();
                for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
                    for (Index a = 0; a < axes; ++a) {
                        if (call.rotation.omega[i * axes + a] != 0.0) {
                            axis.push_back(a);
                        }
                    }
                }
                const auto first =
                    std::ranges::find_if(axis, [&](Index a) { return a != axis[0]; });
                std::fill_n(first, 2, axis[0]);
                arrange(call, axis);
            });
    all.add(43, "the first axis for all", several, {"axes.map"}, [](ProbedCall& call) {
        call.put([&](Index, Index b, Index l) { return call.stated(0, b, l); });
    });
}

void exchange_order(Tensor& tensor) {
    const std::vector<double> values = to_f64(tensor.view());
    std::vector<double> to(values.size());
    const auto& s = tensor.shape;
    for (std::int64_t b = 0; b < s[0]; ++b) {
        for (std::int64_t h = 0; h < s[1]; ++h) {
            for (std::int64_t l = 0; l < s[2]; ++l) {
                for (std::int64_t c = 0; c < s[3]; ++c) {
                    to[((b * s[2] + l) * s[1] + h) * s[3] + c] =
                        values[((b * s[1] + h) * s[2] + l) * s[3] + c];
                }
            }
        }
    }
    tensor = make_tensor_as(tensor.dtype, tensor.name, tensor.shape, to);
}

void add_sides(Collection& all) {
    const auto still = [](ProbedCall& call) {
        call.rotation.turns = [](const TokenAt&) { return false; };
    };
    all.add(45, "not turned", kText, {"spectrum.zero"}, still);
    all.add(47, "keys stay", kText, {"k.unrotated"}, [=](ProbedCall& call) {
        if (call.of_keys && call.request.k_shape.heads == 1 && call.request.q_shape.heads > 1) {
            still(call);
        }
    });
    all.add(47, "one row of the table", kText,
            {"positions.wrong_axis", "positions.per_row", "positions.clamped"},
            [](ProbedCall& call) {
                call.put([&](Index a, Index b, Index) { return call.stated(a, b, 0); });
            });
    for (const std::string& model : kText) {
        const probe::Subject subject = subject_named(model);
        all.add_one(48, "order of what is written", model, subject, {"answer.order"},
                    [=](const probe::Request& request) {
                        probe::Answer answer = answer_call(subject, request, {});
                        exchange_order(*answer.q_rot);
                        exchange_order(*answer.k_rot);
                        return answer;
                    });
    }
    all.add(49, "twice", kText, {"k.rotated_twice"}, [](ProbedCall& call) {
        if (call.of_keys) {
            for (double& omega : call.rotation.omega) {
                omega *= 2.0;
            }
        }
    });
}

}  // namespace

std::vector<PlantedImplementation> planted_implementations() {
    Collection all;
    add_layouts(all);
    add_spectra(all);
    add_lengths(all);
    add_precision(all);
    add_positions(all);
    add_axes(all);
    add_sides(all);
    std::vector<PlantedImplementation> planted = all.take();
    std::ranges::stable_sort(planted, {}, &PlantedImplementation::fault_class);
    return planted;
}

std::vector<PlantedImplementation> right_implementations(const std::string& model) {
    Collection all;
    for (const probe::Subject& subject : probe::read_subjects(model)) {
        const auto add = [&](const std::string& variant, const ChangeCall& change) {
            all.add_one(0, variant, model + " " + subject.part, subject, {},
                        implementation(subject, change));
        };
        add("fp32", {});
        add("fp64", [](ProbedCall& call) {
            ProbedRotation& how = call.rotation;
            how.table = how.inv_freq = how.position = how.angle = how.arithmetic = Dtype::f64;
        });
        add("16 bits in the tensors' dtype", [](ProbedCall& call) {
            call.rotation.table = call.rotation.arithmetic = call.request.dtype;
        });
        if (subject.spec && subject.spec->scaling == Scaling{}) {
            add("ggml", [](ProbedCall& call) {
                const RopeSpec& spec = *call.subject.spec;
                const float factor =
                    to_float(std::pow(spec.base, -2.0 / to_double(spec.rotary_dim)));
                float omega = 1.0F;
                for (double& each : call.rotation.omega) {
                    each = omega;
                    omega *= factor;
                }
            });
        }
    }
    return all.take();
}

}  // namespace ropescope::test
