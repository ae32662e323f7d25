// The tables that an implementation keeps: cos and sin by position, or frequencies.
// Sources: rope_table.cpp, and read_tables.cpp, which opens files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/diagnosis/rounding.h"
#include "core/formats/tensor.h"
#include "core/rope/layout.h"

namespace ropescope::diagnosis {

/// Of a table, which has one row for each position at most.
inline constexpr Index kMostTableNumbers = Index{1} << 28;

/// factors: what unscaled frequencies are divided by, as in llama.cpp's rope_freqs.weight.
enum class TableForm : std::uint8_t { cos_sin, frequencies, factors };

struct RopeTable {
    std::string name = {};  ///< "cos and sin", "model.rotary_emb.inv_freq"
    TableForm form = TableForm::cos_sin;
    FloatFormat format = {};  ///< that its values show
    Index rows = 0, pairs = 0;
    std::vector<double> cos = {}, sin = {};  ///< [rows, pairs]
    std::vector<double> values = {};         ///< [pairs] of frequencies and factors
    std::vector<double> positions = {};      ///< [rows]
    /// A table of the full width holds each number twice: for half-split pairs one half behind the
    /// other, for interleaved ones side by side. Empty for a table of half the width.
    std::optional<Layout> layout = {};
};

/// Whether tables_among() looks at a tensor of this name.
bool is_of_tables(const std::string& name);
/// Refuses what is larger than a table can be, before its numbers are read. Throws InputError.
void require_table_size(const std::string& origin, const TensorInfo& tensor);
/// Whether a file with tensors of these names holds tables and no dump.
bool are_tables(std::span<const std::string> names);

/// cos with sin ([L, D] or [L, D/2], also named cos_cached, sin_cache), cos_sin_cache [L, D] (first
/// all cosines, as in vLLM), freqs_cis (complex [L, D/2], or [L, D/2, 2], or [L, D/2, 2, 2] as in
/// FLUX), inv_freq [D/2] and rope_freqs [D/2], each with any words and a point before it; axes of
/// the size 1 do not matter. `positions` [L] says which rows they are, else 0, 1, 2, ... Throws
/// InputError that names the origin and the tensor.
std::vector<RopeTable> tables_among(std::span<const TensorBytes> tensors,
                                    const std::string& origin);

/// Reads a .safetensors, a .npz, or the one table of a .npy.
std::vector<RopeTable> read_tables(const std::filesystem::path& path);
/// Whether the path is such a file with tables and no dump.
bool is_table_file(const std::filesystem::path& path);

}  // namespace ropescope::diagnosis

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<diagnosis::TableForm> = {
    "cos_sin", "frequencies", "factors"};
}  // namespace ropescope
