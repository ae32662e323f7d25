// What a forward pass leaves behind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/device_tensor.h"

namespace ropescope {

struct TraceTensor {
    std::vector<std::int64_t> shape;  ///< empty: it was not asked for
    HostFloats floats;

    std::span<const float> values() const { return floats.values; }
    explicit operator bool() const { return !shape.empty(); }
};

/// Queries, keys and the scores before the mask are rotated; positions count queries first, keys
/// second.
struct LayerTrace {
    TraceTensor q_rot, k_rot;  ///< [batch, heads, positions, head_dim]
    TraceTensor scores;        ///< q . k / sqrt(head_dim), before the mask; [batch, heads, L, L]
    TraceTensor probs;         ///< after mask and softmax; [batch, heads, L, L]
    TraceTensor log_sums;      ///< ln of the sum of e^(score + mask) of each row; [batch, heads, L]
};

struct Trace {
    std::vector<LayerTrace> layers;
    /// [batch, positions, hidden]: 0 the embeddings, i + 1 what layer i returns.
    std::vector<TraceTensor> hidden;
    TraceTensor logits;  ///< [batch, positions, vocab]
};

/// What is kept. Maps take 4 bytes for each pair of positions of each head and layer: for a long
/// sequence ask for q, k and the row sums, from which any part of a map is soon made.
struct TraceRequest {
    bool q_and_k = false;
    bool scores = false;
    bool probs = false;
    bool log_sums = false;
    bool hidden = false;
    bool logits = true;
    /// Layers (0 ..) of which q, k, maps and sums are kept; empty: every one. The others are empty
    /// in Trace::layers.
    std::vector<std::int64_t> layers = {};

    static TraceRequest everything() { return {true, true, true, true, true, true}; }
};

}  // namespace ropescope
