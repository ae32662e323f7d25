// Runs forward passes of the attention view's encoder and makes a map of each head.
#include "app/figures/encoder/passes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "core/analysis/turns.h"
#include "core/base/index.h"
#include "core/base/memo.h"

namespace ropescope::figures {
namespace {

/// Cells of all heads' maps together, and of one: a side of 256 for 16 heads.
constexpr Index kMostCells = 1 << 20;
constexpr Index kLongestMapSide = 256, kShortestMapSide = 32;

/// Logits of a pass, together. More take more memory than a prediction is worth.
constexpr Index kMostLogits = 1 << 26;

struct KnownPasses {
    Memo<PassKey, AttentionPass> memo{6};
};

/// A side of every map, so that all of them together stay below kMostCells.
Index most_cells(const EncoderConfig& config) {
    const double heads = to_double(config.n_layers * config.n_heads);
    return std::clamp(floor_to_index(std::sqrt(to_double(kMostCells) / heads)), kShortestMapSide,
                      kLongestMapSide);
}

EncoderInput input_of(const Scene& scene, const Tokens& tokens, const EncoderConfig& config) {
    const Index count = tokens.count(), seen = tokens.seen(scene.attention_padding);
    EncoderInput input;
    input.shape = {1, count};
    input.ids = tokens.ids;
    if (seen < count) {
        std::vector<std::int64_t> keep(tokens.ids.size(), 0);
        std::fill_n(keep.begin(), seen, 1);
        input.mask =
            make_attention_mask(make_tensor("mask", {count}, std::span(keep)).view(), 1, count);
    }
    if (config.type_vocab_size > 1 && scene.attention_segment > 0) {
        input.type_ids.assign(tokens.ids.size(), 1);
        std::fill_n(input.type_ids.begin(), std::min(scene.attention_segment, count), 0);
    }
    return input;
}

Layout other_than(Layout layout) {
    return layout == Layout::interleaved ? Layout::half_split : Layout::interleaved;
}

Spectrum held_still(StillPairs still, const AttentionModel& model) {
    Spectrum spectrum = make_spectrum(model.config.rope());
    const Index fast = finishing_pairs(spectrum, model.trained_length), all = spectrum.pairs();
    return still == StillPairs::fast ? with_still_pairs(std::move(spectrum), 0, fast)
                                     : with_still_pairs(std::move(spectrum), fast, all);
}

EncoderRope rope_of(const std::optional<PassRotation>& rotation, const AttentionModel& model) {
    EncoderRope rope;
    rope.enabled = rotation.has_value() && model.has_rope;
    if (rope.enabled) {
        rope.table_dtype = rotation->table;
        rope.shift = rotation->shift;
        if (rotation->other_layout) {
            rope.layout = other_than(model.config.rope().layout);
        }
        if (rotation->still != StillPairs::none) {
            rope.spectrum = held_still(rotation->still, model);
        }
    }
    return rope;
}

}  // namespace

PassKey pass_key(const Scene& scene, EngineKind engine) {
    return {.engine = engine,
            .model = model_key(scene),
            .text = scene.attention_text,
            .masked = scene.attention_masked,
            .tokens = scene.attention_tokens,
            .padding = scene.attention_padding,
            .segment = scene.attention_segment,
            .rotation = PassRotation{scene.attention_table, scene.attention_shift}};
}

PassKey PassKey::compared(AttentionCompare with) const {
    PassKey key = *this;
    switch (with) {
        case AttentionCompare::none:
            return key;
        case AttentionCompare::reversed:
            return with_words_reversed();
        case AttentionCompare::other_layout:
            key.rotation->other_layout = true;
            return key;
        case AttentionCompare::fast_still:
            key.rotation->still = StillPairs::fast;
            return key;
        case AttentionCompare::slow_still:
            key.rotation->still = StillPairs::slow;
            return key;
        case AttentionCompare::no_position:
            key.model.source = AttentionSource::no_position;
            break;
        case AttentionCompare::rope_off:
            break;
    }
    return key.without_rope();
}

Index query_step(Index tokens) {
    constexpr Index kMostQueries = 1024;
    return (tokens + kMostQueries - 1) / kMostQueries;
}

PassRunner::Read PassRunner::read_of(const Scene& scene, const Tokens& tokens,
                                     const EncoderConfig& config) {
    const Index seen = tokens.seen(scene.attention_padding);
    return {input_of(scene, tokens, config), role_tokens(tokens, seen),
            masked_positions(tokens, seen)};
}

PassRunner::PassRunner(const Scene& scene, const BothOrders& tokens, const EncoderConfig& config,
                       Engine& engine, const Work& work, const std::vector<PassKey>& planned)
    : scene_(scene),
      engine_(engine),
      work_(work),
      own_(read_of(scene, tokens.own, config)),
      reversed_(read_of(scene, tokens.reversed, config)),
      detail_{most_cells(config), query_step(tokens.own.count()),
              tokens.own.seen(scene.attention_padding)} {
    for (const PassKey& key : planned) {
        if (auto pass = work.cache->results<KnownPasses>().memo.find(key)) {
            known_.emplace_back(key, std::move(pass));
        } else {
            ++missing_;
        }
    }
}

std::shared_ptr<const AttentionPass> PassRunner::run(const PassKey& key) {
    for (const auto& [known, pass] : known_) {
        if (known == key) {
            return pass;
        }
    }
    return work_.cache->results<KnownPasses>().memo.get(key, [&] { return compute(key); });
}

ForwardOptions PassRunner::options_of(const PassKey& key, const AttentionModel& model) const {
    const Read& read = read_by(key);
    const Index logits = read.input.shape.positions * model.config.vocab_size;
    ForwardOptions options;
    options.rope = rope_of(key.rotation, model);
    options.trace = {
        .q_and_k = true,
        .log_sums = true,
        .logits = !read.masked.empty() && model.config.has_head && logits <= kMostLogits};
    return options;
}

void PassRunner::add_head(AttentionPass& pass, const LayerTrace& layer, Index head,
                          const RoleTokens& roles) const {
    pass.maps.push_back(head_map(layer, head, detail_));
    if (const HeadMap& map = pass.maps.back(); map.block == 1) {
        pass.roles.push_back(role_shares(map.probs, roles));
    }
}

AttentionPass PassRunner::compute(const PassKey& key) {
    constexpr double kForward = 0.9;  // of a pass; the maps are the rest
    const double before = done_++;
    const auto tell = [&](double done) { work_.tell(kShare * (before + done) / missing_); };
    Scene scene = scene_;
    scene.attention_source = key.model.source;  // a twin's pass is of another model
    const auto model = attention_model(scene, *work_.cache);
    const Encoder& encoder = loaded_encoder(scene, *model, engine_, *work_.cache);
    const Read& read = read_by(key);
    ForwardOptions options = options_of(key, *model);
    options.progress = [&](double done) {
        tell(kForward * done);
        return !work_.stop.stop_requested();
    };
    const auto began = std::chrono::steady_clock::now();
    const Trace trace = encoder.forward(read.input, options);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    AttentionPass pass;
    pass.engine_seconds = passed.count();
    if (trace.logits) {
        pass.predictions = predictions_at(read.masked, trace.logits);
    }
    const EncoderConfig& config = model->config;
    const double heads = to_double(config.n_layers * config.n_heads);
    for (const LayerTrace& layer : trace.layers) {
        for (Index head = 0; head < config.n_heads; ++head) {
            stop_if_requested(work_.stop);
            add_head(pass, layer, head, read.roles);
            tell(kForward + (1 - kForward) * to_double(std::ssize(pass.maps)) / heads);
        }
        if (key.rotation || detail_.query_step == 1) {
            pass.layers.push_back(with_every_nth_query(layer, detail_.query_step));
        }
    }
    return pass;
}

void stop_if_requested(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        throw ForwardCancelled();
    }
}

}  // namespace ropescope::figures
