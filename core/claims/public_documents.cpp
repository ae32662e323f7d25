// The claims of public documents about rotary embeddings in several axes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "core/claims/claim.h"
#include "core/positions/multimodal_ids.h"
#include "core/rope/axis_positions.h"
#include "core/schemes/multimodal_text.h"

namespace ropescope {
namespace {

using namespace claims;

/// Letters of the axes of the first pairs, as apply_interleaved_mrope gives them.
std::string qwen3_axes(std::size_t pairs) {
    const std::vector<Index> axes = axis_of_pairs(Sections{24, 20, 20}, SectionOrder::cyclic, 64);
    std::string letters;
    for (std::size_t i = 0; i < pairs; ++i) {
        letters += "THW"[axes[i]];
    }
    return letters;
}

Index differing(std::string_view a, std::string_view b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), Index{0}, std::plus<>(),
                              std::not_equal_to<>());
}

Evidence interleaved_pattern() {
    std::string cycles;
    for (int i = 0; i < 20; ++i) {
        cycles += "THW";
    }
    constexpr std::string_view kWritten = "THTHWHTHW";
    Evidence evidence = exact_count("pairs that twenty times THW and then TTTT name otherwise",
                                    differing(cycles + "TTTT", qwen3_axes(64)), 0);
    evidence.refutation =
        Refutation{"pairs of the first nine that THTHWHTHW names otherwise",
                   to_double(differing(kWritten, qwen3_axes(kWritten.size()))), 1.0};
    return evidence;
}

/// The step of time between two frames of a video, from the positions that get_rope_index makes.
double step_of_time(double seconds) {
    const MultimodalRule rule{.family = MultimodalFamily::qwen2_5_vl, .tokens_per_second = 2};
    const Segment video{.kind = SegmentKind::video, .grid = {2, 2, 2}, .second_per_grid = seconds};
    const MultimodalIds ids =
        multimodal_ids(rule, PositionVersion::transformers_5, {.rows = {{video}}});
    return to_double(ids.at(kTime, 0, 1) - ids.at(kTime, 0, 0));
}

Evidence interval_of_time() {
    const auto off = [](double seconds) { return std::abs(step_of_time(seconds) - 2.0 * seconds); };
    return {
        .what = "|step - tokens_per_second * seconds|, 1, 2 and 3 seconds a grid",
        .error = std::max({off(1.0), off(2.0), off(3.0)}),
        .bound = 0.0,
        .bound_reason = "positions are integers",
        .refutation = Refutation{"the same at half a second", off(0.5), 1.0},
        .detail = fmt::format("at 1.5 seconds the step is {} in place of 3", step_of_time(1.5))};
}

Evidence text_is_one_dimensional() {
    RopeSpec spec;
    spec.head_dim = spec.rotary_dim = 128;
    spec.base = 1e6;
    const RotaryScheme scheme =
        multimodal_text("qwen2_vl_text", spec, {16, 24, 24}, SectionOrder::bands, MultimodalRule{});
    const std::vector<Index> positions = {0, 1, 40, 32767};
    const auto in_axes = [&](double height) {
        std::vector<double> all;
        for (const double factor : {1.0, height, 1.0}) {
            for (const Index m : positions) {
                all.push_back(factor * to_double(m));
            }
        }
        return make_rotation_table(scheme.heads.front(), AxisPositions{all, 3}, 1);
    };
    const RotationTable one = make_rotation_table(make_spectrum(spec), positions, 1);
    const auto off = [&](const RotationTable& table) {
        double largest = 0.0;
        for (std::size_t i = 0; i < one.cos.size(); ++i) {
            largest = std::max(largest, std::abs(double{one.cos[i]} - double{table.cos[i]}));
        }
        return largest;
    };
    return {
        .what = "table of t = h = w against one axis, positions 0, 1, 40, 32767",
        .error = off(in_axes(1.0)),
        .bound = 0.0,
        .bound_reason = "the same bits",
        .refutation = Refutation{"with another height, as in an image", off(in_axes(0.5)), 0.1}};
}

}  // namespace

std::vector<Claim> public_document_claims() {
    return {
        {.id = "005-01",
         .place = "huggingface/transformers, modeling_qwen3_vl.py, apply_interleaved_mrope, its "
                  "docstring (issues 42097, 42177)",
         .claim = "the axes of the pairs are interleaved as THTHWHTHW...TT",
         .truth = Truth::fails,
         .correct = "THW twenty times, then TTTT: every third pair is of height, every third of "
                    "width",
         .figure = "axes axes_model=qwen3-vl-8b",
         .evidence = interleaved_pattern},
        {.id = "005-02",
         .place = "huggingface/transformers, modeling_qwen2_5_vl.py, get_rope_index, its docstring "
                  "(issue 48669)",
         .claim = "frames of a video are tokens_per_second times their seconds apart",
         .truth = Truth::holds_only_if,
         .condition = "the seconds are a whole number",
         .correct = "the seconds are cut to an integer before they are multiplied",
         .figure = "axes axes_model=qwen2.5-vl-7b",
         .evidence = interval_of_time},
        {.id = "005-03",
         .place = "huggingface/transformers, modeling_gemma4.py, recomposition_to_2d",
         .claim = "the first half of a head turns by h",
         .truth = Truth::fails,
         .correct = "the processor gives (x, y), so that the first half turns by the column"},
        {.id = "005-T1",
         .place = "Qwen2-VL (arXiv:2409.12191), section 2.1, M-RoPE",
         .claim = "for text M-RoPE is RoPE in one axis",
         .truth = Truth::holds,
         .correct = "its positions are the same in all axes, and the frequencies are those of one "
                    "spectrum",
         .figure = "axes axes_model=qwen2-vl-7b axes_tokens=text",
         .evidence = text_is_one_dimensional},
    };
}

}  // namespace ropescope
