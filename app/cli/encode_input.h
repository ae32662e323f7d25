// Input of `ropescope encode`: the model, the tokens, and the options that change them.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/encoder/encoder.h"
#include "core/formats/word_pieces.h"

namespace ropescope::cli {

/// Options of the command as they were given; empty if they were not.
struct EncodeArguments {
    std::string model;
    bool d2l_roformer = false;
    std::optional<std::uint64_t> seed;
    std::string ids;
    std::optional<std::string> text;
    std::string mask, type_ids, positions;
    bool no_rope = false;
    std::optional<double> base;
    std::optional<std::string> layout;
    std::optional<std::string> scaling;  ///< JSON, the words of rope_scaling in a config.json
    std::string table_dtype = "fp32";
    std::int64_t shift = 0;
    std::string layers;   ///< "0,2-3"
    std::string tensors;  ///< "logits,probs"
    bool predict = false;
    std::string output;  ///< of the trace; empty only with `predict`
};

/// Throws InputError, before any file is opened, for options that contradict each other or need
/// another one that is missing.
void refuse_contradictions(const EncodeArguments& arguments);

/// The folder's config and weights, the notebook's configuration with random weights, or, if no
/// model is named, the trained demo model.
EncoderFiles read_model(const EncodeArguments& arguments);
/// The vocabulary that cuts --text, of the folder or of the demo model; empty without --text.
/// Throws InputError.
std::optional<WordPieces> read_vocabulary(const EncodeArguments& arguments);

/// `pieces` cut the text, if there is one.
EncoderInput read_encoder_input(const EncodeArguments& arguments,
                                const std::optional<WordPieces>& pieces);

/// What the options change about RoPE. Some scaling methods depend on the largest position of
/// `input`. Tells on standard error what --scaling left open.
EncoderRope rope_options(const EncodeArguments& arguments, const EncoderConfig& config,
                         const EncoderInput& input);

/// Names of the tensors to write. Throws InputError for an unknown name.
std::set<std::string> wanted_tensors(const EncodeArguments& arguments);
/// What the forward pass must keep for these tensors, in a model of `n_layers` layers.
TraceRequest trace_request(const EncodeArguments& arguments, std::int64_t n_layers);

}  // namespace ropescope::cli
