// Chooses a part by its name, a type of its layers and a length.
#include "library/embedding.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope {
namespace {

/// The rotary embedding of the layers of that type.
const Part& part_of_layers(const Model& model, const std::string& layer_type) {
    std::vector<std::string> types;
    for (const Part& part : model.parts) {
        if (!part.layer_type.empty()) {
            types.push_back(part.layer_type);
        }
    }
    if (types.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of {} turn alike; leave it out",
                        in_quotes(layer_type), printable(model.name)));
    }
    return element_named(model.parts, &Part::layer_type, layer_type, [&](const std::string&) {
        return fmt::format("layer_type: {} is not one of {}; give {}", in_quotes(layer_type),
                           printable(model.name), fmt::join(types, " or "));
    });
}

}  // namespace

Part chosen_part(const Model& model, const EmbeddingChoice& choice) {
    const Part& part = model.part(choice.part);
    if (!part.spec && !choice.layer_type.empty()) {
        throw InputError(
            fmt::format("layer_type: {}, and all layers of a model in several axes turn alike; "
                        "leave it out",
                        in_quotes(choice.layer_type)));
    }
    if (part.spec && (choice.seq_len < 0 || choice.seq_len > kMaxSeqLen)) {
        throw InputError(fmt::format("seq_len: {}; give 0 to {}", choice.seq_len, kMaxSeqLen));
    }
    return (choice.layer_type.empty() ? part : part_of_layers(model, choice.layer_type))
        .at_length(choice.seq_len);
}

}  // namespace ropescope
