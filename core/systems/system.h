// A position encoding as one of the five texts writes it (core/systems/source_text.h): its code in
// its own tensor order, with its arithmetic and its failures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/enum_names.h"
#include "core/rope/table_rows.h"
#include "core/systems/nd.h"

namespace ropescope {

/// What the text intends its function to be, whether or not its code does so.
enum class SystemKind {
    rotary,          ///< x -> R_m x, for queries and keys
    additive,        ///< x -> x + p_m or W (x + p_m), before the projection
    additive_table,  ///< gives the rows p_m only; a model adds them to x
    score_bias       ///< leaves q and k alone and multiplies the score by a_mn
};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<SystemKind> = {
    "rotary", "additive", "additive table", "score bias"};

/// as_written: the dtypes of the code, rounded after every operation. real_numbers: the same
/// operations in double, to tell the shape of a formula from its rounding.
enum class Arithmetic { as_written, real_numbers };

/// Which projection a vector comes from.
enum class QkvRole { query, key, value };

struct SystemInput {
    nd::Array x;              ///< in the system's own axes; taken as fp32 when as_written
    double base = 10000.0;    ///< ignored by a system that has its base written in
    std::int64_t offset = 0;  ///< position of the first row of x
    PositionIds positions;    ///< where the code takes ids, [seq] or [batch, seq]; wins over offset
    /// Rows of the table that the code builds. Empty: exactly as many as the call needs.
    std::optional<std::int64_t> table_rows;
    QkvRole role = QkvRole::query;
    bool rotate_value = false;  ///< RoFormer's rotary_value: rotate V as well
    Arithmetic arithmetic = Arithmetic::as_written;

    /// The dtype to compute in where the code has `written`.
    NumberFormat dtype(NumberFormat written) const {
        return arithmetic == Arithmetic::as_written ? written : NumberFormat::fp64;
    }
};

/// The exception that the framework of the text raises, as a value.
struct FrameworkError {
    nd::Fault fault = nd::Fault::broadcast;
    std::string exception;  ///< "RuntimeError", "AssertionError", "InvalidArgumentError", ...
    std::string text;       ///< one line naming the shapes, in our words
};

using SystemResult = std::variant<nd::Array, FrameworkError>;

enum class Framework { torch, tensorflow };

/// The dtypes in which the code forms its numbers; its rounding error is derived from them.
struct SystemPrecision {
    NumberFormat angle = NumberFormat::fp32;
    NumberFormat table = NumberFormat::fp32;
};

struct System {
    std::string id;      ///< "meta_llama"
    std::string title;   ///< a few words for axes and lists
    std::string brief;   ///< at most kLongestBrief letters, for narrow axes
    std::string source;  ///< "LLaMA comparison, precompute_freqs_cis and apply_rotary_emb"
    std::string what;    ///< one sentence
    SystemKind kind = SystemKind::rotary;
    std::string axes;  ///< one letter an axis: b batch, h head, l position, d channel
    Framework framework = Framework::torch;
    SystemPrecision precision = {};
    /// The base that the code has written in; input.base is then ignored.
    std::optional<double> written_base = {};
    /// The transcription. Throws nd::Error where the framework would raise.
    std::function<nd::Array(const SystemInput&)> code = {};
    /// a_mn of a score bias at relative distance n - m; empty for all others (1).
    std::function<double(std::int64_t distance)> score_factor = {};

    /// Runs the code. Returns a failure that the framework would raise as a value.
    SystemResult apply(const SystemInput& input) const;
    double base(double wanted) const { return written_base.value_or(wanted); }
};

inline constexpr std::size_t kLongestBrief = 14;

/// Every system: those with adjacent pairs, those with half-split pairs, the broken ones, and those
/// that do not rotate.
const std::vector<System>& all_systems();

/// The system with this id. Throws InputError naming near matches if there is none.
const System& find_system(std::string_view id, const std::vector<System>& systems = all_systems());

}  // namespace ropescope
