// The list of faulty implementations for a probe, by the classes of public threads, and the right
// ones.
#include "tests/support/planted_implementations.h"

#include <cmath>
#include <limits>
#include <memory>

#include "core/base/uniform.h"
#include "core/models/model.h"
#include "tests/support/call_changes.h"

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
Part subject_named(const std::string& model) {
    const std::size_t colon = model.find(':');
    return open_model(model.substr(0, colon))
        .part(colon == model.npos ? "" : model.substr(colon + 1));
}

/// Implementations that are planted one after the other.
class Collection {
  public:
    void add(int number, const std::string& variant, const Models& models, const Codes& codes,
             const ChangeCall& change) {
        for (const std::string& model : models) {
            const Part subject = subject_named(model);
            add_one(number, variant, model, subject, codes, implementation(subject, change));
        }
    }
    PlantedImplementation& add_one(int number, const std::string& variant, const std::string& model,
                                   const Part& subject, const Codes& codes, probe::Ask ask) {
        return planted_.emplace_back(
            PlantedImplementation{number, variant, model, subject, {}, codes, std::move(ask)});
    }
    std::vector<PlantedImplementation> take() { return std::move(planted_); }

  private:
    std::vector<PlantedImplementation> planted_;
};

bool of_keys(const ProbedCall& call) {
    return call.of_keys;
}
bool is_later(const ProbedCall& call) {
    return call.request.past.has_value();
}

void plant_layouts(Collection& all) {
    const ChangeCall half_split = in_layout(Layout::half_split);
    const ChangeCall interleaved = in_layout(Layout::interleaved);
    const Models deepseek = {"deepseek-v3", "deepseek-v2", "deepseek-v2-lite"};
    all.add(1, "half-split", deepseek, {"layout.half_split"}, half_split);
    all.add(1, "half-split in k alone", {"deepseek-v3", "command-r"}, {"layout.half_split"},
            where(of_keys, half_split));
    all.add(2, "pairs of neighbours", {"qwen2-vl-7b", "qwen3-vl-8b"}, {"layout.interleaved"},
            interleaved);
    all.add(2, "half-split", {"glm-4.1v-9b", "ernie-4.5-vl-28b"}, {"layout.half_split"},
            half_split);
    all.add(5, "both", kInterleaved, {"layout.other"}, written_in(Layout::half_split));
    all.add(6, "both", kHalfSplit, {"layout.interleaved"}, interleaved);
    all.add(7, "both", kInterleaved, {"layout.half_split"}, half_split);
    all.add(8, "both", kPartial, {"layout.other"}, pair_across_the_head);
    all.add(10, "half-split", deepseek, {"layout.half_split"}, half_split);
    all.add(11, "half-split on the whole head", {"gpt-j-6b"},
            {"layout.half_split", "partial_rotary"}, with_spec([](RopeSpec& spec) {
                spec.rotary_dim = spec.head_dim;
                spec.layout = Layout::half_split;
            }));
    all.add(11, "the whole head", kPartial, {"partial_rotary"}, turn_the_whole_head);
    all.add(12, "shuffled channels", kHalfSplit, {"layout.other"}, [](ProbedCall& call) {
        std::vector<Index> order(static_cast<std::size_t>(width(call)));
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = static_cast<Index>(i);
        }
        std::ranges::sort(order, {}, [](Index i) { return mixed(static_cast<std::uint64_t>(i)); });
        with_channels([&](const ProbedCall&, Index channel) { return order[channel]; })(call);
    });
}

void plant_spectra(Collection& all) {
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
            {"spectrum.default"}, with_base(10000.0));
    all.add(14, "none", kScaled, {"spectrum.default", "spectrum.scaled"}, leave_scaling);
    all.add(14, "none", {"phi-3-mini-128k", "deepseek-v3"},
            {"spectrum.default", "spectrum.scaled", "gain"}, leave_scaling);
    all.add(15, "prefill without", kScaled, {"spectrum.qk_mismatch"},
            where(has_tokens, leave_scaling));
    all.add(15, "decode without", kScaled, {"spectrum.qk_mismatch"},
            where(both(is_later, no(has_tokens)), leave_scaling));
    const Models llama3 = {"llama-3.1-8b", "llama-3.2-1b", "llama-3.1-70b"};
    all.add(16, "factor 4", llama3, {"spectrum.scaled"},
            with_spec([](RopeSpec& spec) { std::get<Llama3Scaling>(spec.scaling).factor = 4.0; }));
    all.add(16, "original length 4096", llama3, {"spectrum.scaled"}, with_spec([](RopeSpec& spec) {
                std::get<Llama3Scaling>(spec.scaling).original_positions = 4096;
            }));
    all.add(18, "base 10000", {"gemma-3-1b", "gemma-3-4b", "gemma-3-27b", "modernbert-base"},
            {"spectrum.default"}, with_spec([](RopeSpec& spec) {
                spec.base = 10000.0;
                spec.scaling = {};
            }));
    all.add(18, "base 1000000",
            {"gemma-3-1b:sliding_attention", "gemma-3-4b:sliding_attention",
             "gemma-3-27b:sliding_attention"},
            {"spectrum.default"}, with_base(1000000.0));
    all.add(19, "half of it", {"phi-2", "gpt-j-6b", "pythia-160m", "llama-2-7b"},
            {"partial_rotary"},
            with_spec([](RopeSpec& spec) { spec.rotary_dim = spec.rotary_dim / 4 * 2; }));
    all.add(19, "the whole head", kPartial, {"partial_rotary"}, turn_the_whole_head);
}

/// A spec whose frequencies depend on the length.
Part dynamic_subject(Index head_dim) {
    Part subject =
        part_of(RopeSpec{.head_dim = head_dim,
                         .rotary_dim = head_dim,
                         .scaling = DynamicNtkScaling{.factor = 4.0, .original_positions = 2048}});
    subject.model = "dynamic";
    subject.reach = 8192;
    return subject;
}

void plant_dynamic(Collection& all, Index head_dim) {
    const Part subject = dynamic_subject(head_dim);
    const std::string name = "dynamic NTK, head_dim " + std::to_string(head_dim);
    all.add_one(20, "never applied", name, subject, {"spectrum.changes_at", "spectrum.default"},
                implementation(subject, leave_scaling));
    const auto reached = std::make_shared<Index>(0);
    all.add_one(20, "never reset", name, subject, {"answer.changes", "spectrum.changes_at"},
                [=](const probe::Request& request) {
                    *reached = std::max(*reached, request.reach());
                    return answer_call(subject, request, at_length(*reached));
                });
    all.add_one(20, "negative base", name, subject, {"answer.not_finite"},
                implementation(subject, [](ProbedCall& call) {
                    if (call.request.reach() > 2048) {
                        call.rotation.omega.back() = std::numeric_limits<double>::quiet_NaN();
                    }
                }));
}

void plant_lengths(Collection& all) {
    plant_dynamic(all, 64);
    plant_dynamic(all, 128);
    const Models longrope = {"phi-3-mini-128k"};
    all.add(21, "one token early", longrope, {"spectrum.changes_at"},
            with_spec([](RopeSpec& spec) { ++spec.seq_len; }));
    all.add(21, "one token late", longrope, {"spectrum.changes_at"},
            with_spec([](RopeSpec& spec) { spec.seq_len = std::max<Index>(1, spec.seq_len - 1); }));
    all.add(21, "always long", longrope, {"spectrum.scaled", "spectrum.changes_at"},
            at_length(100000));
    all.add(21, "never long", longrope, {"spectrum.changes_at"}, at_length(1));
    for (const std::string model : {"deepseek-v3", "deepseek-v2", "gpt-j-6b", "llama-2-7b"}) {
        const Part subject = subject_named(model);
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

void plant_precision(Collection& all) {
    const Codes low = {"spectrum.low_precision"};
    all.add(23, "bf16", kHalfSplit, low, round_frequencies_to_bf16);
    all.add(23, "bf16, with scaling", kScaled, low, round_frequencies_to_bf16);
    all.add(24, "a short 2 pi", {"llama-3.1-8b", "llama-3.2-1b", "mistral-nemo-12b", "qwen2-7b"},
            low, reduce_by_a_short_turn);
    all.add(25, "bf16", {"dinov3-vit-small", "eva02-large", "timm-vit-base-rope", "pixtral-12b"},
            low, round_frequencies_to_bf16);
    all.add(26, "bf16 alone", kText, {"sign.reversed"},
            where([](const ProbedCall& call) { return call.request.dtype == Dtype::bf16; },
                  at_speed(-1.0)));
}

void plant_positions(Collection& all) {
    const Codes counted = {"positions.restart", "positions.per_row"};
    const auto one_token = no(has_tokens);
    all.add(
        28, "slots", kText, counted, where(has_rows, [](ProbedCall& call) {
            call.put([&](Index, Index, Index l) { return call.stated(0, 0, 0) + to_double(l); });
        }));
    all.add(29, "documents run on", kText, {"positions.restart"},
            where([](const ProbedCall& call) { return call.request.name.starts_with("packed"); },
                  count_from_zero));
    all.add(
        29, "0, 3, 0, 3", kText, counted,
        where(
            [](const ProbedCall& call) { return call.request.name.starts_with("share of a rank"); },
            [](ProbedCall& call) {
                call.put([](Index, Index, Index l) { return l % 2 == 0 ? 0.0 : 3.0; });
            }));
    for (const Models& models : {kText, kMultimodal}) {
        all.add(30, "one token a row", models, {"rows.unrotated"},
                where(one_token, turn_the_first_row_alone));
    }
    all.add(31, "slots", kMultimodal,
            {"positions.per_row", "positions.restart", "positions.offset"},
            where(both(is_later, one_token), [](ProbedCall& call) {
                call.put([&](Index, Index, Index) { return to_double(*call.request.past); });
            }));
    all.add(32, "later chunk from 0", kMultimodal, {"positions.restart"},
            where(both(is_later, has_tokens), [](ProbedCall& call) {
                at_place([first = call.stated(0, 0, 0)](double p) { return p - first; })(call);
            }));
    for (const bool forward : {false, true}) {
        for (const std::string model : {"llama-2-7b", "llama-3.1-8b"}) {
            const Part subject = subject_named(model);
            all.add_one(33, forward ? "the wrong way" : "not at all", model, subject,
                        {"sign.reversed", "k.unrotated", "spectrum.zero", "positions.offset"},
                        implementation(subject, at_place([=](double p) {
                                           return p >= 0.0 ? p : forward ? -p : 0.0;
                                       })))
                .settings.negative = true;
        }
    }
    all.add(39, "from 0", kText, {"positions.restart"},
            where(both(is_later, has_tokens), count_from_zero));
}

void plant_axes(Collection& all) {
    Models several = kMultimodal;
    several.insert(several.end(), kTowers.begin(), kTowers.end());
    all.add(40, "in turn", {"qwen2-vl-7b", "qwen2.5-vl-7b"}, {"axes.map"}, [](ProbedCall& call) {
        std::vector<Index> axis(call.rotation.pairs.size());
        for (std::size_t i = 0; i < axis.size(); ++i) {
            axis[i] = i < 60 ? static_cast<Index>(i % 3) : 0;
        }
        give_axes(call, axis);
    });
    all.add(40, "in sections", {"qwen3-vl-8b", "qwen3.5-9b"}, {"axes.map"},
            [](ProbedCall& call) { give_axes(call, in_sections(axes_of_pairs(call))); });
    all.add(41, "exchanged", several, {"axes.swapped"}, exchange_the_last_axes);
    all.add(42, "two pairs more for the first axis", {"wan-2.1", "hunyuanvideo", "flux.1"},
            {"axes.map"}, [](ProbedCall& call) {
                std::vector<Index> axis = axes_of_pairs(call);
                const auto first =
                    std::ranges::find_if(axis, [&](Index a) { return a != axis[0]; });
                std::fill_n(first, 2, axis[0]);
                give_axes(call, axis);
            });
    all.add(43, "the first axis for all", several, {"axes.map"}, give_the_first_axis_to_all);
}

/// [batch, heads, length, channels] written as [batch, length, heads, channels].
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

void plant_sides(Collection& all) {
    all.add(45, "not turned", kText, {"spectrum.zero"}, turn_nothing);
    all.add(47, "keys stay", kText, {"k.unrotated"},
            where(
                [](const ProbedCall& call) {
                    return call.of_keys && call.request.k_shape.heads == 1 && has_heads(call);
                },
                turn_nothing));
    all.add(47, "one row of the table", kText,
            {"positions.wrong_axis", "positions.per_row", "positions.clamped"},
            stay_at_the_first_token);
    for (const std::string& model : kText) {
        const Part subject = subject_named(model);
        all.add_one(48, "order of what is written", model, subject, {"answer.order"},
                    [=](const probe::Request& request) {
                        probe::Answer answer = answer_call(subject, request, {});
                        exchange_order(*answer.q_rot);
                        exchange_order(*answer.k_rot);
                        return answer;
                    });
    }
    all.add(49, "twice", kText, {"k.rotated_twice"}, where(of_keys, at_speed(2.0)));
}

}  // namespace

std::vector<PlantedImplementation> planted_implementations() {
    Collection all;
    for (const auto add : {plant_layouts, plant_spectra, plant_lengths, plant_precision,
                           plant_positions, plant_axes, plant_sides}) {
        add(all);
    }
    std::vector<PlantedImplementation> planted = all.take();
    std::ranges::stable_sort(planted, {}, &PlantedImplementation::fault_class);
    return planted;
}

std::vector<PlantedImplementation> right_implementations(const std::string& model) {
    Collection all;
    for (const Part& subject : open_model(model).parts) {
        const auto add = [&](const std::string& variant, const ChangeCall& change) {
            all.add_one(0, variant, model + " " + subject.name(), subject, {},
                        implementation(subject, change));
        };
        add("fp32", {});
        add("fp64", compute_in_fp64);
        add("16 bits in the tensors' dtype", [](ProbedCall& call) {
            call.rotation.table = call.rotation.arithmetic = call.request.dtype;
        });
        if (subject.spec && subject.spec->scaling == Scaling{}) {
            add("ggml", multiply_frequencies_up);
        }
    }
    return all.take();
}

}  // namespace ropescope::test
