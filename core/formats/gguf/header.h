// The header of a GGUF file: metadata as keys with values, and where each tensor lies. Format:
// ggml-org/ggml, docs/gguf.md; ggml-org/llama.cpp, ggml/include/gguf.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::gguf {

inline constexpr std::string_view kMagic = "GGUF";

/// A tensor as the header describes it.
struct TensorEntry {
    std::string name;
    std::uint32_t type = 0;            ///< ggml_type
    std::vector<std::uint64_t> shape;  ///< the fastest axis first
    std::uint64_t offset = 0;          ///< of its bytes, counted from GgufHeader::data_begin
    std::size_t byte = 0;              ///< where the entry stands in the file, for messages
};

struct GgufHeader {
    std::uint32_t version = 0;
    bool big_endian = false;
    /// An object with the values of the model: numbers, truth values, texts, and lists of numbers
    /// and truth values. Values of the tokenizer are passed over, and so are texts and lists that
    /// are longer than any about positions.
    nlohmann::json metadata = nlohmann::json::object();
    std::vector<TensorEntry> tensors;
    std::uint64_t data_begin = 0;  ///< where the data of the tensors begin in the file
};

/// Reads the header at the start of `bytes`, the whole file or all of it that is mapped; data of
/// tensors are not touched. Takes no more memory than a fixed multiple of the header's own bytes,
/// whatever numbers it states. Throws InputError naming the file, the byte, the key or tensor, and
/// what is expected.
GgufHeader read_header(std::span<const std::byte> bytes, const std::string& file);

/// The values of a tensor of F32, F16, BF16 or F64 with at most `most` of them. Throws InputError
/// naming the tensor if it is of another type, longer, or not within the file.
std::vector<double> read_values(std::span<const std::byte> bytes, const GgufHeader& header,
                                const TensorEntry& tensor, std::size_t most,
                                const std::string& file);

}  // namespace ropescope::gguf
