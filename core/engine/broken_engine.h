// The CPU engine with a known fault, to show which checks find it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/engine/engine.h"

namespace ropescope {

/// Faults that real implementations have had.
enum class EngineFault { none, wrong_sign, wrong_layout, bf16_table, off_by_one };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<EngineFault> = {
    "none", "wrong_sign", "wrong_layout", "bf16_table", "off_by_one"};

/// What is wrong with such an engine, in one sentence for people.
std::string_view fault_text(EngineFault fault);

/// An engine that computes as `correct`, which must outlive it and its tensor operations, but for
/// the fault: cos and sin of the tables (sign, rounding, position), or the channels that a rotation
/// takes for pairs. Curves of scores and decay need no table and stay right, but for the sign and
/// the position.
std::unique_ptr<Engine> make_broken_engine(Engine& correct, EngineFault fault);

}  // namespace ropescope
