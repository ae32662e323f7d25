// The five texts about RoPE from which this project started. Their code, formulas and claims are
// transcribed and tested; docs/sources.md says what each of them is.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ropescope {

struct SourceText {
    std::string_view id;     ///< "000": the start of the ids of its claims
    std::string_view name;   ///< for citations and lists: "RoFormer notebook"
    std::string_view title;  ///< for headings: "The RoFormer notebook in PyTorch (d2l style)"
};

inline constexpr SourceText kRoformerNotebook{"000", "RoFormer notebook",
                                              "The RoFormer notebook in PyTorch (d2l style)"};
inline constexpr SourceText kLlamaComparison{"001", "LLaMA comparison",
                                             "Three LLaMA and RoFormer implementations compared"};
inline constexpr SourceText kKerasLayer{"002", "Keras layer", "The Keras layer"};
inline constexpr SourceText kBlockwiseDerivation{
    "003", "block-wise derivation", "The block-wise derivation with Hugging Face and Mistral"};
inline constexpr SourceText kLlamaWalkthrough{"004", "Llama walk-through",
                                              "The Chinese walk through Llama"};

/// Documents about several axes: papers, docstrings. They have claims, and no systems.
inline constexpr SourceText kPublicDocuments{"005", "public documents",
                                             "Public documents about several axes"};

/// The five texts and the public documents, in the order of their ids.
std::span<const SourceText> source_texts();

/// The text whose id `claim_id` begins with: that of "004-03" is kLlamaWalkthrough. Throws
/// std::out_of_range if there is none.
const SourceText& source_text_of(std::string_view claim_id);

/// "Llama walk-through, rotate_half": a place in a text, as a check or a system names its source.
std::string cite(const SourceText& text, std::string_view place);

}  // namespace ropescope
