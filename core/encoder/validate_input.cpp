// Checks ids, token types and mask against the config and each other.
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/encoder/encoder_model.h"

namespace ropescope {
namespace {

/// Ids of [batch, positions], each below `limit`.
void validate_ids(const std::vector<Index>& ids, SequenceShape shape, Index limit, const char* what,
                  const char* limit_name) {
    const Index count = shape.batch * shape.positions;
    if (std::ssize(ids) != count) {
        throw InputError(fmt::format("{}: {} values; [{}, {}] is expected", what, ids.size(),
                                     shape.batch, shape.positions));
    }
    for (Index i = 0; i < count; ++i) {
        const Index id = ids[i];
        if (id < 0 || id >= limit) {
            throw InputError(fmt::format("{}: {} at [{}, {}] lies outside 0 .. {}, the model's {}",
                                         what, id, i / shape.positions, i % shape.positions,
                                         limit - 1, limit_name));
        }
    }
}

}  // namespace

void validate(const EncoderInput& input, const EncoderConfig& config) {
    const SequenceShape shape = input.shape;
    if (shape.batch < 1 || shape.positions < 1) {
        throw InputError("ids: the list is empty; give at least one token");
    }
    if (shape.positions > config.max_positions) {
        throw InputError(
            fmt::format("ids: {0} positions exceed the model's {1} ({2}); give at most {1} tokens",
                        shape.positions, config.max_positions,
                        config.architecture == Architecture::notebook ? "block_size"
                                                                      : "max_position_embeddings"));
    }
    validate_ids(input.ids, shape, config.vocab_size, "ids", "vocab_size");
    if (!input.type_ids.empty() && config.type_vocab_size == 0) {
        throw InputError("type ids: this model has no token types; leave them out");
    }
    if (!input.type_ids.empty()) {
        validate_ids(input.type_ids, shape, config.type_vocab_size, "type ids", "type_vocab_size");
    }
    const AttentionMask& mask = input.mask;
    if (mask.given() && (mask.batch != shape.batch || mask.keys != shape.positions)) {
        throw InputError(fmt::format("mask: made for [{}, {}]; the tokens are [{}, {}]", mask.batch,
                                     mask.keys, shape.batch, shape.positions));
    }
}

}  // namespace ropescope
