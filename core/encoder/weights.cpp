// Opens the weight files of a model and hands out their tensors.
#include "core/encoder/weights.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/parallel.h"
#include "core/encoder/tensor_names.h"
#include "core/formats/config_object.h"
#include "core/formats/json_object.h"
#include "core/formats/safetensors.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    return path_kind(path) != PathKind::nothing;
}

/// The weight_map of model.safetensors.index.json: file of every tensor.
std::map<std::string, std::string> read_index(const fs::path& path) {
    const std::string origin = path.string();
    const nlohmann::json parsed =
        parse_json_object(read_file(path, kMaxJsonBytes, Allowed::regular_file), origin);
    const ConfigObject index(parsed, printable(origin));
    const std::optional<ConfigObject> map = index.object("weight_map");
    if (!map || index.find("weight_map")->empty()) {
        index.fail("weight_map", fmt::format("is {}; an object from tensor to file is expected",
                                             map ? "empty" : "missing"));
    }
    std::map<std::string, std::string> files;
    for (const auto& [tensor, file] : index.find("weight_map")->items()) {
        const fs::path name = file.is_string() ? file.get<std::string>() : "";
        if (name.empty() || name != name.filename() || name == "." || name == "..") {
            index.fail("weight_map",
                       fmt::format("{}: the name of a file beside the index is expected, not {}",
                                   in_quotes(tensor), printable(file.dump(), kLongestName)));
        }
        files.emplace(tensor, name.string());
    }
    return files;
}

/// The files of a model and, if there is an index, the tensors that each must hold.
struct ModelFiles {
    std::vector<fs::path> paths;
    std::map<std::string, std::string> index;
};

ModelFiles find_files(const fs::path& path) {
    const bool folder = path_kind(path) == PathKind::folder;
    if (!folder) {
        refuse_pickle(path);
        if (!path.string().ends_with(".index.json")) {
            return {{path}, {}};
        }
    }
    const fs::path home = folder ? path : path.parent_path();
    if (folder && is_there(home / "model.safetensors")) {
        return {{home / "model.safetensors"}, {}};
    }
    const fs::path index = folder ? home / "model.safetensors.index.json" : path;
    if (is_there(index)) {
        ModelFiles files{{}, read_index(index)};
        std::set<std::string> names;
        for (const auto& [tensor, file] : files.index) {
            names.insert(file);
        }
        for (const std::string& name : names) {
            files.paths.push_back(home / name);
        }
        return files;
    }
    if (is_there(home / "weights.safetensors")) {
        return {{home / "weights.safetensors"}, {}};
    }
    if (is_there(home / "pytorch_model.bin")) {
        refuse_pickle(home / "pytorch_model.bin");
    }
    if (is_there(home / "pytorch_model.bin.index.json")) {
        refuse_pickle(home / "pytorch_model-*.bin");
    }
    throw InputError(
        fmt::format("{}: contains no weights; model.safetensors, model.safetensors.index.json or "
                    "weights.safetensors is expected",
                    printable(path.string())));
}

/// Throws if a file that the index names does not exist.
void require_files(const fs::path& path, const ModelFiles& files) {
    std::vector<std::string> lost;
    for (const fs::path& file : files.paths) {
        if (!files.index.empty() && !is_there(file)) {
            lost.push_back(printable(file.filename().string()));
        }
    }
    if (!lost.empty()) {
        throw InputError(fmt::format(
            "{}: {} of the {} files that the index names are not there: "
            "{}; put them beside it",
            printable(path.string()), lost.size(), files.paths.size(), first_names(lost)));
    }
}

/// Throws if a tensor is not in the file that the index names for it. `holders` are the files of
/// all tensors.
void require_indexed(const fs::path& path, const ModelFiles& files,
                     const std::map<std::string, std::string>& holders) {
    std::vector<std::string> lost;
    for (const auto& [tensor, file] : files.index) {
        if (const auto found = holders.find(tensor);
            found == holders.end() || found->second != file) {
            lost.push_back(fmt::format("{} ({})", printable(tensor), printable(file)));
        }
    }
    if (!lost.empty()) {
        throw InputError(fmt::format(
            "{}: the index names {} that its {} not hold: {}; give the index that belongs to these "
            "files",
            printable(path.string()), lost.size() == 1 ? "a tensor" : "tensors",
            lost.size() == 1 ? "file does" : "files do", first_names(lost)));
    }
}

}  // namespace

void refuse_pickle(const fs::path& path) {
    const fs::path ending = path.extension();
    if (ending != ".bin" && ending != ".pt" && ending != ".pth") {
        return;
    }
    const std::string file = printable(path.filename().string());
    throw InputError(fmt::format(
        "{}: a pickle can run any code, so it is not read; convert it in its folder with: python3 "
        "-c \"import glob, torch; from safetensors.torch import save_file; save_file({{k: "
        "v.clone().contiguous() for f in glob.glob('{}') for k, v in torch.load(f, "
        "map_location='cpu', weights_only=True).items()}}, 'model.safetensors')\"",
        printable(path.string()), file));
}

Weights Weights::open(const std::filesystem::path& path) {
    const ModelFiles files = find_files(path);
    require_files(path, files);
    Weights weights;
    weights.origin_ = printable(path.string());
    std::map<std::string, std::string> holders;
    for (const fs::path& file : files.paths) {
        OpenedFile opened(file, file == path ? Allowed::anything : Allowed::regular_file);
        const bool mapped = opened.is_regular();
        const auto tensors =
            std::make_shared<const SafetensorsFile>(SafetensorsFile::open(std::move(opened)));
        for (const TensorBytes& tensor : tensors->tensors()) {
            weights.add(tensor, {tensors, mapped});
            holders[tensor.name] = file.filename().string();
        }
    }
    require_indexed(path, files, holders);
    return weights;
}

Weights Weights::from_safetensors(std::span<const std::byte> bytes, std::string origin) {
    Weights weights;
    weights.origin_ = std::move(origin);
    const SafetensorsFile file =
        SafetensorsFile::read({.owner = nullptr, .bytes = bytes}, weights.origin_);
    for (const TensorBytes& tensor : file.tensors()) {
        weights.add(tensor, {nullptr, false});
    }
    return weights;
}

Weights Weights::from_tensors(std::vector<Tensor> tensors, std::string origin) {
    Weights weights;
    weights.origin_ = std::move(origin);
    for (Tensor& tensor : tensors) {
        const auto kept = std::make_shared<const Tensor>(std::move(tensor));
        weights.add(kept->view(), {kept, false});
    }
    return weights;
}

void Weights::add(TensorBytes tensor, Owner owner) {
    if (!index_.emplace(tensor.name, tensors_.size()).second) {
        throw InputError(fmt::format("{}: tensor {} is there twice; one is expected", origin_,
                                     in_quotes(tensor.name)));
    }
    tensors_.push_back(std::move(tensor));
    owners_.push_back(std::move(owner));
}

const TensorBytes* Weights::find(std::string_view name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &tensors_[found->second];
}

HostFloats Weights::floats(std::string_view name) const {
    const std::size_t place = index_.find(name)->second;
    const TensorBytes& tensor = tensors_[place];
    const std::byte* bytes = tensor.bytes.data();
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0;
    if (tensor.dtype == Dtype::f32 && aligned) {
        return {owners_[place].memory,
                std::span(reinterpret_cast<const float*>(bytes), tensor.count())};
    }
    const auto converted = std::make_shared<const std::vector<float>>(to_f32(tensor));
    return {converted, *converted};
}

void Weights::release(std::string_view name) const {
    const std::size_t place = index_.find(name)->second;
    if (owners_[place].mapped) {
        release_mapped(tensors_[place].bytes);
    }
}

// Matches the tensors of a checkpoint with those that a config needs.

namespace {

bool is_float(Dtype dtype) {
    return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16 ||
           dtype == Dtype::f64;
}

/// Tensors that no forward pass reads, left in some checkpoints.
bool is_left_over(const EncoderConfig& config, const std::string& name) {
    const bool encoders = name.starts_with("roformer.");
    return name == "roformer.embeddings.position_ids" || (config.other_head && !encoders);
}

/// What is wrong with a set of tensors, all of it.
struct Complaints {
    std::vector<std::string> missing;
    std::vector<std::string> extra;
    std::vector<std::string> wrong;

    void throw_if_any(const Weights& weights) const {
        std::vector<std::string> parts;
        const auto part = [&](const char* what, const std::vector<std::string>& names) {
            if (!names.empty()) {
                parts.push_back(fmt::format("{} {}: {}", names.size(), what, first_names(names)));
            }
        };
        part("missing", missing);
        part("not of this model", extra);
        part("of another form", wrong);
        if (!parts.empty()) {
            throw InputError(
                fmt::format("{}: tensors do not fit the config: {}; give the weights that belong "
                            "to this config.json",
                            weights.origin(), fmt::join(parts, "; ")));
        }
    }
};

}  // namespace

std::map<std::string, TensorBytes> match_weights(const EncoderConfig& config,
                                                 const Weights& weights) {
    std::map<std::string, TensorBytes> stored;
    std::map<std::string, TensorBytes> matched;
    Complaints complaints;
    for (const TensorBytes& tensor : weights.tensors()) {
        if (!stored.emplace(canonical_name(config, tensor.name), tensor).second) {
            complaints.extra.push_back(printable(tensor.name, kLongestName));
        }
    }
    for (const ExpectedTensor& expected : expected_tensors(config)) {
        const auto found = stored.find(expected.name);
        if (found == stored.end()) {
            if (!expected.optional) {
                complaints.missing.push_back(
                    fmt::format("{} {}", expected.name, shape_text(expected.shape)));
            }
            continue;
        }
        const TensorBytes& tensor = found->second;
        if (tensor.shape != expected.shape || !is_float(tensor.dtype)) {
            complaints.wrong.push_back(
                fmt::format("{} is {} {}, {} is expected", expected.name, to_string(tensor.dtype),
                            shape_text(tensor.shape), shape_text(expected.shape)));
        }
        matched.insert(stored.extract(found));
    }
    for (const auto& [name, tensor] : stored) {
        if (!is_left_over(config, name)) {
            complaints.extra.push_back(fmt::format("{} {}", printable(tensor.name, kLongestName),
                                                   shape_text(tensor.shape)));
        }
    }
    complaints.throw_if_any(weights);
    return matched;
}

// Draws weights for a config, the same for the same seed on every machine.

namespace {

using WeightKind = ExpectedTensor::Kind;

/// A number of 64 well-mixed bits for every counter (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
std::uint64_t mixed_counter(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// Uniform in (-1, 1), exact in fp32.
float uniform_bits(std::uint64_t bits) {
    return (static_cast<float>(bits >> 41U) + 0.5F) * 0x1p-22F - 1.0F;
}

/// Four uniform numbers of 16 bits, variance 1/12 each, summed and scaled to variance 1.
float bell(std::uint64_t bits) {
    constexpr float kScale = 1.7320508F * 0x1p-16F;
    std::uint64_t sum = 0;
    for (int part = 0; part < 4; ++part) {
        sum += (bits >> (16 * part)) & 0xffffU;
    }
    return (static_cast<float>(sum) + 2.0F - 0x1p17F) * kScale;
}

/// Value number `i` of a tensor whose own seed is `seed`.
float value(const ExpectedTensor& tensor, std::uint64_t seed, Index i) {
    switch (tensor.kind) {
        case WeightKind::embedding:
            return bell(mixed_counter(seed + i));
        case WeightKind::linear:
            return uniform_bits(mixed_counter(seed + i)) /
                   std::sqrt(to_float(to_double(tensor.inputs)));
        case WeightKind::norm_weight:
            return 1.0F;
        case WeightKind::norm_bias:
        case WeightKind::table:
            break;
    }
    return 0.0F;
}

Tensor random_tensor(const ExpectedTensor& expected, std::uint64_t seed, int threads) {
    constexpr Index kGrain = 1 << 14;
    Tensor tensor{expected.name, Dtype::f32, expected.shape, {}};
    tensor.bytes.resize(expected.count() * sizeof(float));
    parallel_for(expected.count(), kGrain, threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const float drawn = value(expected, seed, i);
            std::memcpy(tensor.bytes.data() + i * sizeof(float), &drawn, sizeof(float));
        }
    });
    return tensor;
}

}  // namespace

Weights random_weights(const EncoderConfig& config, std::uint64_t seed, int threads) {
    std::vector<Tensor> tensors;
    std::uint64_t stream = mixed_counter(seed + 1);
    for (const ExpectedTensor& expected : expected_tensors(config)) {
        if (!expected.optional) {
            tensors.push_back(random_tensor(expected, stream, threads));
        }
        stream = mixed_counter(stream);
    }
    return Weights::from_tensors(std::move(tensors), "random weights");
}

}  // namespace ropescope
