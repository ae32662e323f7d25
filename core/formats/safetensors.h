// The safetensors format: 8 bytes header length (little-endian), a JSON header, then the data.
// https://huggingface.co/docs/safetensors
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

class OpenedFile;
struct MappedFile;

/// Whether the file starts as safetensors do: a length below 2^32 and a brace.
bool is_safetensors(const OpenedFile& file);

/// A file opened by mmap, or the bytes of one. Opening reads the header only; a tensor's bytes are
/// touched when they are used. Every error names the file, the tensor or key, and the byte:
/// overlapping or uncovered ranges, sizes that disagree with shape and dtype, unknown dtypes,
/// duplicate keys, a header longer than the file.
class SafetensorsFile {
  public:
    static SafetensorsFile open(const std::filesystem::path& path);
    static SafetensorsFile open(OpenedFile file);
    /// The same from bytes in memory; `origin` names them in messages.
    static SafetensorsFile read(MappedFile memory, std::filesystem::path origin);

    /// In the order of their data.
    const std::vector<TensorBytes>& tensors() const { return tensors_; }
    const TensorBytes* find(std::string_view name) const;
    /// As find, but throws InputError that names near matches.
    const TensorBytes& at(std::string_view name) const;
    const std::map<std::string, std::string>& metadata() const { return metadata_; }

  private:
    std::filesystem::path path_;
    std::shared_ptr<const void> mapping_;
    std::vector<TensorBytes> tensors_;
    std::map<std::string, std::string> metadata_;
};

/// Written whole or not at all, byte for byte the same for the same input.
void write_safetensors(const std::filesystem::path& path, std::span<const Tensor> tensors,
                       const std::map<std::string, std::string>& metadata = {});
/// The same without a copy of the bytes.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorBytes> tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace ropescope
