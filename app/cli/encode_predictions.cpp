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

bool is_mask(const WordPieces& pieces, Index id) {
    return pieces.id_of("[MASK]") == id;
}

std::vector<PlacePredictions> masked_places(const WordPieces& pieces, const std::vector<Index>& ids,
                                            const TraceTensor& logits) {
    std::vector<Index> masked;
    for (Index token = 0; token < std::ssize(ids); ++token) {
        if (is_mask(pieces, ids[token])) {
            masked.push_back(token);
        }
    }
    return predictions_at(masked, logits);
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
    for (const PlacePredictions& place : masked_places(pieces, ids, logits)) {
        text += fmt::format("token {} is [MASK]; the model would put there:\n", place.position);
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
    for (const PlacePredictions& place : masked_places(pieces, ids, logits)) {
        nlohmann::ordered_json named = nlohmann::ordered_json::array();
        for (const Prediction& one : place.best) {
            named.push_back({{"piece", printable(pieces.text(one.id))},
                             {"id", one.id},
                             {"probability", one.probability}});
        }
        all.push_back({{"token", place.position}, {"predictions", std::move(named)}});
    }
    return all.dump(2) + "\n";
}

}  // namespace ropescope::cli
