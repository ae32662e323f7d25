// Reads frequencies and channels from a .safetensors file, a user's own or learned ones.
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/safetensors.h"
#include "core/formats/schemes/schemes.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {
namespace {

[[noreturn]] void refuse(const std::string& origin, const TensorBytes& tensor,
                         std::string_view expected) {
    throw InputError(fmt::format("{}: {}: shape {}; {} is expected", origin, tensor.name,
                                 shape_text(tensor.shape), expected));
}

std::vector<ChannelPair> read_pairs(const TensorBytes& tensor, const std::string& origin) {
    if (tensor.shape.size() != 2 || tensor.shape[1] != 2) {
        refuse(origin, tensor, "[pairs, 2], two channels for each pair,");
    }
    const std::vector<Index> channels = to_i64(tensor);
    std::vector<ChannelPair> pairs;
    for (Index i = 0; i < tensor.shape[0]; ++i) {
        pairs.push_back({channels[2 * i], channels[2 * i + 1]});
    }
    return pairs;
}

std::vector<Spectrum> read_heads(const TensorBytes& tensor, Index pairs,
                                 const std::string& origin) {
    const std::size_t rank = tensor.shape.size();
    if ((rank != 2 && rank != 3) || tensor.shape[rank - 2] != pairs || tensor.count() == 0) {
        refuse(origin, tensor,
               fmt::format("[{0}, axes] or [heads, {0}, axes], as pairs has {0}", pairs));
    }
    const std::vector<double> omega = to_f64(tensor);
    const Index axes = tensor.shape.back();
    std::vector<Spectrum> heads;
    for (auto at = omega.begin(); at != omega.end(); at += pairs * axes) {
        heads.push_back({{at, at + pairs * axes}, 1.0, 1.0, axes});
    }
    return heads;
}

/// RoPE-ViT calls the weight freqs, timm rope.freqs; null if there is none.
const TensorBytes* learned_frequencies(const SafetensorsFile& file) {
    for (const TensorBytes& tensor : file.tensors()) {
        if (tensor.name == "freqs" || tensor.name.ends_with(".freqs")) {
            return &tensor;
        }
    }
    return nullptr;
}

std::vector<bool> read_turns(const TensorBytes& tensor, const std::string& origin) {
    if (tensor.shape.size() != 1) {
        refuse(origin, tensor, "[tokens], 0 for a token that does not turn,");
    }
    std::vector<bool> turns;
    for (const Index number : to_i64(tensor)) {
        turns.push_back(number != 0);
    }
    return turns;
}

}  // namespace

namespace {

OwnScheme read_scheme(const SafetensorsFile& file, const std::filesystem::path& path,
                      const OwnSize& size) {
    const TensorBytes* learned =
        file.find("omega") == nullptr ? learned_frequencies(file) : nullptr;
    if (learned != nullptr) {
        return {mixed_scheme_of_weights(*learned, size.layer, size.heads), {}};
    }
    if (size.layer != 0) {
        throw InputError(fmt::format("--layer: {} has no tensor freqs with layers; leave it out",
                                     path.string()));
    }
    RotaryScheme scheme{.head_dim = size.head_dim};
    scheme.pairs = read_pairs(file.at("pairs"), path.string());
    scheme.heads = read_heads(file.at("omega"), scheme.pair_count(), path.string());
    for (Index a = 0; a < scheme.heads.front().axes; ++a) {
        scheme.axes.push_back(fmt::format("{}", a));
    }
    validate(scheme);
    const TensorBytes* turns = file.find("turns");
    return {std::move(scheme),
            turns == nullptr ? std::vector<bool>() : read_turns(*turns, path.string())};
}

}  // namespace

OwnScheme read_scheme_tensors(const std::filesystem::path& path, const OwnSize& size) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    const std::string place = printable(path.string());
    try {
        return read_scheme(file, path, size);
    } catch (const InputError& error) {
        // What a scheme refuses names a tensor; the file is known here.
        const std::string text = error.what();
        throw InputError(text.starts_with(place) || text.starts_with("--")
                             ? text
                             : fmt::format("{}: {}", place, text));
    }
}

RotaryScheme mixed_scheme_of_weights(const TensorBytes& freqs, Index layer, Index heads) {
    const auto refuse = [&](const std::string& expected) {
        throw InputError(
            fmt::format("{}: shape {}; {}", freqs.name, shape_text(freqs.shape), expected));
    };
    const bool by_head = freqs.shape.size() == 4;
    if ((!by_head && freqs.shape.size() != 3) || freqs.shape[0] != 2) {
        refuse("[2, layers, heads, pairs] or [2, layers, heads * pairs] is expected");
    }
    const Index layers = freqs.shape[1];
    const Index each = freqs.count() / std::max<Index>(2 * layers, 1);
    if (heads < 1 || each % heads != 0 || (by_head && freqs.shape[2] != heads)) {
        refuse(fmt::format("frequencies of {} heads are expected", heads));
    }
    if (layers == 0) {
        refuse("a layer at least is expected");
    }
    if (layer < 0 || layer >= layers) {
        refuse(fmt::format("layer {} is not one of its {} layers; give 0 to {}", layer, layers,
                           layers - 1));
    }
    const std::vector<double> all = to_f64(freqs);
    std::vector<double> of_layer;
    for (const Index axis : {0, 1}) {
        const auto first = all.begin() + (axis * layers + layer) * each;
        of_layer.insert(of_layer.end(), first, first + each);
    }
    return ropevit_mixed(2 * (each / heads), heads, of_layer);
}

}  // namespace ropescope
