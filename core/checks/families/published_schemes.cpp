// What published sources say of single pairs, and of text, held against the presets.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/base/wide_math.h"
#include "core/checks/families/families.h"
#include "core/checks/families/scheme_cases.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

/// A pair of the first head: it belongs to one axis, which turns it by factor *
/// base^(-numerator / denominator) radians for each unit.
struct PairFact {
    std::string_view preset;
    Index pair;
    std::string_view axis;
    ChannelPair channels;
    double factor;
    double base;
    double numerator;
    double denominator;
};

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kQuarterTurn = std::numbers::pi / 2.0;
const double kCosmosTime = 1e4 * std::pow(2.0, 44.0 / 42.0);

// Read from the functions that core/formats/schemes/scheme_facts.cpp names: the first and the last
// pair of each axis, and neighbours where axes alternate.
const std::array kPairs = {
    PairFact{"qwen2-vl-7b", 0, "t", {0, 64}, 1.0, 1e6, 0, 128},
    PairFact{"qwen2-vl-7b", 15, "t", {15, 79}, 1.0, 1e6, 30, 128},
    PairFact{"qwen2-vl-7b", 16, "h", {16, 80}, 1.0, 1e6, 32, 128},
    PairFact{"qwen2-vl-7b", 39, "h", {39, 103}, 1.0, 1e6, 78, 128},
    PairFact{"qwen2-vl-7b", 40, "w", {40, 104}, 1.0, 1e6, 80, 128},
    PairFact{"qwen2-vl-7b", 63, "w", {63, 127}, 1.0, 1e6, 126, 128},
    PairFact{"qwen2.5-vl-7b", 15, "t", {15, 79}, 1.0, 1e6, 30, 128},
    PairFact{"qwen2.5-vl-7b", 16, "h", {16, 80}, 1.0, 1e6, 32, 128},
    PairFact{"qwen2.5-vl-7b", 40, "w", {40, 104}, 1.0, 1e6, 80, 128},
    PairFact{"qwen3-vl-8b", 0, "t", {0, 64}, 1.0, 5e6, 0, 128},
    PairFact{"qwen3-vl-8b", 1, "h", {1, 65}, 1.0, 5e6, 2, 128},
    PairFact{"qwen3-vl-8b", 2, "w", {2, 66}, 1.0, 5e6, 4, 128},
    PairFact{"qwen3-vl-8b", 58, "h", {58, 122}, 1.0, 5e6, 116, 128},
    PairFact{"qwen3-vl-8b", 59, "w", {59, 123}, 1.0, 5e6, 118, 128},
    PairFact{"qwen3-vl-8b", 60, "t", {60, 124}, 1.0, 5e6, 120, 128},
    PairFact{"qwen3-vl-8b", 63, "t", {63, 127}, 1.0, 5e6, 126, 128},
    PairFact{"qwen3.5-9b", 0, "t", {0, 32}, 1.0, 1e7, 0, 64},
    PairFact{"qwen3.5-9b", 1, "h", {1, 33}, 1.0, 1e7, 2, 64},
    PairFact{"qwen3.5-9b", 2, "w", {2, 34}, 1.0, 1e7, 4, 64},
    PairFact{"qwen3.5-9b", 29, "w", {29, 61}, 1.0, 1e7, 58, 64},
    PairFact{"qwen3.5-9b", 30, "t", {30, 62}, 1.0, 1e7, 60, 64},
    PairFact{"qwen3.5-9b", 31, "h", {31, 63}, 1.0, 1e7, 62, 64},
    PairFact{"glm-4.1v-9b", 7, "t", {14, 15}, 1.0, 1e4, 14, 64},
    PairFact{"glm-4.1v-9b", 8, "h", {16, 17}, 1.0, 1e4, 16, 64},
    PairFact{"glm-4.1v-9b", 19, "h", {38, 39}, 1.0, 1e4, 38, 64},
    PairFact{"glm-4.1v-9b", 20, "w", {40, 41}, 1.0, 1e4, 40, 64},
    PairFact{"glm-4.1v-9b", 31, "w", {62, 63}, 1.0, 1e4, 62, 64},
    PairFact{"ernie-4.5-vl-28b", 0, "h", {0, 1}, 1.0, 5e5, 0, 128},
    PairFact{"ernie-4.5-vl-28b", 1, "w", {2, 3}, 1.0, 5e5, 2, 128},
    PairFact{"ernie-4.5-vl-28b", 43, "w", {86, 87}, 1.0, 5e5, 86, 128},
    PairFact{"ernie-4.5-vl-28b", 44, "t", {88, 89}, 1.0, 5e5, 88, 128},
    PairFact{"ernie-4.5-vl-28b", 63, "t", {126, 127}, 1.0, 5e5, 126, 128},
    PairFact{"videorope", 0, "h", {0, 64}, 1.0, 1e6, 0, 128},
    PairFact{"videorope", 1, "w", {1, 65}, 1.0, 1e6, 2, 128},
    PairFact{"videorope", 47, "w", {47, 111}, 1.0, 1e6, 94, 128},
    PairFact{"videorope", 48, "t", {48, 112}, 1.0, 1e6, 96, 128},
    PairFact{"videorope", 63, "t", {63, 127}, 1.0, 1e6, 126, 128},
    PairFact{"qwen2-vl-vision", 1, "h", {1, 41}, 1.0, 1e4, 4, 80},
    PairFact{"qwen2-vl-vision", 19, "h", {19, 59}, 1.0, 1e4, 76, 80},
    PairFact{"qwen2-vl-vision", 20, "w", {20, 60}, 1.0, 1e4, 0, 80},
    PairFact{"qwen2-vl-vision", 39, "w", {39, 79}, 1.0, 1e4, 76, 80},
    PairFact{"qwen2.5-vl-vision", 1, "h", {1, 41}, 1.0, 1e4, 4, 80},
    PairFact{"qwen2.5-vl-vision", 20, "w", {20, 60}, 1.0, 1e4, 0, 80},
    PairFact{"qwen3-vl-vision", 17, "h", {17, 53}, 1.0, 1e4, 68, 72},
    PairFact{"qwen3-vl-vision", 18, "w", {18, 54}, 1.0, 1e4, 0, 72},
    PairFact{"pixtral-12b", 0, "h", {0, 32}, 1.0, 1e4, 0, 64},
    PairFact{"pixtral-12b", 15, "h", {15, 47}, 1.0, 1e4, 60, 64},
    PairFact{"pixtral-12b", 16, "w", {16, 48}, 1.0, 1e4, 2, 64},
    PairFact{"pixtral-12b", 31, "w", {31, 63}, 1.0, 1e4, 62, 64},
    PairFact{"pixtral-12b-mistral", 1, "h", {2, 3}, 1.0, 1e4, 4, 64},
    PairFact{"pixtral-12b-mistral", 16, "w", {32, 33}, 1.0, 1e4, 2, 64},
    PairFact{"pixtral-12b-mistral", 31, "w", {62, 63}, 1.0, 1e4, 62, 64},
    PairFact{"llama-4-vision", 0, "x", {0, 1}, 1.0, 1e4, 0, 88},
    PairFact{"llama-4-vision", 21, "x", {42, 43}, 1.0, 1e4, 84, 88},
    PairFact{"llama-4-vision", 22, "y", {44, 45}, 1.0, 1e4, 0, 88},
    PairFact{"llama-4-vision", 43, "y", {86, 87}, 1.0, 1e4, 84, 88},
    PairFact{"gemma-4-vision", 0, "x", {0, 16}, 1.0, 100, 0, 32},
    PairFact{"gemma-4-vision", 15, "x", {15, 31}, 1.0, 100, 30, 32},
    PairFact{"gemma-4-vision", 16, "y", {32, 48}, 1.0, 100, 0, 32},
    PairFact{"gemma-4-vision", 31, "y", {47, 63}, 1.0, 100, 30, 32},
    PairFact{"moonvit", 0, "x", {0, 1}, 1.0, 1e4, 0, 72},
    PairFact{"moonvit", 1, "y", {2, 3}, 1.0, 1e4, 0, 72},
    PairFact{"moonvit", 2, "x", {4, 5}, 1.0, 1e4, 4, 72},
    PairFact{"moonvit", 35, "y", {70, 71}, 1.0, 1e4, 68, 72},
    PairFact{"dinov3-vit-small", 0, "h", {0, 32}, kTurn, 100, 0, 64},
    PairFact{"dinov3-vit-small", 15, "h", {15, 47}, kTurn, 100, 60, 64},
    PairFact{"dinov3-vit-small", 16, "w", {16, 48}, kTurn, 100, 0, 64},
    PairFact{"dinov3-vit-small", 31, "w", {31, 63}, kTurn, 100, 60, 64},
    PairFact{"eva02-large", 1, "y", {2, 3}, 1.0, 1e4, 4, 64},
    PairFact{"eva02-large", 15, "y", {30, 31}, 1.0, 1e4, 60, 64},
    PairFact{"eva02-large", 16, "x", {32, 33}, 1.0, 1e4, 0, 64},
    PairFact{"eva02-large", 31, "x", {62, 63}, 1.0, 1e4, 60, 64},
    PairFact{"timm-vit-base-rope-reg1", 1, "y", {2, 3}, 1.0, 1e4, 4, 64},
    PairFact{"timm-vit-base-rope-reg1", 16, "x", {32, 33}, 1.0, 1e4, 0, 64},
    PairFact{"timm-vit-base-rope", 1, "x", {2, 3}, 1.0, 100, 4, 64},
    PairFact{"timm-vit-base-rope", 16, "y", {32, 33}, 1.0, 100, 0, 64},
    PairFact{"ropevit-axial-small", 1, "x", {2, 3}, 1.0, 100, 4, 64},
    PairFact{"ropevit-axial-small", 16, "y", {32, 33}, 1.0, 100, 0, 64},
    PairFact{"ropevit-axial-small", 31, "y", {62, 63}, 1.0, 100, 60, 64},
    PairFact{"sam-2", 1, "x", {2, 3}, 1.0, 1e4, 4, 256},
    PairFact{"sam-2", 63, "x", {126, 127}, 1.0, 1e4, 252, 256},
    PairFact{"sam-2", 64, "y", {128, 129}, 1.0, 1e4, 0, 256},
    PairFact{"sam-2", 127, "y", {254, 255}, 1.0, 1e4, 252, 256},
    PairFact{"flux.1", 1, "id", {2, 3}, 1.0, 1e4, 2, 16},
    PairFact{"flux.1", 7, "id", {14, 15}, 1.0, 1e4, 14, 16},
    PairFact{"flux.1", 8, "h", {16, 17}, 1.0, 1e4, 0, 56},
    PairFact{"flux.1", 35, "h", {70, 71}, 1.0, 1e4, 54, 56},
    PairFact{"flux.1", 36, "w", {72, 73}, 1.0, 1e4, 0, 56},
    PairFact{"flux.1", 63, "w", {126, 127}, 1.0, 1e4, 54, 56},
    PairFact{"flux.2", 15, "t", {30, 31}, 1.0, 2000, 30, 32},
    PairFact{"flux.2", 16, "h", {32, 33}, 1.0, 2000, 0, 32},
    PairFact{"flux.2", 33, "w", {66, 67}, 1.0, 2000, 2, 32},
    PairFact{"flux.2", 63, "l", {126, 127}, 1.0, 2000, 30, 32},
    PairFact{"qwen-image", 7, "frame", {14, 15}, 1.0, 1e4, 14, 16},
    PairFact{"qwen-image", 8, "h", {16, 17}, 1.0, 1e4, 0, 56},
    PairFact{"qwen-image", 35, "h", {70, 71}, 1.0, 1e4, 54, 56},
    PairFact{"qwen-image", 63, "w", {126, 127}, 1.0, 1e4, 54, 56},
    PairFact{"wan-2.1", 21, "f", {42, 43}, 1.0, 1e4, 42, 44},
    PairFact{"wan-2.1", 22, "h", {44, 45}, 1.0, 1e4, 0, 42},
    PairFact{"wan-2.1", 42, "h", {84, 85}, 1.0, 1e4, 40, 42},
    PairFact{"wan-2.1", 43, "w", {86, 87}, 1.0, 1e4, 0, 42},
    PairFact{"wan-2.1", 63, "w", {126, 127}, 1.0, 1e4, 40, 42},
    PairFact{"hunyuanvideo", 1, "t", {2, 3}, 1.0, 256, 2, 16},
    PairFact{"hunyuanvideo", 8, "h", {16, 17}, 1.0, 256, 0, 56},
    PairFact{"hunyuanvideo", 63, "w", {126, 127}, 1.0, 256, 54, 56},
    PairFact{"cogvideox-5b", 1, "t", {2, 3}, 1.0, 1e4, 2, 16},
    PairFact{"cogvideox-5b", 8, "h", {16, 17}, 1.0, 1e4, 0, 24},
    PairFact{"cogvideox-5b", 19, "h", {38, 39}, 1.0, 1e4, 22, 24},
    PairFact{"cogvideox-5b", 20, "w", {40, 41}, 1.0, 1e4, 0, 24},
    PairFact{"cogvideox-5b", 31, "w", {62, 63}, 1.0, 1e4, 22, 24},
    PairFact{"cogvideox-1.5-5b", 31, "w", {62, 63}, 1.0, 1e4, 22, 24},
    PairFact{"cosmos-7b", 0, "t", {0, 64}, 1.0, kCosmosTime, 0, 44},
    PairFact{"cosmos-7b", 21, "t", {21, 85}, 1.0, kCosmosTime, 42, 44},
    PairFact{"cosmos-7b", 22, "h", {22, 86}, 1.0, 1e4, 0, 42},
    PairFact{"cosmos-7b", 42, "h", {42, 106}, 1.0, 1e4, 40, 42},
    PairFact{"cosmos-7b", 63, "w", {63, 127}, 1.0, 1e4, 40, 42},
    PairFact{"ltx-video", 1, "f", {2, 3}, kQuarterTurn, 1e4, 0, -340},
    PairFact{"ltx-video", 2, "h", {4, 5}, kQuarterTurn, 1e4, 0, -340},
    PairFact{"ltx-video", 3, "w", {6, 7}, kQuarterTurn, 1e4, 0, -340},
    PairFact{"ltx-video", 4, "f", {8, 9}, kQuarterTurn, 1e4, 1, -340},
    PairFact{"ltx-video", 31, "f", {62, 63}, kQuarterTurn, 1e4, 10, -340},
};

/// The frequency in long double, by exp of a product.
long double omega_of(const PairFact& fact) {
    return static_cast<long double>(fact.factor) *
           wide_exp(-static_cast<long double>(fact.numerator) /
                    static_cast<long double>(fact.denominator) * wide_log(fact.base));
}

/// A power in double: the rounding of its exponent costs |ln omega| units of 2^-53, the power, the
/// factor and the base two units each and their own rounding in the file.
double power_bound(double omega) {
    return (std::abs(std::log(omega)) + 8.0) * kUnitDouble * omega;
}

CheckFinding published_pairs(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const PairFact& fact : kPairs) {
        const RotaryScheme& scheme = scheme_case(fact.preset);
        const auto name = fmt::format("scheme={} pair={}", fact.preset, fact.pair);
        const bool there =
            fact.pair < scheme.pair_count() && scheme.pairs[fact.pair] == fact.channels;
        worst.add(there ? 0.0 : 1.0, 0.0, [&] { return name + " number=channels"; });
        const auto omega_rad = scheme.heads.front().omega_rad(fact.pair);
        for (std::size_t a = 0; a < omega_rad.size(); ++a) {
            const long double expected = scheme.axes[a] == fact.axis ? omega_of(fact) : 0.0L;
            const double bound =
                expected == 0.0L ? 0.0 : power_bound(static_cast<double>(expected));
            worst.add(static_cast<double>(std::abs(expected - omega_rad[a])), bound,
                      [&] { return fmt::format("{} axis={}", name, scheme.axes[a]); });
        }
    }
    return worst.finding("(|ln omega| + 8) 2^-53 omega: powers in double; 0 for the other axes",
                         "the ends of each axis in all presets of several axes");
}

struct TextFact {
    std::string_view preset;
    double base;
    Index rotary_dim;
    Layout layout;
};

// The models' own files and modeling_<type>.py, as assets/scheme_presets.json names them.
constexpr std::array kTexts = {TextFact{"qwen2-vl-7b", 1e6, 128, Layout::half_split},
                               TextFact{"qwen2.5-vl-7b", 1e6, 128, Layout::half_split},
                               TextFact{"qwen3-vl-8b", 5e6, 128, Layout::half_split},
                               TextFact{"qwen3.5-9b", 1e7, 64, Layout::half_split},
                               TextFact{"glm-4.1v-9b", 1e4, 64, Layout::interleaved},
                               TextFact{"ernie-4.5-vl-28b", 5e5, 128, Layout::interleaved},
                               TextFact{"videorope", 1e6, 128, Layout::half_split}};

/// Text has one position for all axes.
TokenPositions text_positions(Index axes) {
    TokenPositions positions{axes, {}, {}};
    for (Index a = 0; a < axes; ++a) {
        for (const std::int64_t m : sweep_positions()) {
            positions.values.push_back(to_double(m));
        }
    }
    positions.turns.assign(sweep_positions().size(), true);
    return positions;
}

CheckFinding text_turns_in_one_axis(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        for (const TextFact& fact : kTexts) {
            const RotaryScheme& scheme = scheme_case(fact.preset);
            RopeSpec spec;
            spec.head_dim = static_cast<int>(scheme.head_dim);
            spec.rotary_dim = static_cast<int>(fact.rotary_dim);
            spec.base = fact.base;
            const RotationTable one = engine->table(make_spectrum(spec), sweep_positions());
            const RotationTable several =
                engine->table(scheme.heads.front(), text_positions(std::ssize(scheme.axes)).view());
            // The processor promises the same bits; the GPU multiplies cos and sin of the axes.
            const double bound =
                engine->kind() == EngineKind::cpu ? 0.0 : 2.0 * axis_table_error(3);
            const auto name = fmt::format("by={} scheme={}", engine->name(), fact.preset);
            worst.add(one.pairs == several.pairs ? 0.0 : 1.0, 0.0,
                      [&] { return name + " number=pairs"; });
            for (Index i = 0; i < std::min(one.rows * one.pairs, several.rows * several.pairs);
                 ++i) {
                worst.add(std::max(std::abs(double{one.cos[i]} - double{several.cos[i]}),
                                   std::abs(double{one.sin[i]} - double{several.sin[i]})),
                          bound, [&] { return fmt::format("{} entry={}", name, i); });
            }
            for (Index i = 0; i < scheme.pair_count(); ++i) {
                const bool same = scheme.pairs[i] == pair_channels(fact.layout, fact.rotary_dim, i);
                worst.add(same ? 0.0 : 1.0, 0.0,
                          [&] { return fmt::format("{} channels={}", name, i); });
            }
        }
    }
    return worst.finding("CPU 0: the same bits; GPU twice 2^-25 + 2^-45 + 45 2^-53 for two tables",
                         "seven language models that see, t = h = w from 0 to 1048575");
}

}  // namespace

std::vector<Check> published_scheme_checks() {
    return {{.id = "axes.published_numbers",
             .title = "frequencies of published models",
             .source = "core/formats/schemes/scheme_facts.cpp names a function for each",
             .statement = "The pairs at the ends of each axis have the channels, the axis and the "
                          "frequency of the model's source.",
             .figure = "axes",
             .run = published_pairs},
            {.id = "axes.text_is_one_dimensional",
             .title = "text in several axes",
             .source = "huggingface/transformers, models/qwen2_vl/modeling_qwen2_vl.py",
             .statement = "Text, whose positions are the same in all axes, turns as in one axis.",
             .figure = "axes axes_model=qwen2-vl-7b axes_tokens=text",
             .run = text_turns_in_one_axis}};
}

}  // namespace ropescope
