// Writes what `ropescope inspect` found, as JSON and as text.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/inspect.h"
#include "app/cli/inspect_context.h"
#include "app/cli/inspect_sizes.h"
#include "app/figures/shared/text.h"
#include "core/base/characters.h"
#include "core/base/record.h"
#include "core/formats/rope_scaling.h"
#include "core/formats/scaling_words.h"
#include "core/formats/schemes/scheme_facts.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string whole(std::int64_t value) {
    return fmt::format("{}", value);
}

/// At most 32 of the pairs, evenly chosen, with the first and the last; if some are left out, a
/// line says so.
std::string pair_table(const Records& pairs) {
    constexpr Index kMostRows = 32;
    Records shown;
    for (const Index pair : figures::evenly_chosen(std::ssize(pairs), kMostRows)) {
        shown.push_back(pairs[pair]);
    }
    return text_of(shown) + (shown.size() == pairs.size()
                                 ? ""
                                 : fmt::format("{} of {} pairs; --format json has all\n",
                                               shown.size(), pairs.size()));
}

std::string layout_text(const RopeSpec& rope) {
    return rope.layout == Layout::interleaved
               ? "interleaved: channels 2i and 2i + 1 turn together"
               : fmt::format("half_split: channels i and i + {} turn together", rope.pairs());
}

/// A layout that no key states and no known family fixes is no fact.
Record with_layout_of(Record record, const ModelConfig& model) {
    for (Entry& entry : record) {
        if (model.layout_is_assumed && entry.key == "layout") {
            entry.text = fmt::format("unknown, assumed to be {}", entry.text);
        }
        if ((model.base_is_assumed && entry.key == "base") ||
            (model.width_is_assumed && entry.key == "rotary_dim")) {
            entry.text += ", assumed: no key states it";
        }
    }
    return record;
}

/// "yarn: factor 40, original_max_position_embeddings 4096, ..."; of a list, its first and last
/// number.
std::string scaling_text(const Scaling& scaling) {
    std::string text;
    const nlohmann::ordered_json keys = scaling_json(scaling);
    for (const auto& [key, value] : keys.items()) {
        if (key == "rope_type") {
            text = scaling_type_text(keys);
        } else if (value.is_array()) {
            text += fmt::format(", {} {}", key, list_text(value));
        } else if (value.is_number_float()) {
            text += fmt::format(", {} {:.6g}", key, value.get<double>());
        } else {
            text += fmt::format(", {} {}", key, value.dump());
        }
    }
    return text;
}

std::string rotary_text(const RopeSpec& rope) {
    return rope.rotary_dim == rope.head_dim
               ? fmt::format("{}, the whole head", rope.rotary_dim)
               : fmt::format("{} of {} channels; the others pass through", rope.rotary_dim,
                             rope.head_dim);
}

Record rope_record(const RopeSpec& rope) {
    const Spectrum spectrum = make_spectrum(rope);
    const double softmax = spectrum.softmax_scale_factor;
    const std::string length = rope.seq_len == 0 ? "not given" : whole(rope.seq_len);
    return {{"head_dim", "head_dim", rope.head_dim, whole(rope.head_dim)},
            {"rotary_dim", "rotary_dim", rope.rotary_dim, rotary_text(rope)},
            {"base", "base", rope.base, fmt::format("{}", rope.base)},
            {"layout", "layout", to_string(rope.layout), layout_text(rope)},
            {"scaling", "scaling", scaling_json(rope.scaling, "type"), scaling_text(rope.scaling)},
            {"attention_factor", "attention factor", spectrum.attention_factor,
             fmt::format("{:.10g} on cos and sin", spectrum.attention_factor)},
            {"softmax_scale_factor", softmax == 1.0 ? "" : "softmax scale", softmax,
             fmt::format("times {:.10g}, apart from cos and sin", softmax)},
            {"seq_len", "seq_len", stated_count(rope.seq_len),
             depends_on_seq_len(rope.scaling) ? length + "; the scaling depends on it (--seq-len N)"
                                              : length}};
}

/// Wavelengths in positions; text says how often a pair turns in a context, if it is known.
Records spectrum_rows(const RopeSpec& rope, std::int64_t context) {
    const Spectrum spectrum = make_spectrum(rope);
    Records rows;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const double inv_freq = spectrum.inv_freq_rad[pair];
        const double wavelength = spectrum.wavelength_positions(pair);
        // A pair that never turns has an infinite wavelength, which JSON cannot write.
        rows.push_back(
            {{"", "pair", {}, whole(pair)},
             {"inv_freq", "inv_freq rad/position", inv_freq, fmt::format("{:.8g}", inv_freq)},
             {"wavelengths", "wavelength positions",
              std::isfinite(wavelength) ? Json(wavelength) : Json(nullptr),
              fmt::format("{:.6g}", wavelength)}});
        if (context > 0) {
            rows.back().push_back({"",
                                   fmt::format("turns in {}", context),
                                   {},
                                   fmt::format("{:.4g}", to_double(context) / wavelength)});
        }
    }
    return rows;
}

Json rope_json(const RopeSpec& rope) {
    Json json = json_of(rope_record(rope));
    const Records spectrum = spectrum_rows(rope, 0);
    for (const char* key : {"inv_freq", "wavelengths"}) {
        json[key] = column_of(spectrum, key);
    }
    return json;
}

std::string rope_text(const RopeSpec& rope, const ModelConfig& model) {
    return text_of(with_layout_of(rope_record(rope), model)) + "\n" +
           pair_table(spectrum_rows(rope, model.max_positions));
}

Json model_json(const ModelConfig& model) {
    const bool known = model.confidence == Confidence::known;
    Json json = json_of(Record{{"confidence", "", known ? "known" : "inferred"},
                               {"title", "", model.title},
                               model_type_field(model)});
    if (model.layout_is_assumed) {
        json["layout_is_assumed"] = true;
    }
    if (model.base_is_assumed) {
        json["base_is_assumed"] = true;
    }
    if (model.width_is_assumed) {
        json["rotary_dim_is_assumed"] = true;
    }
    json.update(rope_json(model.rope));
    json.update(json_of(sizes_record(model)));
    for (const LayerRope& layer : model.layer_ropes) {
        Json& entry = json["layer_types"][layer.layer_type];
        entry["layers"] = stated_count(layer.layers);
        entry.update(rope_json(layer.rope));
    }
    json["assumptions"] = model.assumptions;
    return json;
}

std::string assumed_text(std::span<const std::string> assumptions) {
    std::string text;
    for (const std::string& assumption : assumptions) {
        text += fmt::format("assumed: {}\n", assumption);
    }
    return text;
}

std::string model_text(const ModelConfig& model) {
    const bool inferred = model.confidence == Confidence::inferred;
    // What a reader must know before any number.
    std::string text =
        (inferred ? fmt::format("INFERRED, not known: {}\n\n", model.assumptions.front()) : "") +
        model.title + "\n" + text_of(Record{model_type_field(model)}) +
        text_of(sizes_record(model));
    if (model.layer_ropes.empty()) {
        text += rope_text(model.rope, model);
    }
    for (const LayerRope& layer : model.layer_ropes) {
        const std::string count =
            layer.layers > 0 ? ", " + figures::counted(layer.layers, "layer") : "";
        text += fmt::format("\n{}{}\n", printable(layer.layer_type), count) +
                rope_text(layer.rope, model);
    }
    return text + assumed_text(std::span(model.assumptions).subspan(inferred ? 1 : 0));
}

Records tensor_rows(const TensorFile& file) {
    Records rows;
    for (const TensorInfo& tensor : file.tensors) {
        rows.push_back(
            {{"name", "tensor", tensor.name, printable(tensor.name)},
             {"dtype", "dtype", to_string(tensor.dtype), std::string(to_string(tensor.dtype))},
             {"shape", "shape", tensor.shape, shape_text(tensor.shape)},
             {"bytes", "bytes", tensor.bytes, fmt::format("{}", tensor.bytes)}});
    }
    return rows;
}

Json file_json(const TensorFile& file) {
    return {{"file", file.path},         {"format", file.format},
            {"count", file.count()},     {"bytes", file.bytes()},
            {"metadata", file.metadata}, {"tensors", json_of(tensor_rows(file))}};
}

std::string file_text(const TensorFile& file) {
    Record metadata;
    for (const auto& [key, value] : file.metadata) {
        metadata.push_back({"", printable(key, 40), {}, printable(value, 80)});
    }
    return fmt::format("{}: {}, {}, {} numbers, {} bytes\n", printable(file.path), file.format,
                       figures::counted(std::ssize(file.tensors), "tensor"),
                       figures::whole_text(file.count()), figures::whole_text(file.bytes())) +
           text_of(metadata) + text_of(tensor_rows(file));
}

/// "24,576,000"
std::string with_commas(std::int64_t count) {
    std::string text = fmt::format("{}", count);
    for (std::size_t end = text.size(); end > 3; end -= 3) {
        text.insert(end - 3, ",");
    }
    return text;
}

std::string branch(int depth) {
    std::string text;
    for (int above = 1; above < depth; ++above) {
        text += "│    ";
    }
    return depth == 0 ? text : text + (depth == 1 ? "├─" : "└─");
}

/// The modules of an encoder; null for a module without an output or without its own parameters.
Records module_rows(const ParameterTable& table) {
    Records rows;
    for (const ParameterRow& row : table.rows) {
        const bool has_output = !row.output_shape.empty();
        rows.push_back(
            {{"name", "Layer (type:depth-idx)", row.layer, branch(row.depth) + row.layer},
             {"shape", "Output Shape", has_output ? Json(row.output_shape) : Json(),
              has_output ? shape_text(row.output_shape) : "--"},
             {"count", "Param #", row.parameters ? Json(*row.parameters) : Json(),
              row.parameters ? with_commas(*row.parameters) : "--"}});
    }
    return rows;
}

Json parameters_json(const ParameterTable& table) {
    return {{"total", table.total}, {"rows", json_of(module_rows(table))}};
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

/// The table of an encoder's parameters in the form of torchinfo's summary, so that the two can be
/// compared line by line.
std::string parameters_text(const ParameterTable& table) {
    const auto line = [](const std::string& layer, const std::string& shape,
                         const std::string& count) {
        std::string text = fmt::format("{:<40} {:<25} {}", layer, shape, count);
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    };
    std::string text;
    for (const Record& row : module_rows(table)) {
        text += text.empty() ? line(row[0].label, row[1].label, row[2].label) : "";
        text += line(row[0].text, row[1].text, row[2].text);
    }
    return text + fmt::format("Total params: {}\n", with_commas(table.total));
}

/// "t 1, w 0.5": the axes that turn a pair, and how fast.
std::string omega_text(const RotaryScheme& scheme, Index pair) {
    std::vector<std::string> parts;
    const auto omega_rad = scheme.heads.front().omega_rad(pair);
    for (std::size_t a = 0; a < omega_rad.size(); ++a) {
        if (omega_rad[a] != 0.0) {
            parts.push_back(fmt::format("{} {:.8g}", scheme.axes[a], omega_rad[a]));
        }
    }
    return parts.empty() ? "does not turn" : fmt::format("{}", fmt::join(parts, ", "));
}

/// A pair's directions are those of a head; text shows the first.
Records scheme_rows(const RotaryScheme& scheme, const Spectrum& head) {
    Records rows;
    for (Index i = 0; i < scheme.pair_count(); ++i) {
        const ChannelPair& pair = scheme.pairs[i];
        const auto omega_rad = head.omega_rad(i);
        rows.push_back(
            {{"", "pair", {}, whole(i)},
             {"pairs",
              "channels",
              {pair.first, pair.second},
              fmt::format("{}, {}", pair.first, pair.second)},
             {"omega", "axis, rad/position",
              std::vector<double>(omega_rad.begin(), omega_rad.end()), omega_text(scheme, i)}});
    }
    return rows;
}

/// [pairs][axes]; [heads][pairs][axes] if heads differ.
Json omega_json(const RotaryScheme& scheme) {
    Json heads = Json::array();
    for (const Spectrum& head : scheme.heads) {
        heads.push_back(column_of(scheme_rows(scheme, head), "omega"));
    }
    return heads.size() == 1 ? heads.front() : heads;
}

/// A part that turns in several axes.
Record scheme_record(const Part& part) {
    const RotaryScheme& scheme = part.scheme;
    const SchemeFacts& facts = scheme_facts(scheme.id);
    const Spectrum& head = scheme.heads.front();
    const std::string layout(layout_name(scheme.pairs)), turns = describe_turning(scheme),
                                                         positions = describe_positions(scheme),
                                                         source(facts.source);
    return {{"part", "part", part.kind, part.kind},
            {"scheme", "scheme", scheme.id,
             scheme.id.empty() ? std::string(facts.title)
                               : fmt::format("{}: {}", scheme.id, facts.title)},
            {"used_by", "", facts.title},
            {"source", "source", source, source},
            {"head_dim", "head_dim", scheme.head_dim, whole(scheme.head_dim)},
            {"rotary_dim", "", 2 * scheme.pair_count()},
            {"layout", "layout", layout,
             part.layout_is_assumed ? fmt::format("unknown, assumed to be {}", layout) : layout},
            {"attention_factor", "", head.attention_factor},
            {"softmax_scale_factor", "", head.softmax_scale_factor},
            {"axes", "axes", scheme.axes, fmt::format("{}", fmt::join(scheme.axes, ", "))},
            {"omega", "", omega_json(scheme)},
            {"pairs", "", column_of(scheme_rows(scheme, head), "pairs")},
            {"", "positions", {}, positions},
            {"turns", "turns", turns, turns},
            {"positions", "", positions},
            {"",
             scheme.heads.size() > 1 ? "heads" : "",
             {},
             fmt::format("{} heads turn at speeds of their own; the first is shown",
                         scheme.heads.size())},
            {"assumptions", "", part.assumptions}};
}

/// A part in one axis is one base with its scaling; the axes of a text in several share one.
std::string scheme_text(const Part& part) {
    if (part.spec) {
        return text_of(Record{{"part", "part", part.kind, part.kind}}) +
               text_of(rope_record(*part.spec)) + "\n" +
               pair_table(spectrum_rows(*part.spec, part.reach)) + assumed_text(part.assumptions);
    }
    return text_of(scheme_record(part)) + "\n" +
           pair_table(scheme_rows(part.scheme, part.scheme.heads.front())) +
           assumed_text(part.assumptions);
}

/// What is known of a language model beside its axes.
std::string language_model_text(const ModelConfig& model) {
    return text_of(Record{model_type_field(model)}) + text_of(sizes_record(model)) +
           text_of(with_keys(rope_record(model.rope), {"base", "scaling", "attention_factor"}));
}

/// Whether the report is that of the language model, in one axis.
bool shows_text(const Inspected& inspected) {
    return inspected.model.text &&
           (!inspected.part || (inspected.part->axes() == 1 && inspected.part->kind == "text"));
}

/// The part that is shown, with what is known about the language model if it is that part.
Json shown_json(const Inspected& inspected) {
    const std::optional<ModelConfig>& model = inspected.model.text;
    if (!inspected.part || shows_text(inspected)) {
        return model ? model_json(*model) : Json::object();
    }
    const bool is_text = model && inspected.part->kind == "text";
    Json json = is_text ? model_json(*model) : Json::object();
    json.erase("inv_freq");
    json.erase("wavelengths");
    json["confidence"] = inspected.part->inferred.empty() ? "known" : "inferred";
    json.update(json_of(scheme_record(*inspected.part)));
    if (inspected.part->spec) {
        json.update(rope_json(*inspected.part->spec));
    }
    return json;
}

/// What a reader must know before any number.
std::string inferred_text(const Part& part) {
    return part.inferred.empty() ? "" : fmt::format("INFERRED, not known: {}\n\n", part.inferred);
}

std::string part_text(const Model& model, const Part& part) {
    if (!model.text) {
        return inferred_text(part) + scheme_text(part);
    }
    return inferred_text(part) + model.text->title + "\n" +
           (part.kind == "text" ? language_model_text(*model.text) : "") + scheme_text(part);
}

/// The part that is shown, and if none was asked for, all others that turn in several axes.
std::string parts_text(const Inspected& inspected) {
    const Model& model = inspected.model;
    const std::vector<Part> kinds = model.kinds();
    std::string text;
    if (inspected.part && !shows_text(inspected)) {
        text = part_text(model, *inspected.part);
    } else if (model.text) {
        text = model_text(*model.text);
    }
    std::vector<std::string> names;
    for (const Part& part : kinds) {
        names.push_back(part.kind);
        if (!inspected.part_asked && part.kind != inspected.part->kind && part.axes() > 1) {
            text += "\n" + part_text(model, part);
        }
    }
    if (names.size() > 1) {
        text += fmt::format("parts: {} (--part)\n", fmt::join(names, ", "));
    }
    if (!model.unread_vision.empty()) {
        text += fmt::format("no part vision: {}\n", model.unread_vision);
    }
    return text;
}

}  // namespace

Json inspection_json(const Inspected& inspected) {
    const std::vector<TensorFile>& files = inspected.model.files;
    const std::optional<ModelConfig>& model = inspected.model.text;
    if (files.size() == 1 && !model && !inspected.part) {
        return file_json(files.front());
    }
    Json json = shown_json(inspected);
    if (inspected.context) {
        add_context(json, *inspected.context);
    }
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

std::string inspection_text(const Inspected& inspected) {
    std::string text = parts_text(inspected);
    if (inspected.context) {
        text += context_text(*inspected.context);
    }
    if (inspected.encoder) {
        text += fmt::format("\n{}", parameters_text(*inspected.encoder));
    }
    if (!inspected.no_encoder_reason.empty()) {
        text += fmt::format("no encoder: {}\n", inspected.no_encoder_reason);
    }
    for (const TensorFile& file : inspected.model.files) {
        text += fmt::format("{}{}", text.empty() ? "" : "\n", file_text(file));
    }
    return text;
}

}  // namespace ropescope::cli
