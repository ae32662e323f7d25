// Positions that programs of the models' authors made, held against our builders.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/families/scheme_cases.h"
#include "core/checks/worst_case.h"
#include "core/positions/multimodal_ids.h"

namespace ropescope {
namespace {

struct IdsFact {
    std::string_view name;
    MultimodalRule rule;
    PositionVersion version;
    std::vector<Segment> row;
    std::array<std::string_view, 3> ids;  ///< time, height, width
};

Segment text(Index tokens) {
    return {.kind = SegmentKind::text, .text = tokens};
}
Segment image(Index rows, Index columns) {
    return {.kind = SegmentKind::image, .grid = {1, rows, columns}};
}
Segment frame(Index rows, Index columns) {
    return {.kind = SegmentKind::frame, .grid = {1, rows, columns}};
}
Segment video(PatchGrid grid, double seconds = 1.0) {
    return {.kind = SegmentKind::video, .grid = grid, .second_per_grid = seconds};
}

constexpr auto kV4 = PositionVersion::transformers_4;
constexpr auto kV5 = PositionVersion::transformers_5;

/// Recorded from get_rope_index of transformers 4.57.6 and 5.15.0 (modeling_<family>.py).
std::vector<IdsFact> recorded_ids() {
    const MultimodalRule qwen2{.family = MultimodalFamily::qwen2_vl};
    const MultimodalRule qwen25{.family = MultimodalFamily::qwen2_5_vl, .tokens_per_second = 2};
    const MultimodalRule qwen3{.family = MultimodalFamily::qwen3_vl};
    const MultimodalRule glm{.family = MultimodalFamily::glm4v};
    const std::vector image_and_video = {text(3), video({1, 6, 2}), text(6), image(2, 8), text(7)};
    const std::vector long_video = {text(5), video({3, 4, 2}), text(4)};
    const std::vector slow_video = {text(5), video({3, 6, 2}), text(4)};
    const std::vector half_seconds = {text(5), image(2, 8), text(5), video({3, 2, 4}, 0.5),
                                      text(6)};
    const std::vector frames = {text(5), frame(2, 4), text(3), image(2, 8), text(6)};
    const std::vector two_frames = {text(2), frame(4, 4), text(3), frame(4, 4),
                                    text(5), image(2, 6), text(7)};
    return {
        {"qwen2_vl",
         qwen2,
         kV4,
         image_and_video,
         {"0 1 2 3 3 3 6 7 8 9 10 11 12 12 12 12 16 17 18 19 20 21 22",
          "0 1 2 3 4 5 6 7 8 9 10 11 12 12 12 12 16 17 18 19 20 21 22",
          "0 1 2 3 3 3 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22"}},
        {"qwen2_vl_long_video",
         qwen2,
         kV4,
         long_video,
         {"0 1 2 3 4 5 5 6 6 7 7 8 9 10 11", "0 1 2 3 4 5 6 5 6 5 6 8 9 10 11",
          "0 1 2 3 4 5 5 5 5 5 5 8 9 10 11"}},
        {"qwen2_vl_long_video",
         qwen2,
         kV5,
         long_video,
         {"0 1 2 3 4 5 5 6 6 7 7 7 8 9 10", "0 1 2 3 4 5 6 5 6 5 6 7 8 9 10",
          "0 1 2 3 4 5 5 5 5 5 5 7 8 9 10"}},
        {"qwen2_5_vl_slow_video",
         qwen25,
         kV4,
         slow_video,
         {"0 1 2 3 4 5 5 5 7 7 7 9 9 9 10 11 12 13", "0 1 2 3 4 5 6 7 5 6 7 5 6 7 10 11 12 13",
          "0 1 2 3 4 5 5 5 5 5 5 5 5 5 10 11 12 13"}},
        {"qwen2_5_vl_slow_video",
         qwen25,
         kV5,
         slow_video,
         {"0 1 2 3 4 5 5 5 7 7 7 9 9 9 8 9 10 11", "0 1 2 3 4 5 6 7 5 6 7 5 6 7 8 9 10 11",
          "0 1 2 3 4 5 5 5 5 5 5 5 5 5 8 9 10 11"}},
        {"qwen2_5_vl_half_seconds",
         qwen25,
         kV5,
         half_seconds,
         {"0 1 2 3 4 5 5 5 5 9 10 11 12 13 14 14 14 14 14 14 16 17 18 19 20 21",
          "0 1 2 3 4 5 5 5 5 9 10 11 12 13 14 14 14 14 14 14 16 17 18 19 20 21",
          "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 14 15 14 15 16 17 18 19 20 21"}},
        {"qwen3_vl",
         qwen3,
         kV5,
         frames,
         {"0 1 2 3 4 5 5 7 8 9 10 10 10 10 14 15 16 17 18 19",
          "0 1 2 3 4 5 5 7 8 9 10 10 10 10 14 15 16 17 18 19",
          "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"}},
        {"glm4v",
         glm,
         kV4,
         two_frames,
         {"0 1 2 2 2 2 4 5 6 7 7 7 7 9 10 11 12 13 14 14 14 17 18 19 20 21 22 23",
          "0 1 2 2 3 3 4 5 6 7 7 8 8 9 10 11 12 13 14 14 14 17 18 19 20 21 22 23",
          "0 1 2 3 2 3 4 5 6 7 8 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"}},
    };
}

std::vector<Index> integers(std::string_view words) {
    std::vector<Index> numbers;
    for (const char* at = words.data(); at < words.data() + words.size(); ++at) {
        Index number = 0;
        at = std::from_chars(at, words.data() + words.size(), number).ptr;
        numbers.push_back(number);
    }
    return numbers;
}

CheckFinding recorded_ids_come_out(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const IdsFact& fact : recorded_ids()) {
        const MultimodalIds ids = multimodal_ids(fact.rule, fact.version, {.rows = {fact.row}});
        const auto name = fmt::format("layout={} version={}", fact.name, to_string(fact.version));
        Index largest = 0;
        for (Index axis = 0; axis < 3; ++axis) {
            const std::vector<Index> expected = integers(fact.ids[axis]);
            worst.add(to_double(std::abs(std::ssize(expected) - ids.length)), 0.0,
                      [&] { return name + " number=tokens"; });
            for (Index i = 0; i < std::min<Index>(std::ssize(expected), ids.length); ++i) {
                largest = std::max(largest, expected[i]);
                worst.add(to_double(std::abs(ids.at(axis, 0, i) - expected[i])), 0.0,
                          [&] { return fmt::format("{} axis={} token={}", name, axis, i); });
            }
        }
        worst.add(to_double(std::abs(ids.deltas.at(0) - (largest + 1 - ids.length))), 0.0,
                  [&] { return name + " number=delta"; });
    }
    return worst.finding("exact: ids are integers",
                         "eight rows of text, images and videos of four families");
}

/// A token of grids and `text` tokens.
struct GridFact {
    std::string_view preset;
    std::vector<PatchGrid> grids;
    Index text;
    Index token;
    bool turns;
    std::vector<double> position;
};

/// From the functions that assets/scheme_presets.json names; most were recorded while they ran.
std::vector<GridFact> grid_facts() {
    const std::vector<PatchGrid> flat = {{1, 4, 6}};
    return {
        {"qwen2-vl-vision", flat, 0, 1, true, {0, 1}},
        {"qwen2-vl-vision", flat, 0, 2, true, {1, 0}},
        {"qwen2-vl-vision", flat, 0, 4, true, {0, 2}},
        {"qwen2-vl-vision", flat, 0, 12, true, {2, 0}},
        {"pixtral-12b", flat, 0, 5, true, {0, 5}},
        {"pixtral-12b", flat, 0, 6, true, {1, 0}},
        {"llama-4-vision", {{1, 4, 4}}, 0, 1, true, {2, 1}},
        {"llama-4-vision", {{1, 4, 4}}, 0, 4, true, {1, 2}},
        {"llama-4-vision", {{1, 4, 4}}, 0, 16, false, {0, 0}},
        {"gemma-4-vision", flat, 0, 1, true, {1, 0}},
        {"gemma-4-vision", flat, 0, 6, true, {0, 1}},
        {"moonvit", flat, 0, 1, true, {1, 0}},
        {"moonvit", flat, 0, 6, true, {0, 1}},
        {"dinov3-vit-small", {{1, 4, 5}}, 0, 4, false, {0, 0}},
        {"dinov3-vit-small", {{1, 4, 5}}, 0, 6, true, {-0.75, -0.4}},
        {"dinov3-vit-small", {{1, 4, 5}}, 0, 24, true, {0.75, 0.8}},
        {"eva02-large", flat, 0, 0, false, {0, 0}},
        {"eva02-large", flat, 0, 2, true, {0, 16.0 / 6.0}},
        {"eva02-large", flat, 0, 7, true, {4, 0}},
        {"timm-vit-base-rope-reg1", flat, 0, 0, false, {0, 0}},
        {"timm-vit-base-rope-reg1", flat, 0, 7, true, {4, 0}},
        {"timm-vit-base-rope", flat, 0, 2, true, {1, 0}},
        {"ropevit-axial-small", flat, 0, 0, false, {0, 0}},
        {"ropevit-axial-small", flat, 0, 7, true, {0, 1}},
        {"sam-2", {{1, 4, 4}}, 0, 1, true, {1, 0}},
        {"sam-2", {{1, 4, 4}}, 0, 4, true, {0, 1}},
        {"flux.1", {{1, 2, 3}}, 4, 3, true, {0, 0, 0}},
        {"flux.1", {{1, 2, 3}}, 4, 7, true, {0, 1, 0}},
        {"flux.2", {{1, 2, 3}, {1, 2, 3}}, 4, 3, true, {0, 0, 0, 3}},
        {"flux.2", {{1, 2, 3}, {1, 2, 3}}, 4, 5, true, {0, 0, 1, 0}},
        {"flux.2", {{1, 2, 3}, {1, 2, 3}}, 4, 15, true, {10, 1, 2, 0}},
        {"qwen-image", {{1, 3, 5}}, 4, 1, true, {3, 3, 3}},
        {"qwen-image", {{1, 3, 5}}, 4, 4, true, {0, -2, -3}},
        {"qwen-image", {{1, 3, 5}}, 4, 18, true, {0, 0, 1}},
        {"wan-2.1", {{2, 3, 4}}, 0, 4, true, {0, 1, 0}},
        {"wan-2.1", {{2, 3, 4}}, 0, 12, true, {1, 0, 0}},
        {"hunyuanvideo", {{2, 3, 3}}, 4, 3, true, {0, 1, 0}},
        {"hunyuanvideo", {{2, 3, 3}}, 4, 21, false, {0, 0, 0}},
        {"cogvideox-5b", {{2, 15, 45}}, 0, 1, true, {0, 8, 1}},
        {"cogvideox-5b", {{2, 15, 45}}, 0, 45, true, {0, 8 + (23.0 * 14 / 15 - 8) / 14, 0}},
        {"cogvideox-1.5-5b", {{2, 15, 45}}, 3, 2, false, {0, 0, 0}},
        {"cogvideox-1.5-5b", {{2, 15, 45}}, 3, 48, true, {0, 1, 0}},
        {"cosmos-7b", {{2, 4, 3}}, 0, 23, true, {1, 3, 2}},
        {"ltx-video", {{3, 2, 3}}, 0, 5, true, {-1, -0.96875, -0.9375}},
        {"ltx-video", {{3, 2, 3}}, 0, 6, true, {-0.968, -1, -1}},
    };
}

/// A coordinate of at most 64 is start + step * i: four roundings, of 2^-53 each relative to it.
constexpr double kPositionError = 64 * 4 * kUnitDouble;

CheckFinding published_grids_come_out(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const GridFact& fact : grid_facts()) {
        const auto& rule = std::get<GridRule>(scheme_case(fact.preset).positions);
        const TokenPositions found = grid_positions(rule, {fact.grids, fact.text});
        const auto name = fmt::format("scheme={} token={}", fact.preset, fact.token);
        const bool there = fact.token < found.tokens() && found.turns[fact.token] == fact.turns &&
                           found.axes == std::ssize(fact.position);
        worst.add(there ? 0.0 : 1.0, 0.0, [&] { return name + " number=turns"; });
        for (Index a = 0; there && a < found.axes; ++a) {
            worst.add(std::abs(found.view().at(a, fact.token) - fact.position[a]), kPositionError,
                      [&] { return fmt::format("{} axis={}", name, a); });
        }
    }
    return worst.finding("2^-45: four roundings of coordinates up to 64",
                         "tokens of grids of the vision towers, images and videos");
}

}  // namespace

std::vector<Check> position_checks() {
    return {{.id = "positions.published_ids",
             .title = "ids of text, images and videos",
             .source = "huggingface/transformers 4.57.6 and 5.15.0, get_rope_index",
             .statement = "Rows of text, images and videos get the ids that two versions of "
                          "transformers gave them.",
             .figure = "axes axes_model=qwen2.5-vl-7b",
             .run = recorded_ids_come_out},
            {.id = "positions.published_grids",
             .title = "positions of patches",
             .source = "core/formats/schemes/scheme_facts.cpp names a function for each",
             .statement = "Patches, text and class tokens get the positions of the model's source, "
                          "and those turn that turn there.",
             .figure = "axes axes_model=dinov3-vit-small",
             .run = published_grids_come_out}};
}

}  // namespace ropescope
