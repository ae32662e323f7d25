// Turns the logits of one place into its likeliest tokens.
#include "core/encoder/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ropescope {

std::vector<Prediction> best_predictions(std::span<const float> logits, Index most) {
    if (logits.empty()) {
        return {};
    }
    std::vector<Index> order(logits.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto end = order.begin() + std::min<Index>(most, std::ssize(order));
    std::partial_sort(order.begin(), end, order.end(), [&](Index a, Index b) {
        return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
    });
    const double largest = *std::ranges::max_element(logits);
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(logit - largest);
    }
    std::vector<Prediction> best;
    for (auto id = order.begin(); id != end; ++id) {
        best.push_back({*id, std::exp(logits[*id] - largest) / sum});
    }
    return best;
}

std::vector<PlacePredictions> predictions_at(std::span<const Index> positions,
                                             const TraceTensor& logits, Index most) {
    const Index vocab = logits.shape.back();
    std::vector<PlacePredictions> places;
    for (const Index position : positions) {
        places.push_back(
            {position, best_predictions(logits.values().subspan(position * vocab, vocab), most)});
    }
    return places;
}

}  // namespace ropescope
