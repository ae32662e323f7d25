// How a runtime (a library or a server that runs models) reads the rotary parameters of a
// config.json: where it looks for each quantity, what it takes if nothing is there, and where its
// source says so. A runtime is a row of assets/runtimes.json, and what it does with a family is a
// column of the family's row in assets/families.json. Source: runtimes.cpp.
#pragma once

#include <cstdint>
#include <list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/formats/model_family.h"
#include "core/rope/layout.h"

namespace ropescope::runtimes {

/// A place in the runtime's repository, at the runtime's version; in another one if `file` begins
/// with its name.
struct Source {
    std::string file;
    std::string function;
};

/// Keys in the order in which the runtime tries them. A dot leads into an object, and "@" is the
/// object of rotary parameters that counts.
using Keys = std::vector<std::string_view>;

struct Lookup {
    Keys keys;
    Source source;
};

/// What a runtime does with one type of scaling.
enum class Fate : std::uint8_t { applied, ignored, refused };

/// What cos and sin are multiplied by in the end. m(x) = 0.1 x ln(factor) + 1, or 1 for a factor of
/// at most 1, is YaRN's; LongRoPE's is sqrt(1 + ln(factor) / ln(trained length)).
enum class Attention : std::uint8_t {
    one,
    yarn,             ///< attention_factor, else m(mscale) / m(mscale_all_dim) of both, else m(1)
    yarn_times,       ///< m(1) times attn_factor
    deepseek_times,   ///< m(mscale) / m(mscale_all_dim), 1 and 0 if missing, times attn_factor
    yarn_overwrites,  ///< m(1), or 1 with mscale_all_dim, whatever attention_factor says
    yarn_by_all_dim,  ///< m(1) / m(mscale_all_dim) with mscale_all_dim, else as yarn_overwrites
    stated,           ///< attention_factor or attn_factor, whichever it reads, else 1
    longrope,         ///< attention_factor, else LongRoPE's
    longrope_by_lengths,  ///< LongRoPE's, where the lengths give the factor; or short_mscale and
                          ///< long_mscale
};

struct ScalingRule {
    std::string_view type = {};    ///< as rope_type or type names it
    std::string_view method = {};  ///< what the runtime makes of it: "longrope" for "su"
    Keys required = {};  ///< read from the object; without one of them it is `if_incomplete`
    Keys optional = {};  ///< read from the object if they are there
    Keys original = {};  ///< where the trained length is looked for; empty if it is not read
    Fate fate = Fate::applied;
    Fate if_incomplete = Fate::refused;
    bool or_usual = false;  ///< a family's own rule: if incomplete, the runtime's rule holds
    Source source = {};
    /// What becomes of a frequency, in the words of docs/runtimes.md, and by which length if one
    /// counts; the other one if the object has the key `other_if`.
    std::string_view formula = {}, other_if = {}, other_formula = {};
    Source formula_source = {};  ///< empty: source
    Attention attention = Attention::one;
    Source attention_source = {};  ///< empty: source
    /// LongRoPE's factor is max_position_embeddings over a trained length that stands beside the
    /// object, although the object has a factor.
    bool lengths_first = false;
};

/// What a family's code does with a share of the head that shall turn.
enum class Share : std::uint8_t {
    read,
    ignored,  ///< all of it turns
    fixed,    ///< the family's own share counts, whatever the file says
    unchecked
};

/// Which layers turn nothing. Those with full attention are known by layer_types, else by the
/// family's period.
enum class NoRope : std::uint8_t {
    none,
    listed,               ///< zeros of no_rope_layers, else every no_rope_layer_interval-th (4)
    every_fourth,         ///< whatever the file says
    every_fourth_by_use,  ///< none if layer_types names full attention alone, else every fourth
    full_attention,
    full_beside_window,   ///< with full attention, if the file has a sliding_window or is silent
    full_beside_sliding,  ///< with full attention, if other layers have a window
    full_of_64,           ///< with full attention, if there are 64 layers
    all_unless_rope,      ///< all, unless position_embedding_type is "rope"
    all_beside_mamba,     ///< all, if layer_types names anything else than attention
};

/// How the pairs of a model of three axes are shared out, by mrope_section.
enum class MropeOrder : std::uint8_t {
    none,     ///< the model has one axis, or its sections are not read
    bands,    ///< time, height and width, one behind the other
    in_turn,  ///< time, height, width, time ...; the rest is time's
    by_key,   ///< in turn if mrope_interleaved is true, else bands
};

/// The layers of one attention type, in families whose layers turn differently. What is empty or 0
/// is the family's own.
struct LayerRule {
    std::string_view type = {};
    Keys objects = {};  ///< of rotary parameters; the first that is not empty counts
    /// It ends with an error if there are such layers, and rope_parameters has no such object or,
    /// where all of it is missing, the family no usual one.
    bool needs_object = false;
    Keys base_keys = {};
    double base = 10000;  ///< if no key states it; 0 if nobody read that
    std::string_view head_dim_key = {};
    int head_dim = 0;
    Keys share_keys = {};
    double share = 0;
    /// A base or a share may be a list: this element counts; -1 is that of the first such layer.
    int list_index = -1;
    /// A list of types: if it is there and names others alone, these layers have no scaling.
    std::string_view scaled_types_key = {};
};

/// One model_type. Where no column says anything else, it is read as the family's row has it.
struct Family {
    std::string_view model_type = {};
    const ModelFamily* row = nullptr;  ///< which knows the types of the layers
    Layout layout = Layout::half_split;
    double base = 10000;  ///< if no key states it; 0 if nobody read that
    int head_dim = 0;     ///< if head_dim_key is missing; 0 means hidden_size / heads
    double share = 1;     ///< of the head that turns, if no key states it
    Share reads_share = Share::unchecked;
    std::int64_t original = 0;  ///< trained length if no key states it; 0 if there is no such value
    std::string_view head_dim_key = "head_dim";
    std::string_view layout_key = {};  ///< true means interleaved
    Keys base_keys = {};               ///< in place of the runtime's
    /// No key states the base; it is the usual one, times what stands under base_ratio_key.
    bool fixed_base = false;
    std::string_view base_ratio_key = {};
    Keys share_keys = {};             ///< in place of the runtime's
    Keys needs = {};                  ///< without one of these keys it ends with an error
    std::string_view width_key = {};  ///< counts the channels that turn
    bool width_first = false;         ///< it goes before a share that the file states
    bool needs_share = false;         ///< without one in the file it ends with an error
    bool needs_width = false;         ///< without it (and a share) it ends with an error
    std::vector<LayerRule> layers = {};
    bool flat_objects = false;  ///< rope_parameters by type of layer were not followed there
    /// Stands for a missing object; it may have one for each type of layers.
    const nlohmann::json* usual_object = nullptr;
    MropeOrder sections = MropeOrder::none;
    Keys section_keys = {"@.mrope_section", "mrope_section"};
    std::vector<int> usual_sections = {};  ///< if no key states them; empty: all pairs are time's
    bool needs_sections = false;           ///< without them it ends with an error
    /// Before the runtime's. In a table they are an object by type, and say what differs from the
    /// runtime's rule of the type.
    std::vector<ScalingRule> scalings = {};
    bool only_own_scalings = false;  ///< the runtime's do not hold
    Keys checked = {};               ///< if not empty: no other scaling was checked
    NoRope no_rope = NoRope::none;
    /// Layers that turn because their feed-forward is dense: those that mlp_layer_types calls so or
    /// the first first_k_dense_replace, by whichever of the two is named here and there first.
    Keys dense_keys = {};
    bool dense_by_pattern = false;  ///< only if prefix_dense_sliding_window_pattern is 1
    Source config = {};             ///< the default values
    Source no_rope_source = {};     ///< empty: config
    Source model = {};              ///< the layout, and which channels and layers turn
    bool of_copy = false;           ///< read in the runtime's other copy
    /// What the sources call the family.
    std::string_view folder = {}, class_name = {}, path = {}, converter = {};
};

/// What was read.
struct Checkout {
    std::string_view repository = {};  ///< owner/name on GitHub
    std::string_view version = {};
    std::string_view commit = {};
};

struct Runtime {
    std::string_view name = {};        ///< as --compare takes it
    std::string_view repository = {};  ///< owner/name on GitHub
    std::string_view version = {};
    std::string_view commit = {};
    Checkout copy = {};   ///< where families were read whose columns say `of_copy`
    Lookup objects = {};  ///< of rotary parameters; the first that is not empty counts
    Lookup base = {};
    Lookup share = {};
    std::vector<ScalingRule> scalings = {};
    Fate other_scalings = Fate::refused;
    Fate untyped_scaling = Fate::ignored;  ///< an object without rope_type and type
    std::vector<Family> families = {};
};

/// The rows of a table like assets/runtimes.json, and the JSON that they point into.
struct RuntimeTable {
    std::list<nlohmann::json> kept = {};
    std::vector<Runtime> runtimes = {};
};
/// Throws InputError that names the runtime or the family, the key and the expectation. `families`
/// must outlive the table.
RuntimeTable read_runtimes(const nlohmann::json& table, std::span<const ModelFamily> families);

/// Every runtime, in the order in which a comparison lists them.
std::span<const Runtime> all_runtimes();

}  // namespace ropescope::runtimes

template <>
inline constexpr std::array<std::string_view, 3> ropescope::kEnumNames<ropescope::runtimes::Fate> =
    {"applied", "ignored", "refused"};
template <>
inline constexpr std::array<std::string_view, 9>
    ropescope::kEnumNames<ropescope::runtimes::Attention> = {"one",
                                                             "yarn",
                                                             "yarn_times",
                                                             "deepseek_times",
                                                             "yarn_overwrites",
                                                             "yarn_by_all_dim",
                                                             "stated",
                                                             "longrope",
                                                             "longrope_by_lengths"};
template <>
inline constexpr std::array<std::string_view, 4> ropescope::kEnumNames<ropescope::runtimes::Share> =
    {"read", "ignored", "fixed", "unchecked"};
template <>
inline constexpr std::array<std::string_view, 10>
    ropescope::kEnumNames<ropescope::runtimes::NoRope> = {"none",
                                                          "listed",
                                                          "every_fourth",
                                                          "every_fourth_by_use",
                                                          "full_attention",
                                                          "full_beside_window",
                                                          "full_beside_sliding",
                                                          "full_of_64",
                                                          "all_unless_rope",
                                                          "all_beside_mamba"};
template <>
inline constexpr std::array<std::string_view, 4>
    ropescope::kEnumNames<ropescope::runtimes::MropeOrder> = {"none", "bands", "in_turn", "by_key"};
