// What a GGUF file does not say because llama.cpp knows it by the architecture: one row of
// assets/gguf_architectures.json for each. A row has the names of the members below as its keys,
// and says only what differs from their initial values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/enum_names.h"
#include "core/positions/multimodal_ids.h"

namespace ropescope::gguf {

/// llama_rope_type: which channels turn together, and by how many positions.
enum class RopeType : std::uint8_t {
    none,   ///< no rotation
    norm,   ///< channels 2i and 2i + 1
    neox,   ///< channels i and i + n / 2
    mrope,  ///< as neox, with one position for time, height and width each; sections one by one
    imrope  ///< the same with sections by turns
};

/// The q and k of a file against those of the checkpoint that it was made from.
enum class WeightOrder : std::uint8_t {
    unknown,
    permuted,  ///< the converter reorders half-split q and k, so that they turn interleaved
    native     ///< the checkpoint's own pairs are interleaved
};

/// Whether layers with a sliding window stand between those that see everything.
enum class Window : std::uint8_t {
    none,
    always,
    stated  ///< if the file has a sliding window above 0
};

/// Layers in which nothing turns.
enum class Still : std::uint8_t {
    none,
    full,  ///< those without a window, if others have one
    every  ///< each still_step-th
};

/// What products of queries and keys are multiplied by.
enum class Softmax : std::uint8_t {
    usual,   ///< 1 / sqrt(head_dim)
    stated,  ///< attention.scale
    one
};

}  // namespace ropescope::gguf

namespace ropescope {

template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<gguf::RopeType> = {
    "none", "norm", "neox", "mrope", "imrope"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<gguf::WeightOrder> = {
    "unknown", "permuted", "native"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<gguf::Window> = {"none", "always",
                                                                             "stated"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<gguf::Still> = {"none", "full",
                                                                            "every"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<gguf::Softmax> = {"usual", "stated",
                                                                              "one"};

}  // namespace ropescope

namespace ropescope::gguf {

struct GgufArchitecture {
    std::string_view architecture = {};
    RopeType rope = RopeType::neox;
    std::string_view without = {};  ///< why nothing turns, the rest of a sentence
    int alibi_layers = 0;           ///< models with so many layers have ALiBi in place of RoPE
    /// rope.scaling.finetuned = false means that the model has no RoPE.
    bool finetuned_is_switch = false;
    WeightOrder weights = WeightOrder::unknown;

    // Types of layers.
    Window window = Window::none;
    int period = 0;  ///< one layer in so many sees everything, unless the file has a pattern
    bool starts_full = false;  ///< the first of each period, not the last
    double sliding_base = 0;   ///< of layers with a window; 0: that of the others
    bool sliding_scaled = true;
    bool factors_in_full_only = false;  ///< rope_freqs.weight holds for layers without a window
    double full_share = 1;              ///< of rope.dimension_count that turns in those layers
    Still still = Still::none;
    int still_step = 0;
    bool leading_turn = false;  ///< the leading_dense_block_count first layers are not still

    // What numbers of the file mean.
    /// rope.dimension_count channels are apart from the rest of the head (MLA), and all turn.
    bool rotary_part_only = false;
    bool log_multiplier_in_tenths = false;  ///< yarn_log_multiplier is 0.1 mscale_all_dim
    bool whole_heads = false;     ///< all channels turn, whatever rope.dimension_count says
    bool scales_nothing = false;  ///< rope.scaling.* is not read
    bool reads_alpha = false;     ///< rope.scaling.alpha stretches the base, as NTK scaling does
    double beta_fast = 32;        ///< if rope.scaling.yarn_beta_fast is missing
    Softmax softmax = Softmax::usual;
    /// Models with so many layers divide scores by sqrt(embedding_length / heads).
    int wide_layers = 0;

    // Several axes.
    bool sections_make_mrope = false;  ///< a file with sections is read as mrope
    std::string_view scheme = {};      ///< an id of scheme_facts()
    MultimodalFamily positions = MultimodalFamily::qwen2_vl;

    std::string_view note = {};    ///< shown beside what is read
    std::string_view source = {};  ///< where more than the type was read
};

inline constexpr const char* kArchitecturesFile = "assets/gguf_architectures.json";
std::span<const GgufArchitecture> architectures();
/// Null if the table does not have it.
const GgufArchitecture* find_architecture(std::string_view name);

}  // namespace ropescope::gguf
