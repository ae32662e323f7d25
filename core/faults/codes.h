// The codes of everything that the instruments name: diagnose (core/diagnosis), probe (core/probe),
// vectors (core/vectors) and `positions --check` (core/positions). A code and what it means stand
// here and nowhere else; the tables of docs/verify/README.md, of docs/verify/probe.md for those
// that begin with "answer.", and of docs/user-guide/positions.md for those with "ids." are made of
// this list.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ropescope::faults {

struct FaultCode {
    std::string_view code;
    std::string_view meaning;  // in Markdown
};

/// All of them. Beside them, `diagnose` says "matches." and the id of one of the five texts.
inline constexpr FaultCode kFaultCodes[] = {
    {"layout.interleaved", "pairs (2i, 2i + 1); a fault if q and k, heads, or layers differ"},
    {"layout.half_split",
     "pairs (i, i + rotary_dim/2); a fault if q and k, heads, or layers differ"},
    {"layout.other",
     "another pairing, half-split blocks, or channels that come out in another order"},
    {"partial_rotary",
     "only some channels turn: the first ones of a head, or those behind a part without "
     "position, as in multi-head latent attention"},
    {"not_a_rotation",
     "no pairing keeps lengths, or pairs change their lengths differently. The text names"
     " the mistake where each channel is a sum of itself and its partner: cos and sin in "
     "the order of the other layout, a lost minus sign, a missing term with sin, a factor"
     " on cos or sin alone; and rows that moved: heads in another order, a reshape where "
     "a transpose is meant, tokens shifted by one, heads that were split after the "
     "rotation. A pair that alone turns otherwise is named with its channels. Also a "
     "table that is zero from some token on"},
    {"spectrum.default", "base^(-2i / rotary_dim)"},
    {"spectrum.scaled",
     "linear, NTK, YaRN, Llama 3, LongRoPE or proportional scaling, or that of a published model"},
    {"spectrum.exponent_off_by_one", "exponents (2i + 1) / d, 2(i + 1) / d or 2i / (d - 2)"},
    {"spectrum.flat", "all pairs turn alike (an integer division)"},
    {"spectrum.zero", "no pair turns"},
    {"spectrum.inverted", "reciprocal missing, or the order of the pairs reversed"},
    {"spectrum.low_precision",
     "inv_freq or angles were rounded to 16 bits: errors grow with the position"},
    {"spectrum.qk_mismatch", "q and k turn at other speeds"},
    {"spectrum.changes_at",
     "from a position on the spectrum is another one, as at LongRoPE's switch"},
    {"spectrum.per_head",
     "heads turn at different sets of speeds: a note, as long as the heads of q turn as "
     "the head of k that they meet"},
    {"spectrum.per_layer",
     "layers turn at different sets of speeds: a note, as in models with several types of"
     " attention"},
    {"axes.map",
     "which pair turns by which axis; a fault if the expected map, or that of k, is another one"},
    {"axes.swapped",
     "two axes are exchanged, measured by the expected model or else by the published one"
     " that fits; with two axes and without `--expect` the verdict is undetermined, "
     "because positions are stated as (row, column) and as (x, y)"},
    {"positions.offset", "every position is off by the same, in q and k: equivalent"},
    {"positions.qk_offset", "q and k are off by different numbers"},
    {"positions.scaled", "positions are multiplied by a factor above 1"},
    {"positions.low_precision", "positions were rounded to 16 bits: neighbours stand at one place"},
    {"positions.clamped", "the table ends; later tokens stay at its last position"},
    {"positions.wrong_axis", "tokens turn by the number of their batch row or head"},
    {"positions.restart", "positions begin again, or go on where the stated ones begin again"},
    {"positions.per_row",
     "rows count from different tokens, as with padding, or all turn alike; or slots in "
     "place of positions; or tokens of a model of several axes that turn as other ids "
     "than stated"},
    {"rows.unrotated",
     "some rows, heads or layers do not turn; of layers a note if one in several does "
     "not, or if the model of `--expect` leaves the rotation out there"},
    {"sign.reversed",
     "the transposed rotation on q, or on q and k: a fault on q alone; equivalent on "
     "both, if the model was trained this way. Weights that were trained forward get "
     "other scores from it, so with `--expect` it is a mismatch; of the families that "
     "ropescope knows, nanochat alone was trained backwards"},
    {"sign.k_reversed", "the transposed rotation on k alone: a fault"},
    {"phase",
     "every pair stands a quarter or half a turn from its angle, at position 0 too: cos "
     "and sin are exchanged (then `sign.reversed` as well), or the rotated channels "
     "change their sign. Equivalent if q and k do the same, since scores depend on "
     "differences; a fault on one of them"},
    {"k.unrotated", "q turns and k does not"},
    {"k.rotated_twice", "k turns twice as far as its positions say"},
    {"gain",
     "turned channels are multiplied by a factor that belongs to no method, or that "
     "differs from token to token (a norm behind the rotation; on q some models mean it),"
     " or lengths grow with the position and do not cancel between q and k"},
    {"gain.xpos",
     "lengths of q and k change with the position in opposite ways, so that scores depend"
     " on the distance alone: xPos"},
    {"softmax.scale",
     "scores are not q_rot . k_rot times the model's factor (`query_pre_attn_scalar`, "
     "`attention_multiplier`, YaRN's mscale), else 1 / sqrt(head_dim); the text names "
     "unrotated q or k and key heads that are read in turn. Without `--expect` a factor "
     "that forgets no part of the formula is a note"},
    {"scores.not_the_product",
     "some scores are not q_rot . k_rot times the factor of the others, or are 0; the "
     "text counts them, names their batch row, head, query and key, and gives the first"},
    {"scores.not_finite", "scores are NaN or infinite"},
    {"scores.masked",
     "scores are minus infinity, or a large number below 0, where no mask hides a key; or all are; "
     "a "
     "note if all heads hide the same by a mask of another kind"},
    {"table.fp16", "cos and sin are rounded to float16; a note, because models do so"},
    {"table.bf16", "cos and sin are rounded to bfloat16; a note, because models do so"},
    {"answer.error", "the implementation refused a request, or ended"},
    {"answer.timeout", "no answer came in time"},
    {"answer.garbled", "what came is not an answer, or its file cannot be read"},
    {"answer.shape", "a tensor is missing, or has another shape or dtype"},
    {"answer.not_finite",
     "NaN or infinity, in scores too (but minus infinity is how they are masked)"},
    {"answer.order", "heads and tokens changed places in memory"},
    {"answer.changes", "the same call gave another answer the second time"},
    {"answer.wrong", "numbers are off, and no known fault gives them"},
    // Of positions: they ...
    {"ids.axes_swapped",
     "have rows and columns (height and width), or the sides of the grids, in each other's place"},
    {"ids.axes_order", "have the axes in another order"},
    {"ids.column_order", "count the tokens of a frame column by column"},
    {"ids.text_positions",
     "count images as text: in ids, time, height and width are equal throughout"},
    {"ids.block_at_zero", "begin each block at 0"},
    {"ids.merge_missing", "count rows, columns or the sides of the grid before patches are merged"},
    {"ids.counted_by_tokens", "let an image take a position for each of its tokens"},
    {"ids.next_by_time", "let text go on behind the time of a block, whatever its sides"},
    {"ids.off_by_one", "go on one position too late or too early behind a block, or in a decode"},
    {"ids.other_version", "are those of the other version of transformers"},
    {"ids.other_family", "are those of VideoRoPE in place of Qwen's, or the reverse"},
    {"ids.time_rounded",
     "round the seconds of a grid in another way than transformers, which cuts them to a whole "
     "number"},
    {"ids.time_scaled_start",
     "multiply the start of a block by the interval of time, as transformers 5.3.0 to 5.5.4 did"},
    {"ids.seconds_lost", "count 1 second from frame to frame, whatever the video says"},
    {"ids.interval_missing", "leave the interval, tokens_per_second or the rate of the frames out"},
    {"ids.time_over_frames",
     "count the frames of a video as time in Qwen3-VL and GLM-4V, where a frame has the time at "
     "which it starts"},
    {"ids.frames_unmerged", "count the frames of a video before they are merged (ERNIE 4.5 VL)"},
    {"ids.time_missing", "give all frames of a video the time of the first"},
    {"ids.restart_missing", "run on from one packed document to the next"},
    {"ids.one_based", "count from 1"},
    {"ids.padding_counted", "count padding as tokens"},
    {"ids.padding_side", "belong to rows that are padded on the other side"},
    {"ids.rows_repeated", "are those of the first row in all rows"},
    {"ids.delta_lost", "leave `rope_delta` out in a decode step or a chunk"},
    {"ids.delta_twice", "add `rope_delta` twice"},
    {"ids.chunk_restart", "count a chunk from 0"},
    {"ids.shards_order", "give ranks other tokens, or in another order"},
    {"ids.shards_restart", "count the tokens of each rank from 0"},
    {"ids.frame_order",
     "have the frames of a patch one after the other, or another order of a video's sides"},
    {"ids.block_order",
     "count patches row by row where they come in blocks that are merged, or the reverse"},
    {"ids.reversed", "count a side from its other end"},
    {"ids.zero_based", "count from 0 in a model that counts from 1 (Llama 4)"},
    {"ids.centring",
     "count from a corner where the model counts from the middle (Qwen-Image), from another "
     "middle, or from the middle where it does not"},
    {"ids.normalised",
     "are plain numbers where the model divides by the sides of the grid (DINOv3, EVA-02, LTX), "
     "or are divided in another way"},
    {"ids.image_number",
     "do not count the images before a patch's own (FLUX.1 Kontext, FLUX.2, Qwen-Image) as the "
     "model does"},
    {"ids.text_place", "give text beside the images other positions, or another place"},
    {"ids.prefix_side", "have the tokens that do not turn on the other side of the patches"},
    {"ids.rounded",
     "are the right ones with fewer digits: in bfloat16, in float16, or cut to whole numbers"},
    {"ids.unexplained", "are wrong, and no known fault makes them, nor two of them together"},
};

/// A fault that makes what is at hand, and a sentence on what it does.
struct NamedFault {
    std::string code, text;
};

/// The code itself, if it is in the list; else the program does not compile.
consteval const char* code(std::string_view wanted) {
    const auto* found = std::ranges::find(kFaultCodes, wanted, &FaultCode::code);
    if (found == std::ranges::end(kFaultCodes)) {
        throw std::logic_error("no such code in kFaultCodes");
    }
    return found->code.data();
}

}  // namespace ropescope::faults
