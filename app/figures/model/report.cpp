// Writes the model view as text and as CSV.
#include <fmt/format.h>
#include <span>

#include "app/figures/model/model.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "core/base/characters.h"

namespace ropescope::figures {

plot::DataTable model_data(const ModelState& state) {
    std::vector<std::string> what, name, value;
    const auto add = [&](const char* kind, const std::string& key, const std::string& text) {
        what.emplace_back(kind);
        name.push_back(key);
        value.push_back(text);
    };
    for (const auto& [layer, spectrum] : state.layers) {
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            add("inv_freq_rad", fmt::format("{} {}", layer.layer_type, pair),
                fmt::format("{:.17g}", spectrum.inv_freq_rad[pair]));
        }
    }
    for (const TensorInfo* tensor : state.tensors()) {
        add("tensor", tensor->name, tensor_text(*tensor));
    }
    return {{{"what", what}, {"name", name}, {"value", value}}};
}

plot::Text model_report(const plot::Figure& figure, const ModelState& state) {
    plot::Text text = std::string(figure.title) + "\n" + std::string(figure.subtitle) + "\n\n";
    if (const auto& model = state.model()) {
        const bool inferred = model->confidence == Confidence::inferred;
        if (inferred) {
            text += plot::say("inferred, not known: {}\n", model->assumptions.front());
        }
        for (const auto& [name, words] : state.part_rows) {
            text += name + ": " + words + "\n";
        }
        for (const auto& [layer, spectrum] : state.layers) {
            text +=
                plot::say("{}: {}\n", printable(layer.layer_type), describe_encoding(layer.rope));
        }
        for (const std::string& assumption :
             std::span(model->assumptions).subspan(inferred ? 1 : 0)) {
            text += plot::say("assumed: {}\n", assumption);
        }
        text += state.found.source.empty() ? plot::Text()
                                           : plot::say("source: {}\n", state.found.source);
    }
    std::vector<std::vector<std::string>> rows;
    for (const TensorInfo* tensor : state.tensors()) {
        rows.push_back({printable(tensor->name), std::string(to_string(tensor->dtype)),
                        shape_text(tensor->shape), fmt::format("{}", tensor->bytes)});
    }
    return rows.empty() ? text
                        : text + "\n" + text_table({"tensor", "dtype", "shape", "bytes"}, rows);
}

}  // namespace ropescope::figures
