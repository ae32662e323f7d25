// Writes what `ropescope inspect` found as text.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/inspect.h"
#include "app/figures/shared/text.h"
#include "core/base/characters.h"
#include "core/formats/rope_scaling.h"
#include "core/formats/schemes/scheme_facts.h"
#include "core/rope/spectrum.h"

namespace ropescope::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string line(std::string_view name, std::string_view value) {
    return fmt::format("  {:<18} {}\n", name, value);
}

/// At most 32 pairs of `pairs`, evenly chosen, with the first and the last.
std::vector<Index> shown_pairs(Index pairs) {
    constexpr Index kMostRows = 32;
    const Index shown = std::min(pairs, kMostRows);
    std::vector<Index> numbers;
    for (Index row = 0; row < shown; ++row) {
        numbers.push_back(shown == 1 ? 0 : row * (pairs - 1) / (shown - 1));
    }
    return numbers;
}

/// Says under a table that it does not have all pairs; empty if it has.
std::string left_out_text(std::size_t shown, Index pairs) {
    return static_cast<Index>(shown) == pairs
               ? ""
               : fmt::format("{} of {} pairs; --format json has all\n", shown, pairs);
}

std::string layout_text(const RopeSpec& rope) {
    return rope.layout == Layout::interleaved
               ? "interleaved: channels 2i and 2i + 1 turn together"
               : fmt::format("half_split: channels i and i + {} turn together", rope.pairs());
}

/// "yarn: factor 40, original_max_position_embeddings 4096, ..."; of a list, its first and last
/// number.
std::string scaling_text(const Scaling& scaling) {
    std::string text;
    const nlohmann::ordered_json keys = scaling_json(scaling);
    for (const auto& [key, value] : keys.items()) {
        if (key == "rope_type") {
            text = value.get<std::string>();
        } else if (value.is_array()) {
            text += value.empty() ? fmt::format(", {} none", key)
                                  : fmt::format(", {} {} .. {}", key, value.front().dump(),
                                                value.back().dump());
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

std::string rope_text(const RopeSpec& rope) {
    const Spectrum spectrum = make_spectrum(rope);
    std::string text =
        line("head_dim", fmt::format("{}", rope.head_dim)) + line("rotary_dim", rotary_text(rope)) +
        line("base", fmt::format("{}", rope.base)) + line("layout", layout_text(rope)) +
        line("scaling", scaling_text(rope.scaling)) +
        line("attention factor", fmt::format("{:.10g} on cos and sin", spectrum.attention_factor));
    if (spectrum.softmax_scale_factor != 1.0) {
        text += line("softmax scale", fmt::format("times {:.10g}, apart from cos and sin",
                                                  spectrum.softmax_scale_factor));
    }
    const std::string length = rope.seq_len == 0 ? "not given" : fmt::format("{}", rope.seq_len);
    return text + line("seq_len", depends_on_seq_len(rope.scaling)
                                      ? length + "; the scaling depends on it (--seq-len N)"
                                      : length);
}

std::string spectrum_text(const RopeSpec& rope, std::int64_t context) {
    const Spectrum spectrum = make_spectrum(rope);
    Rows rows;
    for (const Index pair : shown_pairs(spectrum.pairs())) {
        const double wavelength = spectrum.wavelength_positions(pair);
        std::vector<std::string> cells = {
            fmt::format("{}", pair),
            fmt::format("{:.8g}", spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]),
            fmt::format("{:.6g}", wavelength)};
        if (context > 0) {
            cells.push_back(fmt::format("{:.4g}", static_cast<double>(context) / wavelength));
        }
        rows.push_back(std::move(cells));
    }
    std::vector<std::string> header = {"pair", "inv_freq rad/position", "wavelength positions"};
    if (context > 0) {
        header.push_back(fmt::format("turns in {}", context));
    }
    return figures::text_table(header, rows) + left_out_text(rows.size(), spectrum.pairs());
}

std::string size_text(const ModelConfig& model) {
    std::string text =
        (model.n_layers > 0 ? figures::counted(model.n_layers, "layer") + ", " : "") +
        figures::counted(model.n_heads, "head");
    if (model.n_kv_heads != model.n_heads) {
        text += fmt::format(", {} of keys and values", model.n_kv_heads);
    }
    return text;
}

/// What a reader must know before any number.
std::string inferred_text(const ModelConfig& model) {
    return model.confidence == Confidence::known
               ? ""
               : fmt::format("INFERRED, not known: {}\n\n", model.assumptions.front());
}

std::string model_text(const ModelConfig& model) {
    std::string text =
        inferred_text(model) + fmt::format("{}\n", model.title) +
        line("model_type", model.model_type.empty() ? "none" : printable(model.model_type)) +
        line("size", size_text(model));
    if (model.max_positions > 0) {
        text += line("context", fmt::format("{} positions", model.max_positions));
    }
    if (model.layer_ropes.empty()) {
        text += rope_text(model.rope) + "\n" + spectrum_text(model.rope, model.max_positions);
    }
    for (const LayerRope& layer : model.layer_ropes) {
        const std::string count =
            layer.layers > 0 ? ", " + figures::counted(layer.layers, "layer") : "";
        text += fmt::format("\n{}{}\n", printable(layer.layer_type), count) +
                rope_text(layer.rope) + "\n" + spectrum_text(layer.rope, model.max_positions);
    }
    const bool inferred = model.confidence == Confidence::inferred;
    for (const std::string& assumption : std::span(model.assumptions).subspan(inferred ? 1 : 0)) {
        text += fmt::format("assumed: {}\n", assumption);
    }
    return text;
}

std::string file_text(const TensorFile& file) {
    Rows rows;
    for (const TensorInfo& tensor : file.tensors) {
        rows.push_back({printable(tensor.name), std::string(to_string(tensor.dtype)),
                        shape_text(tensor.shape), fmt::format("{}", tensor.bytes)});
    }
    std::string text =
        fmt::format("{}: {}, {}, {} numbers, {} bytes\n", printable(file.path), file.format,
                    figures::counted(static_cast<std::int64_t>(file.tensors.size()), "tensor"),
                    figures::whole_text(file.count()), figures::whole_text(file.bytes()));
    for (const auto& [key, value] : file.metadata) {
        text += line(printable(key, 40), printable(value, 80));
    }
    return text +
           (rows.empty() ? "" : figures::text_table({"tensor", "dtype", "shape", "bytes"}, rows));
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

std::string row_text(const std::string& layer, const std::string& shape, const std::string& count) {
    std::string text = fmt::format("{:<40} {:<25} {}", layer, shape, count);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

/// The table of an encoder's parameters in the form of torchinfo's summary, so that the two can be
/// compared line by line.
std::string parameter_text(const ParameterTable& table) {
    std::string text = row_text("Layer (type:depth-idx)", "Output Shape", "Param #");
    for (const ParameterRow& row : table.rows) {
        text += row_text(branch(row.depth) + row.layer,
                         row.output_shape.empty() ? "--" : shape_text(row.output_shape),
                         row.parameters ? with_commas(*row.parameters) : "--");
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

std::string pair_table(const RotaryScheme& scheme) {
    std::vector<std::vector<std::string>> rows;
    for (const Index i : shown_pairs(scheme.pair_count())) {
        rows.push_back({fmt::format("{}", i),
                        fmt::format("{}, {}", scheme.pairs[i].first, scheme.pairs[i].second),
                        omega_text(scheme, i)});
    }
    return figures::text_table({"pair", "channels", "axis, rad/position"}, rows) +
           left_out_text(rows.size(), scheme.pair_count());
}

std::string scheme_text(const Part& part) {
    const RotaryScheme& scheme = part.scheme;
    const SchemeFacts& facts = scheme_facts(scheme.id);
    std::string text =
        line("part", part.kind) + line("scheme", fmt::format("{}: {}", scheme.id, facts.title)) +
        line("source", facts.source) + line("head_dim", fmt::format("{}", scheme.head_dim)) +
        line("layout", layout_name(scheme.pairs)) +
        line("axes", fmt::format("{}", fmt::join(scheme.axes, ", "))) +
        line("positions", describe_positions(scheme)) + line("turns", describe_turning(scheme));
    if (scheme.heads.size() > 1) {
        text +=
            line("heads", fmt::format("{} heads turn at speeds of their own; the first is shown",
                                      scheme.heads.size()));
    }
    text += "\n" + pair_table(scheme);
    for (const std::string& assumption : part.assumptions) {
        text += fmt::format("assumed: {}\n", assumption);
    }
    return text;
}

/// What is known of a language model beside its axes.
std::string language_model_text(const ModelConfig& model) {
    const RopeSpec& rope = model.rope;
    std::string text =
        line("model_type", model.model_type.empty() ? "none" : printable(model.model_type)) +
        line("size", size_text(model));
    if (model.max_positions > 0) {
        text += line("context", fmt::format("{} positions", model.max_positions));
    }
    return text + line("base", fmt::format("{}", rope.base)) +
           line("scaling", scaling_text(rope.scaling)) +
           line("attention factor",
                fmt::format("{:.10g} on cos and sin", make_spectrum(rope).attention_factor));
}

std::string part_text(const Model& model, const Part& part) {
    if (!model.text) {
        return scheme_text(part);
    }
    return model.text->title + "\n" +
           (part.kind == "text" ? language_model_text(*model.text) : "") + scheme_text(part);
}

/// The part that is shown, and if none was asked for, all others that turn in several axes.
std::string parts_text(const Inspected& inspected) {
    const Model& model = inspected.model;
    const std::vector<Part> kinds = model.kinds();
    std::string text;
    if (inspected.part && inspected.part->axes() > 1) {
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

std::string inspection_text(const Inspected& inspected) {
    std::string text = parts_text(inspected);
    if (inspected.encoder) {
        text += fmt::format("\n{}", parameter_text(*inspected.encoder));
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
