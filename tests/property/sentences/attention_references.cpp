// Computes the shares of roles from a figure's table, and predictions from the demo models.
#include "tests/property/sentences/attention_references.h"

#include <algorithm>
#include <cmath>

#include "core/engine/engine.h"
#include "tests/property/sentences/claims.h"

namespace ropescope::figures {

std::vector<std::string> words_of_tokens(const plot::Figure& figure) {
    std::vector<std::string> words;
    for (const plot::Mark& mark : figure.panels.front().marks) {
        const auto* label = std::get_if<plot::Label>(&mark);
        if (label != nullptr && label->role == plot::Role::query) {
            words.push_back(label->text);
        }
    }
    return words;
}

Probabilities::Probabilities(const plot::Figure& figure, const std::string& column) {
    const auto query = column_of(figure, "query"), key = column_of(figure, "key"),
               masked = column_of(figure, "masked"), value = column_of(figure, column);
    for (std::size_t row = 0; row < query.size(); ++row) {
        of[{round_to_index(query[row]), round_to_index(key[row])}] = value[row];
        seen = masked[row] > 0 ? seen : std::max(seen, round_to_index(key[row]) + 1);
    }
}

std::optional<double> share_of(const std::string& role, const Probabilities& probs,
                               const std::vector<std::string>& words) {
    const auto counts = [&](Index query, Index key) {
        const std::string& word = words.at(static_cast<std::size_t>(key));
        return role == "previous"      ? key == query - 1
               : role == "next"        ? key == query + 1
               : role == "same token"  ? word == words.at(static_cast<std::size_t>(query))
               : role == "first token" ? key == 0
                                       : word == "[SEP]" || word == "," || word == ".";
    };
    if (role == "by distance") {
        return std::nullopt;
    }
    double sum = 0;
    for (Index query = 0; query < probs.seen; ++query) {
        for (Index key = 0; key < probs.seen; ++key) {
            sum += counts(query, key) ? probs.of.at({query, key}) : 0;
        }
    }
    const bool at_an_end = role == "previous" || role == "next";
    return probs.seen > 1 || !at_an_end ? sum / to_double(at_an_end ? probs.seen - 1 : probs.seen)
                                        : 0;
}

Named named_by_demo(const Scene& scene, demo::DemoModel which, EncoderRope rope) {
    const WordPieces& pieces = demo::demo_vocabulary();
    std::vector<Index> ids = pieces.encode(scene.attention_text, SpecialPieces::as_pieces);
    const Index once = std::ssize(ids);
    if (scene.attention_tokens > 0) {
        ids.resize(static_cast<std::size_t>(scene.attention_tokens));
        for (Index i = once; i < std::ssize(ids); ++i) {
            ids[i] = ids[i % once];
        }
    }
    const Index count = std::ssize(ids), seen = std::max<Index>(1, count - scene.attention_padding);
    const Index mask = *pieces.id_of("[MASK]"), chosen = scene.attention_masked;
    const bool ordinary = chosen > 0 && chosen < count && pieces.text(ids[chosen]) != "[CLS]" &&
                          pieces.text(ids[chosen]) != "[SEP]";
    if (ordinary) {
        ids[chosen] = mask;
    }
    ids.resize(static_cast<std::size_t>(seen));  // what is masked counts as if it were not there
    const auto first = std::ranges::find(ids, mask);
    const Index place = chosen < seen && ids[chosen] == mask ? chosen : first - ids.begin();
    const auto engine = make_cpu_engine(1);
    const EncoderFiles files = demo::demo_model(which);
    const Encoder encoder(*engine, files.config, files.weights);
    rope.enabled = rope.enabled && which == demo::DemoModel::rope;
    EncoderInput input;
    input.shape = {1, seen};
    input.ids = ids;
    ForwardOptions options;
    options.rope = rope;
    const Trace trace = encoder.forward(input, options);
    const Index vocab = pieces.size();
    const auto logits = trace.logits.values().subspan(place * vocab, vocab);
    const auto best = std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - *best);
    }
    return {pieces.text(best - logits.begin()), 100 / sum};
}

}  // namespace ropescope::figures
