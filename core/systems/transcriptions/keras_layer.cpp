// Keras layer: get_rotary_embedding and RotaryEmbeddingLayer.call. Inputs are [batch, seq, dim].
// As written the table is indexed [:, None, :], which puts positions on the batch axis: batch 1
// grows to [seq, seq, dim], batch == seq is turned by its batch index, other batches fail.
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

constexpr double kKerasBase = 10000.0;

nd::Array call(const SystemInput& input, std::int64_t new_axis) {
    refuse_position_ids(input);
    const nd::Array& inputs = input.x;
    const std::int64_t dim = nd::size(inputs, -1);
    const std::int64_t seq = nd::size(inputs, 1);
    // The article slices [:seq_len]; an offset slices the rows that a longer sequence would read.
    const nd::Array freqs = angles_rad(sliced_rows(input, input.offset, input.offset + seq),
                                       inverse_frequencies(input, kKerasBase, dim));
    const nd::Array embeddings =
        nd::unsqueeze(nd::concatenate(cosine(freqs), sine(freqs)), new_axis);
    const nd::Array cos_emb = nd::slice(embeddings, -1, 0, dim / 2);
    const nd::Array sin_emb = nd::slice(embeddings, -1, dim / 2, nd::size(embeddings, -1));
    const nd::Array inputs_cos = nd::slice(inputs, -1, 0, dim / 2);
    const nd::Array inputs_sin = nd::slice(inputs, -1, dim / 2, dim);
    const nd::Array rotated_cos =
        nd::subtract(nd::multiply(inputs_cos, cos_emb), nd::multiply(inputs_sin, sin_emb));
    const nd::Array rotated_sin =
        nd::add(nd::multiply(inputs_sin, cos_emb), nd::multiply(inputs_cos, sin_emb));
    return nd::concatenate(rotated_cos, rotated_sin);
}

/// The layer with positions on `axis` of its input: 1 is the batch, 0 the sequence.
System keras_layer(std::string id, std::string title, std::string brief, std::string_view place,
                   std::string what, int axis) {
    return {.id = std::move(id),
            .title = std::move(title),
            .brief = std::move(brief),
            .source = cite(kKerasLayer, place),
            .what = std::move(what),
            .axes = "bld",
            .framework = Framework::tensorflow,
            .written_base = kKerasBase,
            .code = [axis](const SystemInput& input) { return call(input, axis); }};
}

}  // namespace

System keras_as_written() {
    return keras_layer(
        "keras_as_written", "Keras layer, as written", "Keras, written",
        "get_rotary_embedding and RotaryEmbeddingLayer.call",
        "Half-split pairs, but embeddings[:, None, :] turns them by their batch index.", 1);
}

System keras_intended() {
    return keras_layer("keras_intended", "Keras layer, as intended", "Keras, meant",
                       "RotaryEmbeddingLayer.call with embeddings[None, :, :]",
                       "Half-split pairs turned by their position in the sequence.", 0);
}

}  // namespace ropescope::systems
