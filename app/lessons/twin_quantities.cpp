// The numbers of lessons about other encodings, decoders and their caches, and about parts of the
// trained model's rotation.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "app/figures/cache/cache.h"
#include "app/figures/work.h"
#include "app/lessons/quantities.h"
#include "core/analysis/turns.h"
#include "core/base/memo.h"
#include "core/demo/masked_accuracy.h"
#include "core/demo/twins.h"
#include "core/encoder/position_encoding.h"

namespace ropescope::lessons {
namespace {

// The trained model with a part of its pairs standing still.

Spectrum trained_spectrum() {
    return make_spectrum(demo::stretched_spec(demo::StretchMethod::none, demo::kTrainedLength));
}

/// Pairs that finish a turn within a text of the training.
Index fast_pairs() {
    return finishing_pairs(trained_spectrum(), demo::kTrainedLength);
}

constexpr std::size_t kShortTexts = 16;

/// Percent of hidden pieces that are named rightly in the first of the held-out texts in the box,
/// with the pairs from `first` to before `last` standing still: few enough texts for a lesson to
/// wait.
double count_right_still(Engine& engine, Index first, Index last) {
    const EncoderFiles files = demo::demo_model(demo::DemoModel::rope);
    const Encoder encoder(engine, files.config, files.weights);
    EncoderRope rope;
    rope.spectrum = with_still_pairs(trained_spectrum(), first, last);
    const std::vector<demo::HiddenText> texts = demo::hidden_texts(demo::kTrainedLength);
    const demo::MaskedCount count =
        demo::masked_accuracy(encoder, std::span(texts).first(kShortTexts), rope, 0.0);
    return 100 * to_double(count.right) / to_double(count.of);
}

/// What was counted before: a step names each share several times.
struct CountedShares {
    struct Key {
        Index first = 0, last = 0;  ///< pairs that stood still
        std::string engine = {};
        bool operator==(const Key&) const = default;
    };
    Memo<Key, double> memo{4};
};

double percent_right_still(const Asked& asked, Index first, Index last) {
    const auto count = [&] { return count_right_still(*asked.engine, first, last); };
    if (asked.cache == nullptr) {
        return count();
    }
    return *asked.cache->results<CountedShares>().memo.get({first, last, asked.engine->name()},
                                                           count);
}

double pieces_in_short_texts() {
    const std::vector<demo::HiddenText> texts = demo::hidden_texts(demo::kTrainedLength);
    std::size_t pieces = 0;
    for (const demo::HiddenText& text : std::span(texts).first(kShortTexts)) {
        pieces += text.columns.size();
    }
    return static_cast<double>(pieces);
}

// Order without positions.

/// The pieces of attention_text, and the same with those between [CLS] and the last one in the
/// opposite order.
std::array<std::vector<Index>, 2> both_orders(const Asked& asked) {
    std::vector<Index> ids = demo::demo_vocabulary().encode(asked.scene.attention_text);
    ids.pop_back();  // [SEP]: the last piece of the text is the one that looks back
    std::vector<Index> reversed = ids;
    std::reverse(reversed.begin() + 1, reversed.end() - 1);
    return {ids, reversed};
}

/// By how much the last piece's vector behind a layer changes with the order of the others: the
/// largest difference over the largest number of the vector. `layer` 0 counts the embeddings.
double change_of_last(const Asked& asked, demo::DemoModel model, std::size_t layer) {
    const EncoderFiles files = demo::demo_model(model);
    const Encoder encoder(*asked.engine, files.config, files.weights);
    std::array<std::vector<float>, 2> last;
    const auto orders = both_orders(asked);
    for (std::size_t i = 0; i < 2; ++i) {
        EncoderInput input;
        input.ids = orders[i];
        input.shape = {1, std::ssize(input.ids)};
        ForwardOptions options;
        options.rope.enabled = files.config.position == PositionEncoding::rope;
        options.trace.hidden = true;
        options.trace.logits = false;
        const Trace trace = encoder.forward(input, options);
        const auto values = trace.hidden[layer].values();
        last[i].assign(values.end() - files.config.hidden_size, values.end());
    }
    double change = 0, largest = 0;
    for (std::size_t c = 0; c < last[0].size(); ++c) {
        change = std::max(change, std::abs(double{last[0][c]} - double{last[1][c]}));
        largest = std::max(largest, std::abs(double{last[0][c]}));
    }
    return change / largest;
}

template <demo::DemoModel kModel, std::size_t kLayer>
double last_change(const Asked& asked) {
    return change_of_last(asked, kModel, kLayer);
}

constexpr std::size_t kLastLayer = 4;

/// Of all places in the held-out text.
double percent_of_places(const demo::Twin::AtLength& at, Index counted) {
    return 100 * to_double(counted) / to_double(at.count.of);
}

/// What the script counted of a twin in texts of stretch_length tokens; a twin that was measured at
/// one length alone, as one with learned positions, has that.
const demo::Twin::AtLength& counted_of(const Asked& asked, std::string_view position, bool causal,
                                       int seed) {
    const auto& counts = demo::find_twin(position, causal, seed)->held_out;
    const auto found = std::ranges::find(counts, std::stoll(asked.scene.stretch_length),
                                         &demo::Twin::AtLength::length);
    return found == counts.end() ? counts.front() : *found;
}

constexpr int kOtherSeed = 1;
static_assert(demo::kShippedSeed != kOtherSeed);

constexpr std::array<std::string_view, 6> kTwinPositions = {"none",    "rope", "alibi",
                                                            "learned", "t5",   "partial"};

template <std::size_t kPosition, bool kCausal, int kSeed>
double percent_right(const Asked& asked) {
    const demo::Twin::AtLength& at = counted_of(asked, kTwinPositions[kPosition], kCausal, kSeed);
    return percent_of_places(at, at.count.right);
}

template <std::size_t kPosition, int kSeed>
double percent_ended(const Asked& asked) {
    const demo::Twin::AtLength& at = counted_of(asked, kTwinPositions[kPosition], true, kSeed);
    return percent_of_places(at, at.ended);
}

std::vector<NumberQuantity> order_quantities() {
    using demo::DemoModel;
    return {
        {"last_change_encoder",
         "change of the last piece's vector, relative to it, if the pieces of attention_text "
         "before "
         "it stand in the opposite order: the encoder without positions",
         last_change<DemoModel::no_position, kLastLayer>},
        {"last_change_rope", "the same of the RoFormer with RoPE",
         last_change<DemoModel::rope, kLastLayer>},
        {"last_change_decoder", "the same of the decoder without positions",
         last_change<DemoModel::decoder, kLastLayer>},
        {"last_change_decoder_one_layer", "the same behind its first layer",
         last_change<DemoModel::decoder, 1>},
        {"right_decoder",
         "percent of the next pieces that the decoder without positions names rightly, in texts of "
         "stretch_length tokens",
         percent_right<0, true, demo::kShippedSeed>},
        {"right_decoder_other", "the same of another training, which differs in its seed alone",
         percent_right<0, true, kOtherSeed>},
        {"right_decoder_rope", "the same of a decoder with RoPE",
         percent_right<1, true, demo::kShippedSeed>},
        {"right_decoder_rope_other", "the same of another training of it",
         percent_right<1, true, kOtherSeed>},
        {"right_decoder_alibi", "the same of a decoder with ALiBi",
         percent_right<2, true, demo::kShippedSeed>},
        {"right_decoder_alibi_other", "the same of another training of it",
         percent_right<2, true, kOtherSeed>},
        {"right_decoder_learned",
         "the same of a decoder with learned positions, which has no others than those of its "
         "training",
         percent_right<3, true, demo::kShippedSeed>},
        {"ended_decoder",
         "percent of the places in texts of stretch_length tokens where the decoder without "
         "positions holds the end of the text for likelier than each piece",
         percent_ended<0, demo::kShippedSeed>},
        {"ended_decoder_rope", "the same of the decoder with RoPE",
         percent_ended<1, demo::kShippedSeed>},
        {"ended_decoder_rope_other", "the same of another training of it",
         percent_ended<1, kOtherSeed>},
        {"ended_decoder_alibi", "the same of the decoder with ALiBi",
         percent_ended<2, demo::kShippedSeed>},
        {"right_alibi",
         "percent of the hidden pieces that an encoder with ALiBi names rightly, in texts of "
         "stretch_length tokens",
         percent_right<2, false, demo::kShippedSeed>},
        {"right_alibi_other", "the same of another training of it",
         percent_right<2, false, kOtherSeed>},
        {"right_t5", "the same with T5's bias", percent_right<4, false, demo::kShippedSeed>},
        {"right_t5_other", "the same of another training of it",
         percent_right<4, false, kOtherSeed>},
        {"right_partial", "the same with RoPE on a quarter of each head",
         percent_right<5, false, demo::kShippedSeed>},
        {"right_partial_other", "the same of another training of it",
         percent_right<5, false, kOtherSeed>},
        {"right_learned",
         "the same with learned positions, which has no others than those of its training",
         percent_right<3, false, demo::kShippedSeed>},
        {"right_rope_other",
         "the same with RoPE on the whole head, of another training than that in the box, which "
         "was measured at the length of the training alone",
         percent_right<1, false, kOtherSeed>},
    };
}

// Other encodings.

double head_slope(const Asked& asked) {
    const EncoderConfig config = demo::demo_config(demo::DemoModel::rope);
    const auto head = std::min(asked.scene.attention_head, config.n_heads - 1);
    return alibi_slopes(config.n_heads)[static_cast<std::size_t>(head)];
}

Index asked_distance(const Asked& asked) {
    return asked.scene.key_position - asked.scene.query_position;
}

// Caches.

figures::CacheState cache_state(const Asked& asked) {
    return figures::make_cache_state(asked.scene);
}

template <int kModel>
double cached_by(const Asked&) {
    return to_double(figures::cached_models()[kModel].bytes());
}

template <double figures::ShiftError::*kError>
double most_error(const Asked& asked) {
    const figures::CacheState state = cache_state(asked);
    double most = 0;
    for (const figures::ShiftError& at : state.errors) {
        most = std::max(most, at.*kError);
    }
    return most;
}

/// Percent of the probability that each head of the decoder with RoPE gives to the first token, of
/// the training with the seed of those in the box.
std::vector<double> first_token_percents() {
    std::vector<double> percents;
    for (const auto& layer :
         demo::find_twin("rope", true, demo::kShippedSeed)->first_token_shares) {
        for (const double share : layer) {
            percents.push_back(100 * share);
        }
    }
    return percents;
}

std::vector<NumberQuantity> sink_quantities() {
    return {
        {"first_token_evenly",
         "percent of the probability that the first token would get if the queries that were "
         "measured in the trained decoders looked at all tokens alike",
         [](const Asked&) { return 100 * figures::even_first_share(); }},
        {"first_token_most",
         "the largest percent that the first token gets from a head of the trained decoder with "
         "RoPE",
         [](const Asked&) { return std::ranges::max(first_token_percents()); }},
        {"heads_of_decoder", "heads of the trained decoder with RoPE in all its layers",
         [](const Asked&) { return to_double(std::ssize(first_token_percents())); }},
        {"heads_with_a_sink",
         "those of these heads that give the first token more than ten times its even share",
         [](const Asked&) {
             return to_double(static_cast<Index>(std::ranges::count_if(
                 first_token_percents(),
                 [](double percent) { return percent > 10 * 100 * figures::even_first_share(); })));
         }},
    };
}

std::vector<NumberQuantity> cache_quantities() {
    return {
        {"cache_heads", "heads that have keys, for eight that have queries",
         [](const Asked& asked) { return to_double(cache_state(asked).key_heads); }},
        {"cache_kept", "tokens that the cache keeps",
         [](const Asked& asked) { return to_double(cache_state(asked).kept()); }},
        {"cache_bytes", "bytes of the cache's keys and values in a layer",
         [](const Asked& asked) { return to_double(cache_state(asked).bytes()); }},
        {"cache_all_bytes", "the same with all tokens and a key head for each query head",
         [](const Asked& asked) { return to_double(cache_state(asked).all_bytes()); }},
        {"cache_turning",
         "multiplications and additions that turn keys of a layer when a token is read",
         [](const Asked& asked) { return to_double(cache_state(asked).turning()); }},
        {"cache_moving",
         "multiplications and additions that move the stored keys of a layer by cache_shift",
         [](const Asked& asked) { return to_double(cache_state(asked).moving()); }},
        {"moved_key_error_fp32",
         "largest error, over its places, of a stored key that moves by cache_shift: the root mean "
         "square over pairs of length 1, in fp32",
         most_error<&figures::ShiftError::fp32>},
        {"moved_key_error_bf16", "the same in bf16", most_error<&figures::ShiftError::bf16>},
        {"moved_key_error_of_speeds", "the same if the speeds have changed since it was stored",
         most_error<&figures::ShiftError::other_speeds>},
        {"cached_llama_2_7b", "bytes of the cache for a token, of Llama 2 with 7 billion weights",
         cached_by<0>},
        {"cached_llama_3_8b", "the same of Llama 3 with 8 billion", cached_by<1>},
        {"cached_deepseek_v3", "the same of DeepSeek-V3", cached_by<3>},
        {"unpacked_deepseek_v3", "the same if DeepSeek-V3 kept keys and values of every head",
         cached_by<4>},
    };
}

}  // namespace

std::vector<NumberQuantity> twin_quantities() {
    std::vector<NumberQuantity> all = {
        {"finishing_pairs",
         "pairs of the model in the box that finish a turn within a text of the training",
         [](const Asked&) { return to_double(fast_pairs()); }},
        {"pieces_in_short_texts", "hidden pieces of the first sixteen texts of the trained length",
         [](const Asked&) { return pieces_in_short_texts(); }},
        {"right_in_short_texts",
         "percent that the model in the box names rightly in the first sixteen texts of the "
         "trained length",
         [](const Asked& asked) { return percent_right_still(asked, 0, 0); }},
        {"right_with_slow_pairs_still",
         "the same with the pairs standing still that finish no turn",
         [](const Asked& asked) {
             return percent_right_still(asked, fast_pairs(), trained_spectrum().pairs());
         }},
        {"right_with_fast_pairs_still", "the same with the other pairs standing still",
         [](const Asked& asked) { return percent_right_still(asked, 0, fast_pairs()); }},
        {"alibi_slope",
         "slope of ALiBi for attention_head, of the four heads of the model in the box",
         head_slope},
        {"t5_range", "number of T5's range for the distance from query_position to key_position",
         [](const Asked& asked) { return to_double(t5_bucket(asked_distance(asked), false)); }},
        {"t5_ranges", "ranges of distances for which T5 learns a number",
         [](const Asked&) { return to_double(kT5Buckets); }},
    };
    for (const auto& part : {order_quantities(), sink_quantities(), cache_quantities()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

}  // namespace ropescope::lessons
