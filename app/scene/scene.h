// Everything a view depends on, as one plain value: copyable, comparable, JSON in and out. Undo is
// a stack of scenes; a lesson step is a scene; a bug report is a scene.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/enum_names.h"
#include "core/checks/check_families.h"
#include "core/encoder/rope_options.h"
#include "core/formats/model_config.h"
#include "core/rope/layout.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

// The enums of a scene, with the names of their values.

/// How numbers lie along a slider or an axis.
enum class Scale { linear, logarithmic };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Scale> = {"linear", "logarithmic"};

/// What the spectrum view shows of a pair: positions per turn, or radians per position.
enum class SpectrumQuantity { wavelength, inv_freq };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<SpectrumQuantity> = {"wavelength",
                                                                                 "inv_freq"};

/// What the spectrum view draws beside the spectrum.
enum class Overlays { unscaled, methods, none };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Overlays> = {"unscaled", "methods",
                                                                         "none"};

/// What the table view shows of an angle.
enum class TableQuantity { cos, sin, angle };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<TableQuantity> = {"cos", "sin",
                                                                              "angle"};

/// The layouts view: all systems, or the vector that walks from interleaved to half-split alone.
enum class LayoutsShow { systems, walk };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<LayoutsShow> = {"systems", "walk"};

/// The context view: what each scaling method does to each pair, or which bases allow a length.
enum class ContextShow { methods, bases };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<ContextShow> = {"methods", "bases"};

/// The encodings view: what each encoding does to the same scores, or what models that were trained
/// with each name rightly and what each costs.
enum class EncodingsShow { scores, trained };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<EncodingsShow> = {"scores", "trained"};

/// What the attention maps show: scores before the mask, probabilities after the softmax, or the
/// part of the scores that RoPE adds.
enum class AttentionQuantity { scores, softmax, effect };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<AttentionQuantity> = {
    "scores", "softmax", "effect"};

/// The encoder: the trained model in the box, its twin that was trained without positions, a small
/// one with random weights, one of full size with random weights, or a checkpoint.
enum class AttentionSource { demo, no_position, random, full, folder };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<AttentionSource> = {
    "demo", "no_position", "random", "full", "folder"};

/// Where the views of scores take q and k from: drawn at random, or measured in the encoder.
enum class ContentSource { drawn, encoder };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<ContentSource> = {"drawn", "encoder"};

/// What the encoder is compared with: itself with RoPE switched off, with the channels paired the
/// other way, or with its fast or its slow pairs held still; the twin that was trained without
/// positions; or itself on the same words in the opposite order.
enum class AttentionCompare {
    none,
    rope_off,
    other_layout,
    fast_still,
    slow_still,
    no_position,
    reversed
};
template <>
inline constexpr std::array<std::string_view, 7> kEnumNames<AttentionCompare> = {
    "none", "rope_off", "other_layout", "fast_still", "slow_still", "no_position", "reversed"};

/// The part of a model of several axes: the one that it is known for, or the part of this name.
enum class AxesPart { first, text, vision };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<AxesPart> = {"first", "text", "vision"};

/// What lies on the grid of the axes view: patches of an image or a video, or tokens of text, line
/// by line.
enum class AxesTokens { patches, text };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<AxesTokens> = {"patches", "text"};

/// Where the absolute view normalises q and k beside RoPE: nowhere, before the rotation or after
/// it.
enum class NormPlace { none, before, after };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<NormPlace> = {"none", "before",
                                                                          "after"};

/// How many ways to compute the table have a line: three that differ most, or all.
enum class PrecisionLines { three, all };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<PrecisionLines> = {"three", "all"};

/// Which checks are listed: all, or those with one outcome, in the order of Status.
enum class ListedStatus { all, passed, failed, skipped, note };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<ListedStatus> = {
    "all", to_string(Status::passed), to_string(Status::failed), to_string(Status::skipped),
    to_string(Status::note)};

/// Each field is described once, in scene/parameters.cpp: name, default, range, unit, help.
/// Tokens that the attention view runs an encoder on.
inline constexpr std::int64_t kMostAttentionTokens = 1 << 16;

struct Scene {
    std::string view = "rotation";
    std::string model = "llama-2-7b";  ///< preset id, or the path of a config.json
    /// What was inferred about it, in words; empty if its family is known. No parameter: the model
    /// brings it.
    std::string inferred = {};

    // The encoding.
    std::int64_t head_dim = 128;
    std::int64_t rotary_dim = 128;
    double base = 10000.0;
    Layout layout = Layout::half_split;

    // Its scaling; the names in a config.json's rope_scaling follow a method's own prefix. Where
    // the method can work a number out by itself, 0 means that it does.
    std::string scaling = "default";  ///< as scaling_type() names it
    double scaling_factor = 4.0;
    std::int64_t original_length = 4096;  ///< positions trained at, before the scaling
    std::int64_t seq_len = 0;  ///< length of the sequence, in positions; 0: not known yet
    double attention_factor = 0.0;
    double yarn_beta_fast = 32.0;
    double yarn_beta_slow = 1.0;
    bool yarn_truncate = true;
    double yarn_mscale = 0.0;
    double yarn_mscale_all_dim = 0.0;
    bool yarn_softmax = false;  ///< mscale_all_dim scales the softmax, too (DeepSeek)
    double llama3_low_freq_factor = 1.0;
    double llama3_high_freq_factor = 4.0;
    std::vector<double> longrope_short;  ///< a factor for each pair; empty: all 1
    std::vector<double> longrope_long;   ///< the same; empty: all scaling_factor
    double partial_rotary_factor = 0.5;  ///< of proportional scaling

    // Positions, pairs and content.
    std::int64_t query_position = 12;
    std::int64_t key_position = 5;
    std::vector<std::int64_t> pairs = {0, 4, 8, 12, 16, 24, 32, 48};
    std::int64_t selected_pair = 8;
    ContentSource content_source = ContentSource::drawn;
    std::int64_t content_query = 3;       ///< token whose q is taken from the encoder
    std::int64_t content_key = 2;         ///< token whose k is taken
    std::int64_t content_seed = 1;        ///< seed of the random q and k
    std::int64_t content_angle_deg = 60;  ///< k's content lies within this angle of q's, each pair
    std::int64_t distance_range = 64;     ///< scores are drawn for distances -range .. range

    // Spectrum.
    SpectrumQuantity spectrum_quantity = SpectrumQuantity::wavelength;
    std::int64_t context_length = 4096;
    Overlays spectrum_overlay = Overlays::unscaled;
    std::int64_t target_length = 32768;  ///< length to which the context calculator extends
    ContextShow context_show = ContextShow::methods;

    // Table.
    TableQuantity table_quantity = TableQuantity::cos;
    std::int64_t first_position = 0;
    std::int64_t position_count = 256;

    // Decay.
    std::int64_t decay_range = 256;  ///< largest distance
    Scale distance_axis = Scale::linear;

    // Precision: one of core/analysis/precision.h, by id.
    std::string precision_chain = "fp32_angle";
    PrecisionLines precision_lines = PrecisionLines::three;

    // Absolute encodings.
    std::int64_t shift = 16;  ///< positions that the shift map adds
    NormPlace absolute_norm = NormPlace::none;

    // Layouts.
    LayoutsShow layouts_show = LayoutsShow::systems;
    double walk = 0.0;  ///< from interleaved (0) to half-split (1)

    // Two of the systems in docs/sources.md (core/systems), by id.
    std::string system_a = "meta_llama";
    std::string system_b = "hf_llama_offset";

    // Attention: a whole encoder on tokens.
    AttentionQuantity attention_quantity = AttentionQuantity::softmax;
    std::int64_t attention_layer = 0;
    std::int64_t attention_head = 0;
    std::int64_t attention_shift = 64;  ///< added to every position
    NumberFormat attention_table = NumberFormat::fp32;
    AttentionSource attention_source = AttentionSource::demo;
    std::string attention_folder = "model";  ///< of a checkpoint
    AttentionCompare attention_compare = AttentionCompare::none;
    std::string attention_text = "a person who makes small things of wood for people";
    std::int64_t attention_masked = 2;   ///< the token that [MASK] replaces; 0: none
    std::int64_t attention_tokens = 0;   ///< 0: as many as the text has
    std::int64_t attention_padding = 0;  ///< how many of them, at the end, are masked
    std::int64_t attention_segment = 0;  ///< first token of type 1; 0: all are of type 0

    // Stretching: of the texts that the trained model was measured on, in tokens.
    std::string stretch_length = "1024";

    // Encodings: other ways to know positions, on the same q and k.
    EncodingsShow encodings_show = EncodingsShow::scores;
    bool encodings_causal = false;  ///< a query sees itself and the tokens before it

    // Cache: what a decoder keeps of the tokens that it has read.
    std::int64_t cache_tokens = 24;     ///< that have arrived
    std::string cache_key_heads = "2";  ///< for eight query heads
    std::int64_t cache_window = 0;      ///< last tokens that are kept; 0: all
    std::int64_t cache_sinks = 0;       ///< first tokens that are kept beside the window
    bool cache_rotated = true;          ///< keys are turned before they are stored
    std::int64_t cache_shift = 0;       ///< positions by which stored keys move back

    // Several axes: a model of images or videos, and patches on its grid. The views of one axis
    // show that axis of the model, or all at once, if `axis` is not kNoAxisChosen.
    std::string axis = "none";
    std::string axes_model = "qwen2-vl-7b";  ///< preset, or the path of a file
    std::string axes_other = "none";         ///< compared with it
    AxesPart axes_part = AxesPart::first;
    AxesTokens axes_tokens = AxesTokens::patches;
    std::string axes_grid = "4x12x18";  ///< frames x rows x columns (app/scene/axes_grid.h)
    std::int64_t axes_frame = 0;        ///< of the chosen patch; the fixed one is in frame 0
    std::int64_t axes_row = 8;
    std::int64_t axes_column = 13;
    std::int64_t axes_fixed_row = 4;
    std::int64_t axes_fixed_column = 6;
    std::int64_t axes_head = 0;

    // Positions: a layout of tokens, who numbers it, and what it is compared with.
    std::string positions_layout = "text 4, image 4x6, text 3, video 6x4x4 1s, text 3";
    std::string positions_family = "qwen2_vl";
    std::int64_t positions_tokens_per_second = 2;
    std::string positions_version = "transformers_5";
    std::string positions_compare = "transformers_4";  ///< or none, or a fault (id_faults())

    // Diagnosis: whose tensors are explained, and what is wrong with those that are made.
    std::string dump = "made";  ///< or the path of a file
    // Of a file, as `diagnose` takes them by --map, --axes and --position-axes.
    std::string dump_map = "usual";
    std::string dump_axes = "found";
    std::string dump_position_axes = "found";
    std::string dump_norm = "found";  ///< or a kind of norm, as --norm takes it
    double dump_norm_eps = 1e-6;
    std::string dump_norm_order = "before";
    std::string dump_fault = "none";  ///< or the code of a fault (core/vectors)
    std::string dump_fault_in = "q_and_k";
    bool dump_expected = true;  ///< held against the encoding above

    // The checks: which of them are listed, and the one that is explained.
    std::string check_family = "all";
    ListedStatus check_status = ListedStatus::all;
    std::string check_filter = "*";  ///< a glob over ids, or a part of what a check says
    std::string selected_check = "rope.orthogonality";
    std::int64_t check_lines = 18;  ///< lines of a page

    // Animation.
    double speed = 1.0;  ///< positions per second; 1 is a walk of kWalkSeconds

    bool operator==(const Scene&) const = default;
};

/// The settings that belong to a single scaling method, by the names in the methods' descriptions
/// (core/scaling/method.h).
using SettingMember = std::variant<double Scene::*, bool Scene::*, std::vector<double> Scene::*>;
inline constexpr std::pair<std::string_view, SettingMember> kMethodSettings[] = {
    {"yarn_beta_fast", &Scene::yarn_beta_fast},
    {"yarn_beta_slow", &Scene::yarn_beta_slow},
    {"yarn_truncate", &Scene::yarn_truncate},
    {"yarn_mscale", &Scene::yarn_mscale},
    {"yarn_mscale_all_dim", &Scene::yarn_mscale_all_dim},
    {"yarn_softmax", &Scene::yarn_softmax},
    {"llama3_low_freq_factor", &Scene::llama3_low_freq_factor},
    {"llama3_high_freq_factor", &Scene::llama3_high_freq_factor},
    {"longrope_short", &Scene::longrope_short},
    {"longrope_long", &Scene::longrope_long},
    {"partial_rotary_factor", &Scene::partial_rotary_factor},
};

/// Scene::axis for the scene's own encoding, and for positions that are the same in all axes.
inline constexpr std::string_view kNoAxisChosen = "none", kAllAxes = "all";

/// From one end of the walk to the other at speed 1.
inline constexpr double kWalkSeconds = 6;
/// The largest number of pairs that can be shown together.
inline constexpr std::size_t kMostPairs = 16;

/// The encoding part; throws InputError (see validate()) when it is inconsistent.
RopeSpec rope_spec(const Scene& scene);
/// The same without the check, to describe a scene that may be inconsistent.
RopeSpec unchecked_rope_spec(const Scene& scene);

/// The encoding without its scaling, for views that do not show scaling.
RopeSpec unscaled_rope_spec(const Scene& scene);

/// Checks the values against each other: the encoding, pairs that do not exist, rows of the table
/// beyond the last position. Throws InputError that names the parameter and the remedy.
void validate(const Scene& scene);

/// The scene with an even spread in place of pairs that do not exist in its encoding, and with
/// selected_pair brought into range. Does not change an inconsistent encoding.
Scene with_existing_pairs(Scene scene);

/// Lets other parameters follow those that have just changed: an encoding that was fully rotary
/// stays so, and pairs that no longer exist are replaced. Parameters that are named in `changed`
/// keep their values.
Scene with_followers(Scene scene, bool was_fully_rotary,
                     const std::vector<std::string_view>& changed);

/// Largest first_position with which the table's rows end at the last position.
std::int64_t largest_first_position(const Scene& scene);

/// The scene with model, encoding, scaling and context_length taken from a model, and pairs that no
/// longer exist replaced by an even spread.
Scene with_model(Scene scene, const ModelConfig& model);

}  // namespace ropescope
