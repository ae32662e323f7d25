// Runs an encoder over the held-out text and counts the hidden pieces that it names.
#include "core/demo/masked_accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropescope::demo {
namespace {

/// Behind [PAD], [UNK], [CLS], [SEP] and [MASK].
constexpr Index kFirstPiece = 5;

/// The text of the tokens from `begin` on.
HiddenText text_from(const HeldOutText& all, Index begin, Index length) {
    const WordPieces& pieces = demo_vocabulary();
    const Index end = std::min<Index>(begin + length - 2, std::ssize(all.ids));
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

/// By how much the logit of `id` exceeds the largest other one from `first` on.
double lead(std::span<const float> logits, Index id, Index first) {
    float other = -std::numeric_limits<float>::infinity();
    for (Index i = first; i < std::ssize(logits); ++i) {
        other = i == id ? other : std::max(other, logits[i]);
    }
    return double{logits[id]} - double{other};
}

void count(const HiddenText& text, const TraceTensor& logits, double undecided_logits,
           MaskedCount& counted) {
    const Index vocab = logits.shape.back();
    for (std::size_t i = 0; i < text.columns.size(); ++i) {
        const double by = lead(logits.values().subspan(text.columns[i] * vocab, vocab),
                               text.right[i], text.first_answer);
        counted.right += by > 0.0 ? 1 : 0;
        counted.undecided += std::abs(by) < undecided_logits ? 1 : 0;
        ++counted.of;
    }
}

}  // namespace

std::vector<HiddenText> hidden_texts(Index length) {
    const HeldOutText& all = held_out_text();
    std::vector<HiddenText> texts;
    for (Index begin = 0; begin < std::ssize(all.ids); begin += length - 2) {
        texts.push_back(text_from(all, begin, length));
    }
    return texts;
}

std::vector<HiddenText> next_piece_texts(Index length) {
    const HeldOutText& all = held_out_text();
    std::vector<HiddenText> texts;
    for (Index begin = 0; begin < std::ssize(all.ids); begin += length - 2) {
        texts.push_back(text_from({all.ids, {}}, begin, length));
        HiddenText& text = texts.back();
        text.first_answer = kFirstPiece;
        for (Index column = 0; column + 2 < std::ssize(text.input.ids); ++column) {
            text.columns.push_back(column);
            text.right.push_back(text.input.ids[column + 1]);
        }
    }
    return texts;
}

MaskedCount masked_accuracy(const Encoder& encoder, std::span<const HiddenText> texts,
                            const EncoderRope& rope, double undecided_logits) {
    MaskedCount counted;
    for (const HiddenText& text : texts) {
        count(text, encoder.forward(text.input, {.rope = rope, .trace = {}, .progress = {}}).logits,
              undecided_logits, counted);
    }
    return counted;
}

}  // namespace ropescope::demo
