// Names the likeliest pieces in the place of each [MASK].
#include "app/cli/encode_predictions.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/encoder/predictions.h"

namespace ropescope::cli {
namespace {

struct MaskedPlace {
    Index token = 0;  ///< its number in the sequence; [CLS] is 0
    std::vector<Prediction> best;
};

bool is_mask(const WordPieces& pieces, Index id) {
    return pieces.id_of("[MASK]") == id;
}

std::vector<MaskedPlace> masked_places(const WordPieces& pieces, const std::vector<Index>& ids,
                                       const TraceTensor& logits) {
    const Index vocab = logits.shape.back();
    std::vector<MaskedPlace> places;
    for (Index token = 0; token < std::ssize(ids); ++token) {
        if (is_mask(pieces, ids[token])) {
            places.push_back({token, best_predictions(logits.values().subspan(token * vocab, vocab),
                                                      kNamedPredictions)});
        }
    }
    return places;
}

}  // namespace

void require_predictable(const WordPieces& pieces, const std::vector<Index>& ids,
                         const EncoderConfig& config) {
    if (!config.has_head) {
        throw InputError(
            "--predict: the model has no masked-language-model head; give the folder of a "
            "RoFormerForMaskedLM");
    }
    if (std::ranges::none_of(ids, [&](Index id) { return is_mask(pieces, id); })) {
        throw InputError(
            "--predict: the text contains no [MASK]; write it where a word is to be named, for "
            "example --text \"the [MASK] of a house\"");
    }
    if (config.vocab_size != pieces.size()) {
        throw InputError(
            fmt::format("--predict: the model knows {} pieces and vocab.txt has {}; put the "
                        "vocabulary of the model beside it",
                        config.vocab_size, pieces.size()));
    }
}

std::string predictions_text(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits) {
    std::string text;
    for (const MaskedPlace& place : masked_places(pieces, ids, logits)) {
        text += fmt::format("token {} is [MASK]; the model would put there:\n", place.token);
        for (const Prediction& named : place.best) {
            text += fmt::format("  {:5.1f} %  {}\n", 100.0 * named.probability,
                                printable(pieces.text(named.id)));
        }
    }
    return text;
}

std::string predictions_json(const WordPieces& pieces, const std::vector<Index>& ids,
                             const TraceTensor& logits) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const MaskedPlace& place : masked_places(pieces, ids, logits)) {
        nlohmann::ordered_json named = nlohmann::ordered_json::array();
        for (const Prediction& one : place.best) {
            named.push_back({{"piece", printable(pieces.text(one.id))},
                             {"id", one.id},
                             {"probability", one.probability}});
        }
        all.push_back({{"token", place.token}, {"predictions", std::move(named)}});
    }
    return all.dump(2) + "\n";
}

}  // namespace ropescope::cli
