// Changes right position ids, and the models that faulty rotations are tried with.
#include <algorithm>

#include "tests/support/planted_rotations.h"

namespace ropescope::test {
namespace {

/// One of the three ids of a token.
std::int64_t& id_at(MultimodalIds& ids, Index axis, Index b, Index l) {
    return ids.ids[static_cast<std::size_t>((axis * ids.batch + b) * ids.length + l)];
}

template <typename Change>
void for_all(MultimodalIds& ids, Change change) {
    for (Index b = 0; b < ids.batch; ++b) {
        for (Index l = 0; l < ids.length; ++l) {
            change(b, l);
        }
    }
}

void exchange(MultimodalIds& ids, Index one, Index other) {
    for_all(ids,
            [&](Index b, Index l) { std::swap(id_at(ids, one, b, l), id_at(ids, other, b, l)); });
}

}  // namespace

const std::vector<IdMutant>& id_mutants() {
    static const std::vector<IdMutant> kAll = {
        {"height and width exchanged",
         {"ids.axes_swapped"},
         {"axes_swapped"},
         {},
         [](MultimodalIds& ids) { exchange(ids, 1, 2); }},
        {"the axes in reverse order",
         {"ids.axes_order"},
         {"axes_order"},
         {},
         [](MultimodalIds& ids) { exchange(ids, 0, 2); }},
        {"slots in place of positions",
         {"ids.text_positions", "ids.counted_by_tokens"},
         {"text_positions", "counted_by_tokens"},
         {},
         [](MultimodalIds& ids) {
             for_all(ids, [&](Index b, Index l) {
                 for (Index a = 0; a < 3; ++a) {
                     id_at(ids, a, b, l) = l;
                 }
             });
             std::ranges::fill(ids.deltas, 0);
         }},
        {"every id one higher",
         {"ids.one_based"},
         {"one_based"},
         {},
         [](MultimodalIds& ids) {
             for (std::int64_t& id : ids.ids) {
                 ++id;
             }
         }},
        {"the first row for all",
         {"ids.rows_repeated"},
         {"rows_repeated"},
         {},
         [](MultimodalIds& ids) {
             for_all(ids, [&](Index b, Index l) {
                 for (Index a = 0; a < 3; ++a) {
                     id_at(ids, a, b, l) = id_at(ids, a, 0, l);
                 }
             });
         }},
        {"the id of time for all",
         {},
         {"axes_swapped", "column_order"},
         "ids without rows and columns are not among the wrong answers of every layout",
         [](MultimodalIds& ids) {
             for_all(ids, [&](Index b, Index l) {
                 id_at(ids, 1, b, l) = id_at(ids, 2, b, l) = id_at(ids, 0, b, l);
             });
         }},
        {"deltas are 0",
         {"ids.delta_lost"},
         {"delta_lost", "other_version"},
         {},
         [](MultimodalIds& ids) { std::ranges::fill(ids.deltas, 0); }},
        {"rows and columns counted from the other end",
         {},
         {"axes_swapped", "column_order"},
         "a grid that is counted backwards is not among the wrong answers",
         [](MultimodalIds& ids) {
             for (Index b = 0; b < ids.batch; ++b) {
                 for (const Index a : {Index{1}, Index{2}}) {
                     std::int64_t most = 0;
                     for (Index l = 0; l < ids.length; ++l) {
                         most = std::max(most, id_at(ids, a, b, l));
                     }
                     for (Index l = 0; l < ids.length; ++l) {
                         id_at(ids, a, b, l) = most - id_at(ids, a, b, l);
                     }
                 }
             }
         }},
    };
    return kAll;
}

std::vector<Tensor> answers_of(const vectors::Pack& pack, const IdMutant& mutant, bool& differs) {
    std::vector<Tensor> answers;
    for (const vectors::PositionCase& made : pack.positions) {
        MultimodalIds ids = made.expected;
        mutant.change(ids);
        differs = differs || ids.ids != made.expected.ids || ids.deltas != made.expected.deltas;
        answers.push_back(make_tensor(made.id, {3, ids.batch, ids.length},
                                      std::span<const std::int64_t>(ids.ids)));
        if (!ids.deltas.empty()) {
            answers.push_back(make_tensor(made.id + "/deltas", {std::ssize(ids.deltas)},
                                          std::span<const std::int64_t>(ids.deltas)));
        }
    }
    return answers;
}

std::vector<NamedConfig> configs_for_vectors() {
    return {
        {"llama, head_dim 64",
         R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8})"},
        {"llama, head_dim 80, base 500000",
         R"({"model_type": "llama", "hidden_size": 640, "num_attention_heads": 8,
             "rope_theta": 500000.0, "max_position_embeddings": 131072})"},
        {"llama, head_dim 128, linear",
         R"({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 8,
             "rope_scaling": {"rope_type": "linear", "factor": 4.0}})"},
        {"llama, head_dim 96, dynamic",
         R"({"model_type": "llama", "hidden_size": 768, "num_attention_heads": 8,
             "max_position_embeddings": 4096,
             "rope_scaling": {"rope_type": "dynamic", "factor": 4.0}})"},
        {"llama, Llama 3's scaling",
         R"({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 8,
             "rope_theta": 500000.0, "max_position_embeddings": 131072,
             "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                              "high_freq_factor": 4.0,
                              "original_max_position_embeddings": 8192}})"},
        {"qwen2, YaRN",
         R"({"model_type": "qwen2", "hidden_size": 1024, "num_attention_heads": 8,
             "rope_theta": 1000000.0, "max_position_embeddings": 131072,
             "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                              "original_max_position_embeddings": 32768}})"},
        {"phi3, LongRoPE",
         R"({"model_type": "phi3", "hidden_size": 128, "num_attention_heads": 8,
             "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
             "rope_scaling": {"rope_type": "longrope",
                              "short_factor": [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7],
                              "long_factor": [1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0, 48.0]}})"},
        {"gpt_neox, a quarter of 64",
         R"({"model_type": "gpt_neox", "hidden_size": 512, "num_attention_heads": 8,
             "rotary_pct": 0.25, "rotary_emb_base": 10000})"},
        {"phi, 32 of 80",
         R"({"model_type": "phi", "hidden_size": 640, "num_attention_heads": 8,
             "partial_rotary_factor": 0.4, "rope_theta": 10000.0})"},
        {"cohere, neighbours, base 4000000",
         R"({"model_type": "cohere", "hidden_size": 1024, "num_attention_heads": 8,
             "rope_theta": 4000000.0, "max_position_embeddings": 131072})"},
        {"gptj, neighbours, 64 of 256",
         R"({"model_type": "gptj", "n_embd": 2048, "n_head": 8, "rotary_dim": 64})"},
        {"gemma, head_dim 256",
         R"({"model_type": "gemma", "hidden_size": 2048, "num_attention_heads": 8,
             "head_dim": 256})"},
        {"qwen2_vl, sections",
         R"({"model_type": "qwen2_vl", "hidden_size": 1024, "num_attention_heads": 8,
             "rope_theta": 1000000.0,
             "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})"},
        {"qwen3_vl, axes by turns",
         R"({"model_type": "qwen3_vl_text", "hidden_size": 1024, "num_attention_heads": 8,
             "head_dim": 128, "rope_theta": 5000000.0,
             "rope_scaling": {"mrope_section": [24, 20, 20], "mrope_interleaved": true}})"},
        {"flux, three bands",
         R"({"_class_name": "FluxTransformer2DModel", "attention_head_dim": 128,
             "axes_dims_rope": [16, 56, 56]})"},
        {"dinov3, head_dim 64",
         R"({"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6})"},
    };
}

}  // namespace ropescope::test
