// The codes of everything that the instruments name: diagnose (core/diagnosis), probe (core/probe),
// vectors (core/vectors) and `positions --check` (core/positions). A code and what it means stand
// here and nowhere else; the tables of docs/verify/README.md, of docs/verify/probe.md for those
// that begin with "answer.", and of docs/user-guide/positions.md for those with "ids." are made of
// this list. The line "to repair:" under a fault is the last column.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ropescope::faults {

struct FaultCode {
    std::string_view code;
    std::string_view meaning;      // in Markdown
    std::string_view repair = {};  // what to change in the code, one sentence without its end
};

/// All of them. Beside them, `diagnose` says "matches." and the id of one of the five texts.
inline constexpr FaultCode kFaultCodes[] = {
    {"layout.interleaved", "pairs (2i, 2i + 1); a fault if q and k, heads, or layers differ",
     "pair channels as the weights are ordered, alike in q and k and in all heads and "
     "layers: i with i + rotary_dim/2 where the model is half-split; or permute the weights"},
    {"layout.half_split",
     "pairs (i, i + rotary_dim/2); a fault if q and k, heads, or layers differ",
     "pair channels as the weights are ordered, alike in q and k and in all heads and "
     "layers: 2i with 2i + 1 where the model is interleaved; or permute the weights"},
    {"layout.other",
     "another pairing, half-split blocks, or channels that come out in another order",
     "write both channels of a pair back to where they were read, and take the partner from "
     "i + rotary_dim/2 (half-split) or i xor 1 (interleaved) of the whole head"},
    {"partial_rotary",
     "only some channels turn: the first ones of a head, or those behind a part without "
     "position, as in multi-head latent attention",
     "turn as many channels as the model says (partial_rotary_factor, qk_rope_head_dim), "
     "from the channel on at which its weights begin"},
    {"not_a_rotation",
     "no pairing keeps lengths, or pairs change their lengths differently. The text names"
     " the mistake where each channel is a sum of itself and its partner: cos and sin in "
     "the order of the other layout, a lost minus sign, a missing term with sin, a factor"
     " on cos or sin alone; and rows that moved: heads in another order, a reshape where "
     "a transpose is meant, tokens shifted by one, heads that were split after the "
     "rotation. A pair that alone turns otherwise is named with its channels. Also a "
     "table that is zero from some token on",
     "write x cos - y sin to the first channel of a pair and x sin + y cos to the second, "
     "with one angle for both, and build cos and sin in the layout by which channels are "
     "paired"},
    {"spectrum.default", "base^(-2i / rotary_dim)",
     "apply the scaling of the model's rope_scaling to inv_freq before the table is built"},
    {"spectrum.scaled",
     "linear, NTK, YaRN, Llama 3, LongRoPE or proportional scaling, or that of a published model",
     "take the type, the factor and the original length of the scaling from the model's "
     "rope_scaling"},
    {"spectrum.exponent_off_by_one", "exponents (2i + 1) / d, 2(i + 1) / d or 2i / (d - 2)",
     "use the exponent 2i / rotary_dim with i = 0 .. rotary_dim/2 - 1, as arange(0, "
     "rotary_dim, 2) / rotary_dim gives it"},
    {"spectrum.flat", "all pairs turn alike (an integer division)",
     "divide in floating point in the exponent 2i / rotary_dim; an integer division makes "
     "all exponents 0"},
    {"spectrum.zero", "no pair turns",
     "fill inv_freq before the table is built, and look whether it was overwritten or never "
     "loaded"},
    {"spectrum.inverted", "reciprocal missing, or the order of the pairs reversed",
     "use base to the power of minus 2i / rotary_dim, and let pair 0 be the fastest"},
    {"spectrum.low_precision",
     "inv_freq or angles were rounded to 16 bits: errors grow with the position",
     "keep inv_freq, positions and angles in float32 and cast cos and sin alone; take the "
     "buffer out of model.half() and out of autocast"},
    {"spectrum.qk_mismatch", "q and k turn at other speeds",
     "use one table of cos and sin for q and k"},
    {"spectrum.changes_at",
     "from a position on the spectrum is another one, as at LongRoPE's switch",
     "choose the frequencies once for a sequence, or turn what is in the cache again when "
     "they change"},
    {"spectrum.per_head",
     "heads turn at different sets of speeds: a note, as long as the heads of q turn as "
     "the head of k that they meet",
     "give the heads of q the frequencies of the head of k that they meet"},
    {"spectrum.per_layer",
     "layers turn at different sets of speeds: a note, as in models with several types of"
     " attention",
     "give each layer the frequencies of its own type of attention (layer_types)"},
    {"axes.map",
     "which pair turns by which axis; a fault if the expected map, or that of k, is another one",
     "give each pair the axis that the model's sections name, in the order of the model"},
    {"axes.swapped",
     "two axes are exchanged, measured by the expected model or else by the published one"
     " that fits; with two axes and without `--expect` the verdict is undetermined, "
     "because positions are stated as (row, column) and as (x, y)",
     "exchange the two axes where positions are built: height before width, or x before y, "
     "as the model has it"},
    {"positions.offset", "every position is off by the same, in q and k: equivalent",
     "count positions from 0, or from the number of tokens in the cache"},
    {"positions.qk_offset", "q and k are off by different numbers",
     "give q and k the positions of the same tokens: the offset of the cache belongs to both"},
    {"positions.scaled", "positions are multiplied by a factor above 1",
     "divide or multiply the positions once, and not the frequencies as well"},
    {"positions.low_precision", "positions were rounded to 16 bits: neighbours stand at one place",
     "keep positions in int64 or float32 until cos and sin are taken"},
    {"positions.clamped", "the table ends; later tokens stay at its last position",
     "build the table as long as the largest position, or build it again when a longer one "
     "comes"},
    {"positions.wrong_axis", "tokens turn by the number of their batch row or head",
     "index the table by the axis of tokens: transpose before the rotation, or broadcast cos "
     "and sin along heads"},
    {"positions.restart", "positions begin again, or go on where the stated ones begin again",
     "let positions go on across chunks and calls, and begin again only where a sequence "
     "does"},
    {"positions.per_row",
     "rows count from different tokens, as with padding, or all turn alike; or slots in "
     "place of positions; or tokens of a model of several axes that turn as other ids "
     "than stated",
     "give each row of the batch its own positions, counted behind its padding"},
    {"rows.unrotated",
     "some rows, heads or layers do not turn; of layers a note if one in several does "
     "not, or if the model of `--expect` leaves the rotation out there",
     "loop over all rows, heads and layers, and look at the bounds of the kernel's last "
     "block"},
    {"sign.reversed",
     "the transposed rotation on q, or on q and k: a fault on q alone; equivalent on "
     "both, if the model was trained this way. Weights that were trained forward get "
     "other scores from it, so with `--expect` it is a mismatch; of the families that "
     "ropescope knows, nanochat alone was trained backwards",
     "add x sin to the second channel and take y sin from the first: the signs of sin are "
     "exchanged, or cos and sin are transposed"},
    {"sign.k_reversed", "the transposed rotation on k alone: a fault",
     "turn k in the direction of q; the difference of positions comes from the product, not "
     "from a minus sign in k"},
    {"phase",
     "every pair stands a quarter or half a turn from its angle, at position 0 too: cos "
     "and sin are exchanged (then `sign.reversed` as well), or the rotated channels "
     "change their sign. Equivalent if q and k do the same, since scores depend on "
     "differences; a fault on one of them",
     "take cos from the cosine and sin from the sine of the angle, and look for a sign on "
     "the whole rotated tensor"},
    {"k.unrotated", "q turns and k does not",
     "rotate k, too, and before it is written to the cache"},
    {"k.rotated_twice", "k turns twice as far as its positions say",
     "rotate k once: either before the cache is written or after it is read"},
    {"gain",
     "turned channels are multiplied by a factor that belongs to no method, or that "
     "differs from token to token (a norm behind the rotation; on q some models mean it),"
     " or lengths grow with the position and do not cancel between q and k",
     "take the factor out of the rotation, or put a norm before it; YaRN's and LongRoPE's "
     "factor belongs on cos and sin of both q and k"},
    {"gain.xpos",
     "lengths of q and k change with the position in opposite ways, so that scores depend"
     " on the distance alone: xPos",
     "take xPos's scale out unless the model was trained with it"},
    {"softmax.scale",
     "scores are not q_rot . k_rot times the model's factor (`query_pre_attn_scalar`, "
     "`attention_multiplier`, YaRN's mscale), else 1 / sqrt(head_dim); the text names "
     "unrotated q or k and key heads that are read in turn. Without `--expect` a factor "
     "that forgets no part of the formula is a note",
     "multiply the products of q_rot and k_rot by the model's own factor, 1 / sqrt(head_dim) "
     "unless its configuration says otherwise, and once"},
    {"scores.not_the_product",
     "some scores are not q_rot . k_rot times the factor of the others, or are 0; the "
     "text counts them, names their batch row, head, query and key, and gives the first",
     "compute each score of q_rot and k_rot of its own head and key, and look at the indices "
     "of grouped heads and of the last block"},
    {"scores.not_finite", "scores are NaN or infinite",
     "look for an overflow in 16 bits before the scale is applied, and for uninitialised "
     "memory"},
    {"scores.masked",
     "scores are minus infinity, or a large number below 0, where no mask hides a key; or all are; "
     "a "
     "note if all heads hide the same by a mask of another kind",
     "dump scores before the mask, or correct the mask: a query sees its own key and those "
     "before it"},
    {"values.not_finite",
     "q_rot or k_rot is NaN or infinite where q or k is finite; the text says where they begin: "
     "token and position, pairs or channels, rows and heads. The finite tokens are explained "
     "beside it",
     "look where they begin for positions beyond the table, divisions by 0, and memory that was "
     "never written"},
    {"input.not_finite", "q or k is NaN or infinite before the rotation",
     "look at the projection or the norm before the rotation"},
    {"table.fp16", "cos and sin are rounded to float16; a note, because models do so",
     "build cos and sin in float32 and cast the result of the rotation"},
    {"table.bf16", "cos and sin are rounded to bfloat16; a note, because models do so",
     "build cos and sin in float32 and cast the result of the rotation"},
    {"table.q15",
     "cos and sin are whole multiples of 1/32768 or 1/32767, as fixed-point tables have them; a "
     "note",
     "build cos and sin in float32 if the rounding matters"},
    {"table.fast",
     "cos and sin are those of a GPU's fast functions, within their documented error; a note with "
     "the size",
     "take the exact sine and cosine where angles are large: sinf, not __sinf"},
    {"table.coarse",
     "cos and sin are off by more than any known table or function, so that lengths change with "
     "the angle, and to 16 bits all is right; a fault with the size",
     "build cos and sin with exact functions, and in float32"},
    {"beside.transform",
     "a Hadamard transform behind the rotation: equivalent on q and k, a fault on one of them or "
     "without its factor",
     "apply the transform to q and to k behind the rotation, with the factor 1 / sqrt(head_dim)"},
    {"beside.bias",
     "a vector that is the same at every token beside the rotation: equivalent before it, as the "
     "bias of a projection is, a fault behind it",
     "add the bias to what the projection gives, before it is turned"},
    {"beside.published",
     "no rotation, and what a published model computes: equivalent, as its weights were trained "
     "with it",
     "compute what the model that is named computes, or take weights that were trained with a "
     "rotation"},
    {"norm",
     "a norm stands beside the rotation: that of the dump's weights or of `--norm`, a note; or one "
     "that was recognised without either, then the text says what to give",
     "say which norm it is by --norm, and dump its weights as q_norm and k_norm"},
    {"norm.eps", "the norm has another eps",
     "take the eps of the model, added to the mean of squares before the root"},
    {"norm.plus_one", "the norm multiplies by w in place of 1 + w, or the reverse",
     "multiply by 1 + w where the model does, and by w where it does not"},
    {"norm.weights",
     "q is normalised with the weights of k or the reverse, or weights are left out",
     "give q its own weights and k its own"},
    {"norm.order", "the norm stands after the rotation in place of before it, or the reverse",
     "normalise where the model does: mostly before the rotation"},
    {"norm.width", "the norm is one over all heads in place of each, or the reverse",
     "take the mean over one head, or over all of them, as the model does"},
    {"norm.kind", "the norm is of another kind: RMS, layer, L2",
     "take the norm of the model: RMS, layer or L2"},
    {"norm.missing", "q or k is turned and not normalised",
     "normalise q and k before they are turned"},
    {"norm.low_precision", "the norm is computed in 16 bits, and numbers behind it are finer",
     "compute the norm in float32 and cast its result"},
    {"v.changed", "v_rot is not v: values are turned as keys are, or otherwise changed",
     "turn q and k alone, and leave v as it is"},
    {"cache.old_changed", "keys that were in the cache before the step are others behind it",
     "write the new keys alone: old ones were turned when they came"},
    {"cache.slot", "new keys are in the cache at other slots than their positions",
     "write each key at the slot of its position"},
    {"cache.unrotated", "new keys are in the cache as they were before the rotation",
     "write k_rot to the cache, or turn all of the cache when it is read"},
    {"cache.rotated_twice", "new keys are in the cache turned once more",
     "turn keys once: before they are written, or when they are read"},
    {"cache.other", "new keys are not in the cache, or not as they came out of the rotation",
     "write k_rot as it is"},
    {"quantised",
     "q_rot or k_rot has numbers of 8 bits (FP8, int8), with scales that the dump states or that "
     "were recognised: each is judged within half a step of its grid; a note",
     "dump q_rot and k_rot before they are quantised, if less than half a step matters"},
    {"quantised.rounding", "numbers are cut or rounded down to the grid, not to the nearest",
     "round to the nearest number of the grid, ties to even"},
    {"quantised.saturated",
     "numbers were cut to the end of the grid; a note, and a fault if the scale is made of the "
     "numbers at hand",
     "take the largest number behind the rotation, not before it, for the scale"},
    {"quantised.scale", "numbers times their scale are the expected ones times a factor",
     "store the scale by which the numbers were divided before they were rounded"},
    {"answer.error", "the implementation refused a request, or ended",
     "read the message of the adapter, and let it answer every request or say that it is "
     "unsupported"},
    {"answer.timeout", "no answer came in time",
     "answer each request and flush standard output, or give more time by --timeout"},
    {"answer.garbled", "what came is not an answer, or its file cannot be read",
     "print nothing but the answer's JSON on standard output, and close the file before it "
     "is printed"},
    {"answer.shape", "a tensor is missing, or has another shape or dtype",
     "return q_rot and k_rot in the shape and the dtype of q and k"},
    {"answer.not_finite",
     "NaN or infinity, in scores too (but minus infinity is how they are masked)",
     "look for positions beyond the table, divisions by 0 and memory that was never written"},
    {"answer.order", "heads and tokens changed places in memory",
     "return heads and tokens in the order in which they came: transpose back, do not "
     "reshape"},
    {"answer.changes", "the same call gave another answer the second time",
     "leave the inputs and the tables of a call as they are: something is written in place"},
    {"answer.wrong", "numbers are off, and no known fault gives them",
     "compare the first number that is off with the formula by hand: no known mistake gives "
     "it"},
    // Of positions: they ...
    {"ids.axes_swapped",
     "have rows and columns (height and width), or the sides of the grids, in each other's place",
     "exchange rows and columns where the ids are built"},
    {"ids.axes_order", "have the axes in another order", "stack the axes in the model's order"},
    {"ids.column_order", "count the tokens of a frame column by column",
     "let the column run fastest, then the row, then the frame"},
    {"ids.text_positions",
     "count images as text: in ids, time, height and width are equal throughout",
     "count images by grid, with the frames, rows and columns of their patches"},
    {"ids.block_at_zero", "begin each block at 0",
     "add the position that text has reached to all ids of the block"},
    {"ids.merge_missing", "count rows, columns or the sides of the grid before patches are merged",
     "divide rows and columns of the grid by the merge size"},
    {"ids.counted_by_tokens", "let an image take a position for each of its tokens",
     "go on behind a block at its largest id plus 1, not at the number of its tokens"},
    {"ids.next_by_time", "let text go on behind the time of a block, whatever its sides",
     "go on behind a block at the largest id of all three axes plus 1"},
    {"ids.off_by_one", "go on one position too late or too early behind a block, or in a decode",
     "go on at the largest id plus 1, counted once"},
    {"ids.other_version", "are those of the other version of transformers",
     "take the rules of the version of transformers that the weights are run with"},
    {"ids.other_family", "are those of VideoRoPE in place of Qwen's, or the reverse",
     "take the rule of the model's own family"},
    {"ids.time_rounded",
     "round the seconds of a grid in another way than transformers, which cuts them to a whole "
     "number",
     "round the seconds of a grid where transformers does: cut to a whole number"},
    {"ids.time_scaled_start",
     "multiply the start of a block by the interval of time, as transformers 5.3.0 to 5.5.4 did",
     "multiply the time within a block by the interval, and not its start"},
    {"ids.seconds_lost", "count 1 second from frame to frame, whatever the video says",
     "hand the seconds of each grid (second_per_grid_ts) on to the ids"},
    {"ids.interval_missing", "leave the interval, tokens_per_second or the rate of the frames out",
     "multiply frames by tokens_per_second and by the seconds between frames"},
    {"ids.time_over_frames",
     "count the frames of a video as time in Qwen3-VL and GLM-4V, where a frame has the time at "
     "which it starts",
     "give each frame its own block, with its time written as text before it"},
    {"ids.frames_unmerged", "count the frames of a video before they are merged (ERNIE 4.5 VL)",
     "divide the frames by temporal_conv_size before they are counted"},
    {"ids.time_missing", "give all frames of a video the time of the first",
     "count the frames of a video in the first axis"},
    {"ids.restart_missing", "run on from one packed document to the next",
     "begin at 0 in each document that is packed"},
    {"ids.one_based", "count from 1", "count from 0"},
    {"ids.padding_counted", "count padding as tokens",
     "count tokens by the cumulative sum of the mask, minus 1"},
    {"ids.padding_side", "belong to rows that are padded on the other side",
     "pad on the side that the ids were made for"},
    {"ids.rows_repeated", "are those of the first row in all rows",
     "build the ids of each row from its own tokens"},
    {"ids.delta_lost", "leave `rope_delta` out in a decode step or a chunk",
     "add rope_delta to the positions of a decode step and of a chunk"},
    {"ids.delta_twice", "add `rope_delta` twice", "add rope_delta once"},
    {"ids.chunk_restart", "count a chunk from 0",
     "begin a chunk at the number of tokens before it"},
    {"ids.shards_order", "give ranks other tokens, or in another order",
     "give each rank the positions of the tokens that it has, in their order"},
    {"ids.shards_restart", "count the tokens of each rank from 0",
     "add the number of the first token of each rank"},
    {"ids.compacted",
     "are the slots of the tokens that are kept, and not their positions, where a cache drops "
     "tokens or a sparse indexer picks some",
     "store the position of each token beside its key, and take it from there"},
    {"ids.sound_order",
     "have frames and sound of a video in another order (Qwen-Omni with `use_audio_in_video`)",
     "weave frames and sound as the model's processor does: in chunks of seconds_per_chunk "
     "(Qwen2.5-Omni), or token by token in the order of time (Qwen3-Omni)"},
    {"ids.sound_start", "count the sound of a video from behind its frames",
     "count the sound from where the frames of its video start"},
    {"ids.sound_marks",
     "give the marks before and behind a video with sound other positions, as vLLM does",
     "let the two marks share a position in Qwen2.5-Omni and have one each in Qwen3-Omni, and go "
     "on behind the last piece"},
    {"ids.row_end",
     "count the rows of an image without the token at their end, or this token as text "
     "(HunYuan-VL)",
     "count one column more than the row has patches"},
    {"ids.frame_order",
     "have the frames of a patch one after the other, or another order of a video's sides",
     "let the sides of a video run in the model's order"},
    {"ids.block_order",
     "count patches row by row where they come in blocks that are merged, or the reverse",
     "give ids in the order in which patches are merged"},
    {"ids.window_order",
     "come window by window, as the layers of Qwen2.5-VL and Muse Glimmer have them; they are "
     "right "
     "there, and wrong for patches in the order of the processor",
     "reorder positions together with the patches, and take both before or behind it"},
    {"ids.reversed", "count a side from its other end", "count the side from its other end"},
    {"ids.zero_based", "count from 0 in a model that counts from 1 (Llama 4)",
     "count from 1, as the model does"},
    {"ids.centring",
     "count from a corner where the model counts from the middle (Qwen-Image), from another "
     "middle, or from the middle where it does not",
     "count from where the model does: from a corner, or from the middle of the grid"},
    {"ids.normalised",
     "are plain numbers where the model divides by the sides of the grid (DINOv3, EVA-02, LTX), "
     "or are divided in another way",
     "divide by the sides of the grid if the model does, and by the same ones"},
    {"ids.image_number",
     "do not count the images before a patch's own (FLUX.1 Kontext, FLUX.2, Qwen-Image, "
     "HunYuan-VL) as the model does",
     "count the images before a patch's own as the model does"},
    {"ids.text_place", "give text beside the images other positions, or another place",
     "give text the positions, and the place, that the model gives it"},
    {"ids.prefix_side", "have the tokens that do not turn on the other side of the patches",
     "put the tokens that do not turn on the model's side of the patches"},
    {"ids.rounded",
     "are the right ones with fewer digits: in bfloat16, in float16, or cut to whole numbers",
     "keep ids in int64 or float32"},
    {"ids.offset", "are all larger, or all smaller, by one number for an axis, other than 1",
     "begin to count where the model does, and where the cache ends in a decode"},
    {"ids.unexplained", "are wrong, and no known fault makes them, nor two of them together",
     "compare the first id that differs with the model's rule: no known mistake gives it"},
};

/// A fault that makes what is at hand, and a sentence on what it does.
struct NamedFault {
    std::string code, text;
    bool fitted = false;  ///< the text has a number that was fitted or searched
};

/// The code itself, if it is in the list; else the program does not compile.
consteval const char* code(std::string_view wanted) {
    const auto* found = std::ranges::find(kFaultCodes, wanted, &FaultCode::code);
    if (found == std::ranges::end(kFaultCodes)) {
        throw std::logic_error("no such code in kFaultCodes");
    }
    return found->code.data();
}

/// What to change in code that has the fault; empty for a code that is not in the list.
constexpr std::string_view repair_of(std::string_view code) {
    const auto* found = std::ranges::find(kFaultCodes, code, &FaultCode::code);
    return found == std::ranges::end(kFaultCodes) ? std::string_view{} : found->repair;
}

}  // namespace ropescope::faults
