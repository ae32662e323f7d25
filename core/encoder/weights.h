// Named tensors of a model, in files that are mapped into memory or in memory of their own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoder/encoder_config.h"
#include "core/engine/device_tensor.h"
#include "core/formats/tensor.h"

namespace ropescope {

/// Opening reads headers only; a tensor's bytes are read from the file when they are used.
class Weights {
  public:
    /// A .safetensors file, or a folder with model.safetensors, or with
    /// model.safetensors.index.json and the files it names, or with weights.safetensors. Throws
    /// InputError; for a folder that has only pytorch_model.bin, with the command that converts it.
    static Weights open(const std::filesystem::path& path);
    static Weights from_tensors(std::vector<Tensor> tensors, std::string origin);

    /// In the order of their data, file by file.
    const std::vector<TensorBytes>& tensors() const { return tensors_; }
    const TensorBytes* find(std::string_view name) const;
    /// The file or folder, for messages.
    const std::string& origin() const { return origin_; }

    /// The values of a tensor of tensors() in fp32: F32 that is aligned is shown where it is, all
    /// else is converted.
    HostFloats floats(std::string_view name) const;
    /// What a file holds of a tensor leaves memory until it is read again: a copy was made.
    void release(std::string_view name) const;

  private:
    /// Who keeps a tensor's bytes, and whether they are part of a mapped file.
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

/// Throws InputError with the command that converts a .bin, .pt or .pth of PyTorch; does nothing
/// for any other name.
void refuse_pickle(const std::filesystem::path& path);

/// Every expected tensor that is there, by its expected name. Throws one InputError that lists all
/// that is missing, not expected, of another shape or of a dtype that is no float.
std::map<std::string, TensorBytes> match_weights(const EncoderConfig& config,
                                                 const Weights& weights);

/// Weights of `config` drawn as PyTorch initialises its layers: embeddings from a distribution with
/// mean 0 and variance 1 (a sum of four uniform numbers), linear layers uniform in
/// +-1/sqrt(inputs), norms 1 and 0. The same for the same seed everywhere.
Weights random_weights(const EncoderConfig& config, std::uint64_t seed, int threads = 0);

}  // namespace ropescope
