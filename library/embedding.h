// Reads the rotary embedding of a model for programs that use ropescope as a library.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// Which of a model's embeddings is meant.
struct EmbeddingChoice {
    std::string part = {};        ///< "text", "vision"; empty: text if the model has any
    std::string layer_type = {};  ///< "sliding_attention"; empty: layers with full attention
    Index seq_len = 0;  ///< length on which frequencies may depend, 0 .. kMaxSeqLen; 0: not known
};

struct Embedding {
    RotaryScheme scheme;
    std::vector<std::string> assumptions;  ///< what the file leaves open, in words
    std::optional<RopeSpec> rope = {};     ///< the same by its parameters, if it has one axis
    bool backwards = false;  ///< pairs of `rope` turn the other way, as `scheme` has it
};

/// The embedding with these parameters. Throws InputError as validate() does.
Embedding make_embedding(const RopeSpec& rope);
/// Reads a config.json, a folder that holds one, or a published model by its name. Throws
/// InputError that names the file and the key, and near matches for a name.
Embedding load_embedding(const std::string& path_or_name, const EmbeddingChoice& choice = {});
/// The same from the text of a config.json; messages call it `origin`.
Embedding parse_embedding(std::string_view json, const std::string& origin,
                          const EmbeddingChoice& choice = {});

}  // namespace ropescope
