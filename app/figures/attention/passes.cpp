// Runs forward passes of the attention view's encoder and makes a map of each head.
#include "app/figures/attention/passes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "core/base/index.h"
#include "core/base/memo.h"

namespace ropescope::figures {
namespace {

/// Cells of all heads' maps together, and of one: a side of 256 for 16 heads.
constexpr Index kMostCells = 1 << 20;
constexpr Index kLongestSide = 256, kShortestSide = 32;

struct KnownPasses {
    Memo<PassKey, AttentionPass> memo{4};
};

/// A side of every map, so that all of them together stay below kMostCells.
Index most_cells(const EncoderConfig& config) {
    const double heads = to_double(config.n_layers * config.n_heads);
    return std::clamp(floor_to_index(std::sqrt(to_double(kMostCells) / heads)), kShortestSide,
                      kLongestSide);
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

EncoderRope rope_of(const std::optional<PassRotation>& rotation) {
    EncoderRope rope;
    rope.enabled = rotation.has_value();
    if (rotation) {
        rope.table_dtype = rotation->table;
        rope.shift = rotation->shift;
    }
    return rope;
}

}  // namespace

PassKey pass_key(const Scene& scene, EngineKind engine) {
    return {.engine = engine,
            .model = model_key(scene),
            .text = scene.attention_text,
            .tokens = scene.attention_tokens,
            .padding = scene.attention_padding,
            .segment = scene.attention_segment,
            .rotation = PassRotation{scene.attention_table, scene.attention_shift}};
}

Index query_step(Index tokens) {
    constexpr Index kMostQueries = 1024;
    return (tokens + kMostQueries - 1) / kMostQueries;
}

PassRunner::PassRunner(const Scene& scene, const Tokens& tokens, const Encoder& encoder,
                       const Work& work, const std::vector<PassKey>& planned)
    : encoder_(encoder),
      work_(work),
      input_(input_of(scene, tokens, encoder.config())),
      detail_{most_cells(encoder.config()), query_step(tokens.count()),
              tokens.seen(scene.attention_padding)} {
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
    return work_.cache->results<KnownPasses>().memo.get(key, [&] { return compute(key.rotation); });
}

AttentionPass PassRunner::compute(const std::optional<PassRotation>& rotation) {
    constexpr double kForward = 0.9;  // of a pass; the maps are the rest
    const double before = done_++;
    const auto tell = [&](double done) { work_.tell(kShare * (before + done) / missing_); };
    ForwardOptions options;
    options.rope = rope_of(rotation);
    options.trace = {.q_and_k = true, .log_sums = true, .logits = false};
    options.progress = [&](double done) {
        tell(kForward * done);
        return !work_.stop.stop_requested();
    };
    const auto began = std::chrono::steady_clock::now();
    const Trace trace = encoder_.forward(input_, options);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    AttentionPass pass;
    pass.engine_seconds = passed.count();
    const EncoderConfig& config = encoder_.config();
    const double heads = to_double(config.n_layers * config.n_heads);
    for (const LayerTrace& layer : trace.layers) {
        for (Index head = 0; head < config.n_heads; ++head) {
            stop_if_requested(work_.stop);
            pass.maps.push_back(head_map(layer, head, detail_));
            tell(kForward + (1 - kForward) * to_double(std::ssize(pass.maps)) / heads);
        }
        if (rotation || detail_.query_step == 1) {
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
