// Requests for models in one axis.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/probe/requests.h"
#include "core/scaling/method.h"

namespace ropescope::probe {
namespace {

/// The first request: every spectrum that `diagnose` knows shows in it, and no other call has been
/// made yet that could have left something behind.
void add_sequence(RequestList& list) {
    const Index length = std::min<Index>(127, list.max_position() + 1);
    list.add({"sequence", "layout, rotary width, base, scaling, sign, gain",
              "A sequence from position 0 on shows which channels turn together and how fast."},
             {1, 2, 2, length}, counted(0, length));
}

/// Calls of a few tokens.
void add_small(RequestList& list) {
    list.add({"position 0", "positions.offset, gain",
              "At position 0 nothing turns, so that q and k must come back as they are."},
             {1, 1, 1, 1}, {0});
    list.add({"position 1", "positions.offset, spectrum",
              "One token at position 1 turns by the frequencies themselves."},
             {1, 1, 1, 1}, {1});
    list.add({"other order", "positions.per_row, positions.restart",
              "Positions that do not grow show whether they are read at all."},
             {1, 2, 2, 5}, {7, 3, 11, 0, 5});
    list.add({"share of a rank", "positions.per_row, positions.restart",
              "A rank of a context-parallel run has tokens from both ends of a sequence."},
             {1, 2, 2, 4}, {0, 3, 4, 7});
    for (const Index length : {31, 33, 129, 257, 513}) {
        list.add({std::to_string(length) + " tokens", "kernels that work in blocks",
                  "Lengths beside a power of two leave a rest behind the blocks of a kernel."},
                 {1, 1, 1, length}, counted(0, length));
    }
}

/// Steps of a decoder, whose rows have one token each.
void add_text_decode(RequestList& list) {
    const auto decode = [&](Purpose purpose, Index rows, std::vector<double> positions,
                            Index past) {
        if (Request* request =
                list.add(std::move(purpose), {rows, 2, 2, 1}, std::move(positions))) {
            request->past = past;
        }
    };
    decode({"decode", "positions.restart, spectrum.qk_mismatch",
            "One token behind nine in the cache turns by its place in the sequence, as fast as in "
            "a whole sequence."},
           1, {9}, 9);
    decode({"decode of two rows", "rows.unrotated, positions.wrong_axis",
            "Kernels for one token a row are known to turn the first row only."},
           2, {9, 9}, 9);
    decode({"decode of two unequal rows", "positions.per_row, rows.unrotated",
            "With padding on the left, rows of one step stand at different positions."},
           2, {9, 5}, 9);
    decode({"decode of three rows", "positions.per_row, positions.wrong_axis",
            "Rows at unrelated positions cannot be mistaken for a sequence."},
           3, {100, 7, 31}, 100);
    decode({"decode of nine rows", "rows.unrotated, positions.per_row",
            "A step of more rows than a kernel takes at once, each at a position of its own."},
           9, {64, 3, 17, 90, 41, 8, 55, 29, 76}, 90);
    decode({"far decode", "spectrum.qk_mismatch, spectrum.low_precision",
            "A step far behind the start shows a table that differs from that of whole sequences."},
           1, {2000}, 2000);
}

/// Rows with padding, packed documents, and their tokens alone.
void add_batches(RequestList& list) {
    list.add({"two rows", "positions.wrong_axis, rows.unrotated",
              "Two rows at the same positions turn alike."},
             {2, 2, 2, 16}, counted(0, 16));
    list.add({"padded on the left", faults::code("positions.per_row"),
              "The second row begins behind five tokens of padding, which stand at 0."},
             {2, 2, 2, 12},
             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6});
    if (list.add({"the same row alone", faults::code("positions.per_row"),
                  "Without its padding a row must give what it gave with it."},
                 {1, 2, 2, 7}, counted(0, 7))) {
        list.take_tokens("padded on the left", 1, 5);
    }
    list.add({"packed", faults::code("positions.restart"),
              "Three documents in one row begin at position 0 each."},
             {1, 2, 2, 15}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3});
    if (list.add({"one of the packed", faults::code("positions.restart"),
                  "The second document alone must give what it gave in the pack."},
                 {1, 2, 2, 6}, counted(0, 6))) {
        list.take_tokens("packed", 0, 5);
    }
}

/// A sequence at once and in two chunks.
void add_chunks(RequestList& list) {
    list.add({"whole", faults::code("positions.restart"),
              "A sequence at once, to compare its chunks with."},
             {1, 2, 1, 24}, counted(0, 24));
    if (Request* first =
            list.add({"first chunk", faults::code("positions.restart"), "Its first 16 tokens."},
                     {1, 2, 1, 16}, counted(0, 16))) {
        first->past = 0;
        list.take_tokens("whole", 0, 0);
    }
    if (Request* second =
            list.add({"second chunk", faults::code("positions.restart"),
                      "The other 8 tokens, behind 16 in the cache, go on where those ended."},
                     {1, 2, 1, 8}, counted(16, 8))) {
        second->past = 16;
        list.take_tokens("whole", 0, 16);
    }
    list.add({"offset", "positions.restart, positions.offset",
              "A sequence that begins at 100 shows whether positions are read."},
             {1, 2, 2, 8}, counted(100, 8));
    list.add({"second offset", "positions.restart, answer.changes",
              "Another offset shows a table or an offset that was kept from the first call."},
             {1, 2, 2, 8}, counted(1000, 8));
    list.repeat("offset", {"offset again", faults::code("answer.changes"),
                           "The same call must give the same answer again."});
}

/// Positions at which tables end and formats run out of numbers.
void add_far(RequestList& list) {
    const Index last = list.max_position();
    list.add(
        {"around 256", "positions.low_precision, positions.clamped", "bf16 has no number for 257."},
        {1, 1, 1, 3}, {255, 256, 257});
    list.add({"around 4096", "positions.clamped, positions.low_precision",
              "Tables of 4096 rows end here, and fp16 has few numbers left above 2048."},
             {1, 1, 1, 3}, {4095, 4096, 4097});
    if (last > 8) {
        list.add({"last positions", "positions.clamped, spectrum.low_precision",
                  "The last positions that the model may have."},
                 {1, 1, 1, 3}, counted(last - 2, 3));
    }
    std::vector<double> spread;
    // 70001 is beyond 65536 and not what a table of that many rows ends with.
    for (const Index position :
         {0, 1, 255, 256, 257, 1000, 4095, 4096, 4097, 32768, 70001, 131071}) {
        if (position <= last) {
            spread.push_back(to_double(position));
        }
    }
    list.add({"spread", "positions.clamped, positions.low_precision, spectrum.low_precision",
              "Positions of all sizes in one call show from where on a table is wrong."},
             {1, 2, 2, std::ssize(spread)}, spread);
    const auto original = list.subject().spec ? original_positions(list.subject().spec->scaling)
                                              : std::optional<std::int64_t>();
    if (original && depends_on_seq_len(list.subject().spec->scaling)) {
        for (const Index length : {*original, *original + 1}) {
            const auto end = to_double(length - 1);
            list.add({"length " + std::to_string(length), faults::code("spectrum.changes_at"),
                      "The frequencies change when a sequence is longer than " +
                          std::to_string(*original) + "."},
                     {1, 1, 1, 4}, {0, 1, end - 1, end});
        }
    }
    list.repeat("sequence",
                {"sequence again", faults::code("answer.changes"),
                 "After far positions the first call must give the same answer as before."});
}

}  // namespace

void add_text_requests(RequestList& list) {
    add_sequence(list);
    add_small(list);
    add_common_requests(list);
    add_text_decode(list);
    add_batches(list);
    add_chunks(list);
    add_far(list);
    if (list.settings().negative) {
        list.add({"shift of a cache", "positions.clamped, positions.offset",
                  "Keys that were turned go back by 5 when the cache is shifted: R(-5) R(m) = "
                  "R(m - 5)."},
                 {1, 2, 2, 4}, {-5, -5, -5, -5});
    }
}

}  // namespace ropescope::probe
