// What each model family (Hugging Face's model_type) calls its rotary parameters and what it does
// if the file is silent: one row of assets/families.json for each family. A row has the names of
// the members below as its keys, and says only what differs from their initial values.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/rope/layout.h"

namespace ropescope {

/// What a file without the key of a condition means: the condition is fulfilled, it is fulfilled by
/// assumption, or the model has no RoPE.
enum class MissingCondition : std::uint8_t { fulfilled, assumed, refused };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<MissingCondition> = {
    "fulfilled", "assumed", "refused"};

inline constexpr std::string_view kFullAttention = "full_attention";
inline constexpr std::string_view kSlidingAttention = "sliding_attention";

/// One type of layers. An empty key and a 0 mean the family's own.
struct LayerKind {
    std::string_view type = {};  ///< as layer_types and rope_parameters name it
    /// Turns at a base of its own: a rope_theta for all types together belongs to the others.
    bool local = false;
    bool scaled = true;  ///< rope_scaling holds for these layers
    std::string_view base_key = {};
    double base = 0;
    std::string_view head_dim_key = {};
    int head_dim = 0;
    std::string_view listed_as = {};  ///< in layer_types, if not by `type`
    /// The layers of no other kind; in a family's pattern those with another number than 0.
    bool rest = false;
};

/// Zero if the file must say it.
struct TextSizes {
    int hidden = 0, heads = 0, kv_heads = 0;
};

/// A switch that stretches the base by `factor`, as NTK scaling does, for sequences of every
/// length.
struct LongContext {
    std::string_view key = {};
    double factor = 1;
    std::int64_t positions = 0;  ///< the context that the file then means, whatever it states
};

/// A key that must have one value for the model to use RoPE at all.
struct Condition {
    std::string_view key = {};
    const nlohmann::json* value = nullptr;  ///< null: any
    MissingCondition missing = MissingCondition::fulfilled;
};

/// A family by which a file is read in place of its own if the key has the value.
struct Alternative {
    std::string_view key = {};
    const nlohmann::json* value = nullptr;
    std::vector<std::string_view> zero_keys = {};  ///< or all of these are there, and 0
    std::string_view as = {};                      ///< a model_type of the table
};

/// An empty key means that the family has none. Sizes go by their usual names (hidden_size,
/// num_hidden_layers, ...) as well as by those that a row adds. Texts point into the table or, in
/// an inferred family, into the file.
struct ModelFamily {
    std::string_view model_type;
    /// Where the row was read: files, classes, functions.
    std::string_view source = {};
    Layout layout = Layout::half_split;
    std::string_view base_key = "rope_theta";
    double base = 10000;  ///< if base_key is missing
    /// Stands for base_key in files of another time.
    std::string_view other_base_key = {};
    /// A key by which the base is multiplied, in the families that have one.
    std::string_view base_ratio_key = {};
    /// Share of head_dim that is rotated: rotary_dim = floor(head_dim * factor).
    std::string_view factor_key = "partial_rotary_factor";
    double factor = 1;
    /// Rotated channels, in the families that count them. If the file does not: width, or by factor
    /// if width is 0.
    std::string_view width_key = {};
    int width = 0;
    std::string_view heads_key = "num_attention_heads";
    std::string_view head_dim_key = "head_dim";
    int head_dim = 0;  ///< if head_dim_key is missing; 0 means hidden_times * hidden_size / heads
    int hidden_times = 1;
    /// Names that only this family has for its sizes; they go before the usual ones.
    std::string_view hidden_key = {};
    std::string_view layers_key = {};
    std::string_view kv_heads_key = {};
    std::string_view positions_key = {};
    /// head_dim counts the channels that carry positions and no others; all of them turn.
    bool rotary_part_only = false;
    /// If the file is silent about them; 0 means that the file must say it.
    int heads = 0, kv_heads = 0;
    std::int64_t positions = 0;
    std::int64_t original_positions = 0;  ///< of scaled rotary parameters
    /// The sizes of a language model inside another model, whose text_config may leave them out.
    TextSizes text = {};
    LongContext long_context = {};
    /// An object in which the family keeps what concerns attention.
    std::string_view attention_object = {};
    /// A key that says whether pairs are interleaved, in the families that have one.
    std::string_view layout_key = {};
    /// rope_parameters of a file that has neither them nor rope_scaling.
    const nlohmann::json* default_parameters = nullptr;
    /// An object whose base, type ("origin" or a method) and scaling_factor stand for
    /// rope_parameters.
    std::string_view rotary_object = {};
    /// DeepSeek: the softmax scale is multiplied by get_mscale(factor, mscale_all_dim)^2.
    bool scales_softmax = false;
    /// Phi-3.5-MoE: short_mscale and long_mscale stand for LongRoPE's attention factor.
    bool mscale_by_length = false;
    /// Llama 4 Scout: its llama3 scaling has a step in place of the ramp.
    bool llama3_may_step = false;
    /// YaRN without an attention_factor multiplies nothing.
    bool yarn_keeps_length = false;
    /// rope_scaling of type ntk means (base s)^(-2i/d) / s^(2/d), GTE's formula.
    bool ntk_of_gte = false;
    /// A number by which positions are divided, as linear scaling does.
    std::string_view position_scale_key = {};
    /// The types of layers, in families whose layers turn differently; else empty.
    std::vector<LayerKind> layers = {};
    /// A list with a number for each layer: 0 for the kind that is not `rest`.
    std::string_view pattern_key = {};
    /// One in `period` layers has full attention if the file has no layer_types. The key holds the
    /// number, or letters (EXAONE 4: "LLLG").
    std::string_view period_key = {};
    int period = 0;
    bool period_starts_full = false;  ///< layers 0, n, 2n, ... instead of n-1, 2n-1, ...
    bool last_is_full = false;        ///< whatever the period
    bool period_from_last = false;    ///< layers are counted from the last, which is full
    Condition condition = {};
    Alternative alternative = {};
    /// A list with the base of each layer, 0 or null for a layer without position embedding. It
    /// goes before every other base, unless it only says which layers turn.
    std::string_view layer_base_key = "layer_rope_theta";
    bool layer_bases_only_switch = false;
    /// A list with a 0 for each layer without position embedding, and a key for the distance of
    /// these layers if the list is missing; 4 if both are.
    std::string_view no_rope_list_key = {};
    std::string_view no_rope_interval_key = {};
    /// A type of layers without position embedding; only in files with a sliding_window if so said.
    std::string_view still_type = {};
    bool still_with_window = false;
    /// Cohere 2 MoE: the first layers, whose feed-forward is dense, turn whatever their type, where
    /// prefix_dense_sliding_window_pattern is 1.
    bool dense_layers_turn = false;
    /// Scores are divided by the root of this in place of that of head_dim if the file has no
    /// query_pre_attn_scalar; 0 for none.
    int query_scalar = 0;
    bool unscaled_scores = false;  ///< products of queries and keys are not divided by anything
    /// Pairs turn the other way, by -m theta, and the weights were trained so.
    bool turns_backwards = false;
    /// What the parameters do not say about the model; shown beside them.
    std::string_view note = {};
    /// What is different in runtimes, an object for each that was read
    /// (core/formats/runtimes/runtime.h).
    const nlohmann::json* runtimes = nullptr;
};

/// A file like assets/families.json. A row of its `families` with `as` says what differs from an
/// earlier row, by its model_type (null takes a key away); here such rows are whole. Throws
/// InputError.
nlohmann::json parse_family_tables(std::string_view text, const std::string& origin);
/// Its rows. Throws InputError that names the row, the key and the expectation. `tables` must
/// outlive them.
std::vector<ModelFamily> read_families(const nlohmann::json& tables, const std::string& origin);

inline constexpr const char* kFamiliesFile = "assets/families.json";
/// That file.
const nlohmann::json& family_tables();
std::span<const ModelFamily> model_families();
/// What the types of models in `list` have in place of one position for each token: "without_rope"
/// or "several_axes". The rest of a sentence; empty for a type that is not in it.
std::string_view other_positions(const char* list, std::string_view model_type);
/// The type of a language model that names none, in a file of this type; empty if the table does
/// not say it.
std::string_view text_part_type(std::string_view model_type);
/// Null if the type is not in `families`.
const ModelFamily* find_model_family(std::string_view model_type,
                                     std::span<const ModelFamily> families = model_families());
/// The type given to the RoFormer notebook's encoder, whose arguments name no type.
inline constexpr std::string_view kNotebookType = "roformer_notebook";

}  // namespace ropescope
