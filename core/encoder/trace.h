// The tensors that a forward pass keeps for inspection, and the file that they are written to.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/engine/device_tensor.h"

namespace ropescope {

struct TraceTensor {
    std::vector<Index> shape;  ///< empty if the request did not name it
    HostFloats floats;

    std::span<const float> values() const { return floats.values; }
    explicit operator bool() const { return !shape.empty(); }
};

/// What one layer computed from rotated queries and keys. In maps the queries come first, then the
/// keys; L is the number of positions.
struct LayerTrace {
    TraceTensor q_rot, k_rot;  ///< [batch, heads, positions, head_dim]
    TraceTensor scores;  ///< q . k / sqrt(head_dim), before anything is added; [batch, heads, L, L]
    TraceTensor probs;   ///< after addition and softmax; [batch, heads, L, L]
    TraceTensor log_sums;  ///< ln of the sum of e^(score + added) of each row; [batch, heads, L]
};

struct Trace {
    std::vector<LayerTrace> layers;
    /// [batch, positions, hidden] each: first the embeddings, then the output of each layer.
    std::vector<TraceTensor> hidden;
    TraceTensor logits;  ///< [batch, positions, vocab]
};

/// What to keep. A map takes 4 bytes for each pair of positions of each head and layer. For a long
/// sequence ask for q, k and the row sums instead: attention_maps.h makes any part of a map of
/// them.
struct TraceRequest {
    bool q_and_k = false;
    bool scores = false;
    bool probs = false;
    bool log_sums = false;
    bool hidden = false;
    bool logits = true;
    /// Numbers of the layers whose q, k, maps and sums are kept; if empty, all of them. Other
    /// layers are empty in Trace::layers.
    std::vector<Index> layers = {};

    static TraceRequest everything() { return {true, true, true, true, true, true}; }
};

/// Names of the tensors that write_trace() knows, without the ".N" of a layer: logits, hidden,
/// scores, probs, q_rot, k_rot.
const std::vector<std::string>& trace_tensor_names();

/// Writes the tensors of `names` that the trace holds, as F32: logits; hidden.0 (the embeddings),
/// hidden.1, ...; scores.N, probs.N, q_rot.N and k_rot.N of layer N. The file is written whole or
/// not at all. Throws InputError if that fails.
void write_trace(const std::filesystem::path& path, const Trace& trace,
                 const std::set<std::string>& names,
                 const std::map<std::string, std::string>& metadata);

}  // namespace ropescope
