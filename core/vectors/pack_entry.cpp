// Reads entries of a pack's index, and the numbers that they name.
#include "core/vectors/pack_entry.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/npy.h"

namespace ropescope::vectors {

NamedTensors::NamedTensors(const std::filesystem::path& path) : path_(path) {
    if (path.extension() == ".npz") {
        owned_ = read_npz(path);
        for (const Tensor& tensor : owned_) {
            by_name_[tensor.name] = tensor.view();
        }
        return;
    }
    file_ = SafetensorsFile::open(path);
    for (const TensorBytes& tensor : file_->tensors()) {
        by_name_[tensor.name] = tensor;
    }
}

const TensorBytes* NamedTensors::find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &found->second;
}

const TensorBytes& NamedTensors::at(const std::string& name) const {
    const TensorBytes* tensor = find(name);
    if (tensor == nullptr) {
        throw InputError(
            fmt::format("{}: does not contain {}, which index.json names; write the "
                        "pack again",
                        printable(path_.string()), in_quotes(name)));
    }
    return *tensor;
}

std::string text_at(const ConfigObject& entry, std::string_view key) {
    const std::optional<std::string> text = entry.text(key);
    if (!text) {
        entry.fail(key, "is missing; a string is expected");
    }
    return *text;
}

const nlohmann::json& list_at(const ConfigObject& entry, std::string_view key) {
    const nlohmann::json* list = entry.find(key);
    if (list == nullptr || !list->is_array()) {
        entry.fail(key, "is not a list; write the pack again");
    }
    return *list;
}

ConfigObject object_of(const nlohmann::json& entry, const ConfigObject& of, std::string_view list) {
    if (!entry.is_object()) {
        of.fail(list, "has an entry that is not an object; write the pack again");
    }
    return {entry, of.path_of(list)};
}

std::vector<double> numbers_of(const NamedTensors& data, const std::string& name,
                               const TensorBytes& answer) {
    const TensorBytes& tensor = data.at(name);
    if (tensor.shape != answer.shape) {
        throw InputError(
            fmt::format("{}: {} has shape {} and not that of {}, {}; write the pack again",
                        printable(tensor.file), in_quotes(name), shape_text(tensor.shape),
                        in_quotes(answer.name), shape_text(answer.shape)));
    }
    return to_f64(tensor);
}

std::vector<double> tolerance_for(const ConfigObject& entry, const TensorBytes& answer,
                                  const NamedTensors& data) {
    const std::optional<ConfigObject> by_dtype = entry.object("tolerance");
    if (!by_dtype) {
        to_i64(answer);  // refuses fractions
        return std::vector<double>(static_cast<std::size_t>(answer.count()), 0.0);
    }
    const std::optional<std::string> name = by_dtype->text(to_string(answer.dtype));
    if (!name) {
        throw InputError(fmt::format("{}: dtype {}; F64, F32, F16 or BF16 is expected",
                                     in_quotes(answer.name), to_string(answer.dtype)));
    }
    return numbers_of(data, *name, answer);
}

}  // namespace ropescope::vectors
