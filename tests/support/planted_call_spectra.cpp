// Implementations with another layout, width, base or scaling.
#include <algorithm>
#include <cmath>

#include "core/base/uniform.h"
#include "core/rope/spectrum.h"
#include "tests/support/planted_calls.h"

namespace ropescope::test {

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

}  // namespace ropescope::test
