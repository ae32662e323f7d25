// Wrong pairs of channels, wrong signs, and channels that should not turn; and the list as a whole.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/uniform.h"
#include "tests/support/faulty_calls.h"

namespace ropescope::test {
namespace {

const Models kInterleavedModels = {"gpt-j-6b", "command-r", "deepseek-v3", "deepseek-v2-lite"};
const Models kDeepseek = {"deepseek-v3", "deepseek-v2", "deepseek-v2-lite"};

bool of_keys(const ProbedCall& call) {
    return call.of_keys;
}

void add_layouts(FaultyCalls& all) {
    all.add("pairs of neighbours", {"layout.interleaved"}, in_layout(Layout::interleaved))
        .in_vectors({"layout"}, is_half_split)
        .probed(2, {"qwen2-vl-7b", "qwen3-vl-8b"})
        .probed(6, kHalfSplitModels);
    all.add("pairs of halves", {"layout.half_split"}, in_layout(Layout::half_split))
        .in_vectors({"layout"}, is_interleaved)
        .probed(1, kDeepseek)
        .probed(2, {"glm-4.1v-9b", "ernie-4.5-vl-28b"})
        .probed(7, kInterleavedModels)
        .probed(10, kDeepseek);
    all.add("pairs of halves in k alone", {"layout.half_split"},
            where(of_keys, in_layout(Layout::half_split)))
        .probed(1, {"deepseek-v3", "command-r"});
    all.add("neighbours read, halves written", {"layout.other"}, written_in(Layout::half_split))
        .in_vectors({"layout"}, is_interleaved)
        .probed(5, kInterleavedModels);
    all.add("halves read, neighbours written", {"layout.other"}, written_in(Layout::interleaved))
        .in_vectors({"layout"}, is_half_split);
    all.add("channels in reverse order", {},
            with_channels(
                [](const ProbedCall& call, Index channel) { return width(call) - 1 - channel; }))
        .in_vectors({"layout"}, any)
        .unnamed("an arbitrary order of channels is not among the wrong answers");
    all.add("shuffled channels", {"layout.other"},
            [](ProbedCall& call) {
                std::vector<Index> order(static_cast<std::size_t>(width(call)));
                for (std::size_t i = 0; i < order.size(); ++i) {
                    order[i] = static_cast<Index>(i);
                }
                std::ranges::sort(order, {},
                                  [](Index i) { return mixed(static_cast<std::uint64_t>(i)); });
                with_channels([&](const ProbedCall&, Index channel) { return order[channel]; })(
                    call);
            })
        .probed(12, kHalfSplitModels);
    all.add("partner in the other half of the head", {"layout.other", "partial_rotary"},
            pair_across_the_head)
        .in_vectors({"partial"}, both(is_partial, is_half_split))
        .probed(8, kPartialModels);
    all.add("table of the other layout, halves", {"not_a_rotation"},
            [](ProbedCall& call) {
                const Index pairs = std::ssize(call.rotation.pairs);
                call.rotation.first_entry = [](Index pair) { return pair / 2; };
                call.rotation.second_entry = [=](Index pair) { return (pair + pairs) / 2; };
            })
        .in_vectors({"layout"}, is_half_split);
    all.add("table of the other layout, neighbours", {"not_a_rotation"},
            [](ProbedCall& call) {
                const Index pairs = std::ssize(call.rotation.pairs);
                call.rotation.first_entry = [=](Index pair) { return 2 * pair % pairs; };
                call.rotation.second_entry = [=](Index pair) { return (2 * pair + 1) % pairs; };
            })
        .in_vectors({"layout"}, is_interleaved);
}

void add_turns(FaultyCalls& all) {
    all.add("cos and sin exchanged", {"phase"},
            [](ProbedCall& call) { call.rotation.exchanged = true; })
        .in_vectors({"layout"}, any);
    all.add("degrees in place of radians", {"positions.scaled"}, at_speed(180.0 / std::numbers::pi))
        .in_vectors({"layout"}, any);
    all.add("turned the other way", {"sign.reversed"}, at_speed(-1.0)).in_vectors({"layout"}, any);
    all.add("turned the other way in bf16", {"sign.reversed"},
            where([](const ProbedCall& call) { return call.request.dtype == Dtype::bf16; },
                  at_speed(-1.0)))
        .probed(26, kTextModels);
    all.add("no minus in rotate_half", {"not_a_rotation"},
            [](ProbedCall& call) { call.rotation.first_sign = 1.0; })
        .in_vectors({"layout"}, any);
    all.add("not turned", {"spectrum.zero"}, turn_nothing)
        .in_vectors({"layout"}, any)
        .probed(45, kTextModels);
    all.add("turned twice", {"positions.scaled"},
            [](ProbedCall& call) {
                at_speed(2.0)(call);
                call.rotation.gain *= call.rotation.gain;
            })
        .in_vectors({"layout"}, any);
    all.add("keys of one head stay", {"k.unrotated"},
            where(
                [](const ProbedCall& call) {
                    return call.of_keys && call.request.k_shape.heads == 1 && has_heads(call);
                },
                turn_nothing))
        .probed(47, kTextModels);
    all.add("keys are turned twice", {"k.rotated_twice"}, where(of_keys, at_speed(2.0)))
        .probed(49, kTextModels);
}

void add_widths(FaultyCalls& all) {
    all.add("the whole head", {"partial_rotary"}, turn_the_whole_head)
        .probed(11, kPartialModels)
        .probed(19, kPartialModels);
    all.add("the whole head, unscaled", {"partial_rotary"}, with_spec([](RopeSpec& spec) {
                spec.rotary_dim = spec.head_dim;
                spec.scaling = {};
            }))
        .in_vectors({"partial"}, is_partial);
    all.add("halves of the whole head", {"layout.half_split", "partial_rotary"},
            with_spec([](RopeSpec& spec) {
                spec.rotary_dim = spec.head_dim;
                spec.layout = Layout::half_split;
            }))
        .probed(11, {"gpt-j-6b"});
    all.add("half of the pairs", {"partial_rotary"},
            with_spec([](RopeSpec& spec) { spec.rotary_dim /= 2; }))
        .in_vectors({"partial"}, [](const ProbedCall& call) {
            return in_one_axis(call) && width(call) >= 8 && width(call) % 4 == 0 &&
                   call.subject.spec->scaling == Scaling{};
        });
    all.add("half of the pairs, an even number", {"partial_rotary"},
            with_spec([](RopeSpec& spec) { spec.rotary_dim = spec.rotary_dim / 4 * 2; }))
        .probed(19, {"phi-2", "gpt-j-6b", "pythia-160m", "llama-2-7b"});
    all.add("the last channels of the head", {"partial_rotary"},
            with_channels([](const ProbedCall& call, Index channel) {
                return channel + call.subject.spec->head_dim - width(call);
            }))
        .in_vectors({"partial"}, is_partial);
    all.add("exponents over the whole head", {"spectrum.default"},
            [](ProbedCall& call) {
                const RopeSpec& spec = *call.subject.spec;
                for (Index i = 0; i < std::ssize(call.rotation.omega); ++i) {
                    call.rotation.omega[i] =
                        std::pow(spec.base, -2.0 * to_double(i) / to_double(spec.head_dim));
                }
            })
        .in_vectors({"partial"}, both(is_partial, no(is_scaled)));
}

}  // namespace

void add_faulty_layouts(FaultyCalls& all) {
    add_layouts(all);
    add_turns(all);
    add_widths(all);
}

const std::vector<FaultyCall>& faulty_calls() {
    static const std::vector<FaultyCall> kAll = [] {
        FaultyCalls all;
        for (const auto add : {add_faulty_layouts, add_faulty_spectra, add_faulty_places}) {
            add(all);
        }
        return all.take();
    }();
    return kAll;
}

std::vector<FaultyCall> faulty_rotations() {
    std::vector<FaultyCall> all = faulty_calls();
    std::erase_if(all, [](const FaultyCall& call) { return call.flags.empty(); });
    return all;
}

}  // namespace ropescope::test
