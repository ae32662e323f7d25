// Document 002: get_rotary_embedding and RotaryEmbeddingLayer.call. Inputs are [batch, seq, dim].
// As written the table is indexed [:, None, :], which puts positions on the batch axis: batch 1
// grows to [seq, seq, dim], batch == seq is turned by its batch index, other batches fail.
#include "core/systems/documents.h"
#include "core/systems/position_rows.h"

namespace ropescope::systems {

namespace {

constexpr double kWrittenBase = 10000.0;

nd::Array call(const SystemInput& input, std::int64_t new_axis) {
    refuse_position_ids(input);
    const nd::Array& inputs = input.x;
    const std::int64_t dim = nd::size(inputs, -1);
    const std::int64_t seq = nd::size(inputs, 1);
    // The document slices [:seq_len]; an offset slices the rows that a longer sequence would read.
    const nd::Array freqs = angles_rad(sliced_rows(input, input.offset, input.offset + seq),
                                       inverse_frequencies(input, kWrittenBase, dim));
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

System keras_layer() {
    System system;
    system.axes = "bld";
    system.framework = Framework::tensorflow;
    system.written_base = kWrittenBase;
    return system;
}

}  // namespace

System keras_as_written() {
    System system = keras_layer();
    system.id = "keras_as_written";
    system.title = "Keras layer, as written";
    system.document = "002, get_rotary_embedding and RotaryEmbeddingLayer.call";
    system.what = "Half-split pairs, but embeddings[:, None, :] turns them by their batch index.";
    system.code = [](const SystemInput& input) { return call(input, 1); };
    return system;
}

System keras_intended() {
    System system = keras_layer();
    system.id = "keras_intended";
    system.title = "Keras layer, as intended";
    system.document = "002, RotaryEmbeddingLayer.call with embeddings[None, :, :]";
    system.what = "Half-split pairs turned by their position in the sequence.";
    system.code = [](const SystemInput& input) { return call(input, 0); };
    return system;
}

}  // namespace ropescope::systems
