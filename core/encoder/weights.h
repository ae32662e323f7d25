// The named tensors of a model, in files mapped into memory or in memory of their own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoder/encoder_config.h"
#include "core/engine/device_tensor.h"
#include "core/formats/tensor.h"

namespace ropescope {

/// Opening reads only the headers of files; the bytes of a tensor are read when they are used.
class Weights {
  public:
    /// Opens a .safetensors file, or a folder that contains model.safetensors, or
    /// model.safetensors.index.json with the files that it names, or weights.safetensors. Throws
    /// InputError; if the folder has only pytorch_model.bin, the message contains the command that
    /// converts it.
    static Weights open(const std::filesystem::path& path);
    /// Reads a .safetensors file that is in memory, which must outlive the weights. Throws
    /// InputError that names `origin`.
    static Weights from_safetensors(std::span<const std::byte> bytes, std::string origin);
    /// Takes tensors in memory; `origin` names them in messages.
    static Weights from_tensors(std::vector<Tensor> tensors, std::string origin);

    /// In the order of their data, file by file.
    const std::vector<TensorBytes>& tensors() const { return tensors_; }
    /// Null if there is no tensor of this name.
    const TensorBytes* find(std::string_view name) const;
    /// Name of the file or folder for messages.
    const std::string& origin() const { return origin_; }

    /// Returns the values of a tensor, which must exist, in fp32. Aligned F32 is viewed in place;
    /// all other formats are converted into new memory.
    HostFloats floats(std::string_view name) const;
    /// Lets the pages of a mapped tensor leave memory until they are read again: call this after
    /// the values have been copied.
    void release(std::string_view name) const;

  private:
    /// Keeps the bytes of a tensor alive, and knows whether they belong to a mapped file.
    struct Owner {
        std::shared_ptr<const void> memory;
        bool mapped = false;
    };
    void add(TensorBytes tensor, Owner owner);

    std::string origin_;
    std::vector<TensorBytes> tensors_;
    std::vector<Owner> owners_;  ///< of each tensor
    std::map<std::string, std::size_t, std::less<>> index_;
};

/// Throws InputError with the command that converts the file if the name ends in .bin, .pt or .pth,
/// the pickle formats of PyTorch.
void refuse_pickle(const std::filesystem::path& path);

/// Returns the tensors that the config expects, by their expected names; optional ones may be
/// missing. Throws one InputError that lists every tensor that is missing, not expected, of another
/// shape, or not of a floating-point dtype.
std::map<std::string, TensorBytes> match_weights(const EncoderConfig& config,
                                                 const Weights& weights);

/// Draws weights for `config` in the way PyTorch initialises layers: embeddings with mean 0 and
/// variance 1 (sums of four uniform numbers), linear layers uniform in +-1 / sqrt(inputs), norms 1
/// and 0. A seed gives the same weights on every machine.
Weights random_weights(const EncoderConfig& config, std::uint64_t seed, int threads = 0);

}  // namespace ropescope
