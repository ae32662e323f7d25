// Writes what `ropescope inspect` found as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/inspect.h"
#include "core/formats/rope_scaling.h"
#include "core/formats/schemes/scheme_facts.h"
#include "core/rope/spectrum.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json wavelengths_json(const Spectrum& spectrum) {
    Json list = Json::array();
    for (int pair = 0; pair < spectrum.pairs(); ++pair) {
        const double wavelength = spectrum.wavelength_positions(pair);
        // A pair that never turns has an infinite wavelength, which JSON cannot write.
        list.push_back(std::isfinite(wavelength) ? Json(wavelength) : Json(nullptr));
    }
    return list;
}

Json count_json(std::int64_t count) {
    return count == 0 ? Json(nullptr) : Json(count);
}

Json file_json(const TensorFile& file) {
    Json json{{"file", file.path},     {"format", file.format},     {"count", file.count()},
              {"bytes", file.bytes()}, {"metadata", file.metadata}, {"tensors", Json::array()}};
    for (const TensorInfo& tensor : file.tensors) {
        json["tensors"].push_back({{"name", tensor.name},
                                   {"dtype", std::string(to_string(tensor.dtype))},
                                   {"shape", tensor.shape},
                                   {"bytes", tensor.bytes}});
    }
    return json;
}

/// The facts of one RopeSpec; the wavelengths in positions.
Json rope_json(const RopeSpec& rope) {
    const Spectrum spectrum = make_spectrum(rope);
    return {{"head_dim", rope.head_dim},
            {"rotary_dim", rope.rotary_dim},
            {"base", rope.base},
            {"layout", std::string(to_string(rope.layout))},
            {"scaling", scaling_json(rope.scaling, "type")},
            {"attention_factor", spectrum.attention_factor},
            {"softmax_scale_factor", spectrum.softmax_scale_factor},
            {"seq_len", count_json(rope.seq_len)},
            {"inv_freq", spectrum.inv_freq_rad},
            {"wavelengths", wavelengths_json(spectrum)}};
}

Json model_json(const ModelConfig& model) {
    const bool known = model.confidence == Confidence::known;
    Json json{{"confidence", known ? "known" : "inferred"},
              {"title", model.title},
              {"model_type", model.model_type}};
    json.update(rope_json(model.rope));
    json["max_position_embeddings"] = count_json(model.max_positions);
    json["num_hidden_layers"] = count_json(model.n_layers);
    json["num_attention_heads"] = count_json(model.n_heads);
    json["num_key_value_heads"] = count_json(model.n_kv_heads);
    if (!model.layer_ropes.empty()) {
        json["layer_types"] = Json::object();
    }
    for (const LayerRope& layer : model.layer_ropes) {
        Json& entry = json["layer_types"][layer.layer_type];
        entry["layers"] = count_json(layer.layers);
        entry.update(rope_json(layer.rope));
    }
    json["assumptions"] = model.assumptions;
    return json;
}

/// [pairs][axes].
Json omega_json(const Spectrum& head) {
    Json rows = Json::array();
    for (Index i = 0; i < head.pairs(); ++i) {
        const auto omega_rad = head.omega_rad(i);
        rows.push_back(std::vector<double>(omega_rad.begin(), omega_rad.end()));
    }
    return rows;
}

/// [heads][pairs][axes] if heads differ.
Json omega_json(const RotaryScheme& scheme) {
    if (scheme.heads.size() == 1) {
        return omega_json(scheme.heads.front());
    }
    Json heads = Json::array();
    for (const Spectrum& head : scheme.heads) {
        heads.push_back(omega_json(head));
    }
    return heads;
}

Json pairs_json(const RotaryScheme& scheme) {
    Json rows = Json::array();
    for (const ChannelPair& pair : scheme.pairs) {
        rows.push_back({pair.first, pair.second});
    }
    return rows;
}

/// A part that turns in several axes.
Json scheme_json(const Part& part) {
    const RotaryScheme& scheme = part.scheme;
    const SchemeFacts& facts = scheme_facts(scheme.id);
    return {{"part", part.kind},
            {"scheme", scheme.id},
            {"used_by", std::string(facts.title)},
            {"source", std::string(facts.source)},
            {"head_dim", scheme.head_dim},
            {"rotary_dim", 2 * scheme.pair_count()},
            {"layout", std::string(layout_name(scheme.pairs))},
            {"attention_factor", scheme.heads.front().attention_factor},
            {"softmax_scale_factor", scheme.heads.front().softmax_scale_factor},
            {"axes", scheme.axes},
            {"omega", omega_json(scheme)},
            {"pairs", pairs_json(scheme)},
            {"turns", describe_turning(scheme)},
            {"positions", describe_positions(scheme)},
            {"assumptions", part.assumptions}};
}

/// The part that is shown, with what is known about the language model if it is that part.
Json shown_json(const Inspected& inspected) {
    const std::optional<ModelConfig>& model = inspected.model.text;
    if (!inspected.part || inspected.part->axes() == 1) {
        return model ? model_json(*model) : Json::object();
    }
    const bool is_text = model && inspected.part->kind == "text";
    Json json = is_text ? model_json(*model) : Json::object();
    json.erase("inv_freq");
    json.erase("wavelengths");
    json.update(scheme_json(*inspected.part));
    return json;
}

/// The numbers that the checkpoint of a model stores; a tied tensor is stored once.
Json parameters_json(const std::vector<TensorFile>& files) {
    Json rows = Json::array();
    std::int64_t total = 0;
    for (const TensorFile& file : files) {
        for (const TensorInfo& tensor : file.tensors) {
            rows.push_back(
                {{"name", tensor.name}, {"shape", tensor.shape}, {"count", count_of(tensor)}});
        }
        total += file.count();
    }
    return {{"total", total}, {"rows", std::move(rows)}};
}

/// The modules of an encoder; null for a module without an output or without its own parameters.
Json parameters_json(const ParameterTable& table) {
    Json rows = Json::array();
    for (const ParameterRow& row : table.rows) {
        rows.push_back(
            {{"name", row.layer},
             {"shape", row.output_shape.empty() ? Json(nullptr) : Json(row.output_shape)},
             {"count", row.parameters ? Json(*row.parameters) : Json(nullptr)}});
    }
    return {{"total", table.total}, {"rows", std::move(rows)}};
}

}  // namespace

Json inspection_json(const Inspected& inspected) {
    const std::vector<TensorFile>& files = inspected.model.files;
    const std::optional<ModelConfig>& model = inspected.model.text;
    if (files.size() == 1 && !model) {
        return file_json(files.front());
    }
    Json json = shown_json(inspected);
    if (const std::vector<Part> kinds = inspected.model.kinds(); kinds.size() > 1) {
        for (const Part& part : kinds) {
            json["parts"].push_back(part.kind);
        }
    }
    if (inspected.encoder) {
        json["parameters"] = parameters_json(*inspected.encoder);
    } else if (!files.empty()) {
        json["parameters"] = parameters_json(files);
    }
    if (!inspected.no_encoder_reason.empty()) {
        json["misfit"] = inspected.no_encoder_reason;
    }
    for (const TensorFile& file : files) {
        json["files"].push_back(file_json(file));
    }
    return json;
}

}  // namespace ropescope::cli
