// Runs an encoder over the held-out text and counts the hidden pieces that it names.
#include "core/demo/masked_accuracy.h"

#include <algorithm>

#include "core/encoder/predictions.h"

namespace ropescope::demo {
namespace {

/// One text, and what is hidden in it.
struct HiddenText {
    EncoderInput input;
    std::vector<Index> columns;  ///< of [MASK]
    std::vector<Index> right;    ///< the ids there
};

/// The text of the tokens from `begin` on.
HiddenText text_from(const HeldOutText& all, Index begin, Index length) {
    const WordPieces& pieces = demo_vocabulary();
    const Index end = std::min(begin + length - 2, std::ssize(all.ids));
    HiddenText text;
    std::vector<Index>& ids = text.input.ids;
    ids.push_back(pieces.id_of("[CLS]").value());
    ids.insert(ids.end(), all.ids.begin() + begin, all.ids.begin() + end);
    ids.push_back(pieces.id_of("[SEP]").value());
    text.input.shape = {1, std::ssize(ids)};
    const auto first = std::ranges::lower_bound(all.hidden, begin);
    for (auto place = first; place != all.hidden.end() && *place < end; ++place) {
        text.columns.push_back(*place - begin + 1);
        text.right.push_back(all.ids[*place]);
        ids[text.columns.back()] = pieces.id_of("[MASK]").value();
    }
    return text;
}

void count(const HiddenText& text, const TraceTensor& logits, double undecided_logits,
           MaskedCount& counted) {
    const Index vocab = logits.shape.back();
    for (std::size_t i = 0; i < text.columns.size(); ++i) {
        const std::span row = logits.values().subspan(text.columns[i] * vocab, vocab);
        const std::vector<Prediction> best = best_predictions(row, 2);
        counted.right += best[0].id == text.right[i] ? 1 : 0;
        counted.undecided += row[best[0].id] - row[best[1].id] < undecided_logits ? 1 : 0;
        ++counted.of;
    }
}

}  // namespace

MaskedCount masked_accuracy(const Encoder& encoder, Index length, const EncoderRope& rope,
                            double undecided_logits) {
    const HeldOutText& all = held_out_text();
    MaskedCount counted;
    for (Index begin = 0; begin < std::ssize(all.ids); begin += length - 2) {
        const HiddenText text = text_from(all, begin, length);
        count(text, encoder.forward(text.input, {.rope = rope, .trace = {}, .progress = {}}).logits,
              undecided_logits, counted);
    }
    return counted;
}

}  // namespace ropescope::demo
