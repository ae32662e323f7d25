// The index and the numbers of a pack, as a program that reads it sees them. What does not fit is
// refused by a sentence that names the file and the entry.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/safetensors.h"
#include "core/formats/tensor.h"

namespace ropescope::vectors {

/// Tensors of a .safetensors or .npz by name, in memory that this owns.
class NamedTensors {
  public:
    /// Throws InputError for a file that cannot be read.
    explicit NamedTensors(const std::filesystem::path& path);

    /// Null if there is no tensor of this name.
    const TensorBytes* find(const std::string& name) const;
    /// Throws InputError if there is none.
    const TensorBytes& at(const std::string& name) const;
    bool empty() const { return by_name_.empty(); }

  private:
    std::filesystem::path path_;
    std::vector<Tensor> owned_;
    std::optional<SafetensorsFile> file_;
    std::map<std::string, TensorBytes> by_name_;
};

std::string text_at(const ConfigObject& entry, std::string_view key);
/// The list under a key.
const nlohmann::json& list_at(const ConfigObject& entry, std::string_view key);
/// An entry of a list, which must be an object.
ConfigObject object_of(const nlohmann::json& entry, const ConfigObject& of, std::string_view list);

/// The numbers of an array of the pack, which must have the shape of the answer.
std::vector<double> numbers_of(const NamedTensors& data, const std::string& name,
                               const TensorBytes& answer);
/// What the numbers of an answer are held to: nothing for ids, which are integers.
std::vector<double> tolerance_for(const ConfigObject& entry, const TensorBytes& answer,
                                  const NamedTensors& data);

}  // namespace ropescope::vectors
