// A part of a model as a value: which of its embeddings, and how its tokens turn.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope {

struct Part {
    std::string model = {};       ///< its name: "llama-3-8b", or the path of its file
    std::string kind = "text";    ///< or "vision"
    std::string layer_type = {};  ///< "full_attention" and the like, if the layers of a text differ
    std::optional<RopeSpec> spec = {};  ///< of text in one axis
    /// Of a language model in several axes: the spectrum whose pairs the axes share.
    std::optional<RopeSpec> shared = {};
    /// The weights were trained with pairs that turn the other way; `scheme` knows it.
    bool backwards = false;
    /// What products of queries and keys are multiplied by, if not 1 / sqrt(head_dim).
    std::optional<double> softmax_scale = {};
    RotaryScheme scheme = {};  ///< the same as `spec`, or several axes
    Index reach = 0;           ///< positions it was trained for; 0: not said
    /// The length that a runtime fixes its frequencies by when it starts; 0: each sequence has its
    /// own.
    Index context = 0;
    Index q_heads = 0, kv_heads = 0;            ///< of queries and of keys; 0: not said
    std::vector<std::string> assumptions = {};  ///< what the file leaves open, in words
    /// What was inferred from the names of keys, in words; empty if the model's family is known.
    std::string inferred = {};
    /// No key and no known family says how channels pair; the layout is a guess.
    bool layout_is_assumed = false;

    /// What tells it from the other parts of the model.
    const std::string& name() const { return layer_type.empty() ? kind : layer_type; }
    Index axes() const { return std::ssize(scheme.axes); }
    /// Whether rows of tokens grow one by one, so that decode steps and chunks make sense.
    bool decodes() const { return !std::holds_alternative<GridRule>(scheme.positions); }
    /// In a sequence of `length` positions, on which some scalings depend, unless the context does.
    Part at_length(Index length) const;
    /// The same with the other pairing of channels; text in one axis.
    Part in_other_layout() const;
};

/// Text in one axis. Throws InputError as validate() does.
Part part_of(const RopeSpec& spec, bool backwards = false);
/// The part with pairs of that layout, as weights have them whose channels were permuted: those of
/// Meta's checkpoints are interleaved where the same model of Hugging Face is half-split. Throws
/// InputError for a part in several axes.
Part with_layout(Part part, Layout layout);
/// The refusal of a layout for `model`, which turns in several axes.
InputError layout_is_fixed(std::string_view model);
/// Frequencies of one's own. Throws InputError as validate() does.
Part part_of(const RotaryScheme& scheme);

// The direction in which a model's pairs turn.

/// The scheme with every frequency negated: pairs turn the other way.
RotaryScheme turned_round(RotaryScheme scheme);

/// Text in one axis; `backwards` if the model was trained with the other direction.
RotaryScheme text_scheme(const RopeSpec& spec, bool backwards);

}  // namespace ropescope
