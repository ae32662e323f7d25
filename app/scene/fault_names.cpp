// Lists the names of faults for people.
#include "app/scene/fault_names.h"

#include <algorithm>
#include <array>

#include "core/faults/codes.h"

namespace ropescope {
namespace {

using faults::code;

constexpr std::string_view kLayout = "Layout", kDirection = "Direction", kSpeeds = "Speeds",
                           kPositions = "Positions", kRows = "Rows and heads", kLengths = "Lengths",
                           kTable = "Cos and sin";

constexpr auto kFaultNames = std::to_array<FaultName>({
    {code("layout.interleaved"), kLayout, "neighbours are the pairs"},
    {code("layout.half_split"), kLayout, "the halves are the pairs"},
    {code("layout.other"), kLayout, "channels in another order"},
    {code("partial_rotary"), kLayout, "too many or too few channels turn"},
    {code("sign.reversed"), kDirection, "every pair turns the other way"},
    {code("spectrum.default"), kSpeeds, "scaling or base forgotten"},
    {code("spectrum.scaled"), kSpeeds, "scaled in another way"},
    {code("spectrum.changes_at"), kSpeeds, "scaled for another length"},
    {code("spectrum.exponent_off_by_one"), kSpeeds, "exponent off by one"},
    {code("spectrum.inverted"), kSpeeds, "fast and slow pairs exchanged"},
    {code("spectrum.flat"), kSpeeds, "all pairs equally fast"},
    {code("spectrum.zero"), kSpeeds, "nothing turns"},
    {code("spectrum.low_precision"), kSpeeds, "speeds rounded to bf16"},
    {code("positions.low_precision"), kPositions, "positions rounded to bf16"},
    {code("positions.offset"), kPositions, "every token one place off"},
    {code("positions.restart"), kPositions, "positions count from 0 again"},
    {code("positions.per_row"), kPositions, "positions of the first row in all rows"},
    {code("positions.wrong_axis"), kPositions, "positions count along another axis"},
    {code("positions.clamped"), kPositions, "positions end with a short table"},
    {code("positions.scaled"), kPositions, "positions multiplied or divided"},
    {code("rows.unrotated"), kRows, "some rows or heads do not turn"},
    {code("gain"), kLengths, "attention factor lost or doubled"},
    {code("table.fp16"), kTable, "cos and sin rounded to fp16"},
    {code("table.bf16"), kTable, "cos and sin rounded to bf16"},
});

/// The beginning of a code, and where such findings stand.
struct Kin {
    std::string_view begins, group;
};
constexpr auto kKins = std::to_array<Kin>({
    {"layout.", kLayout},
    {"partial_rotary", kLayout},
    {"not_a_rotation", "No rotation"},
    {"spectrum.", kSpeeds},
    {"axes.", "Axes"},
    {"positions.", kPositions},
    {"rows.", kRows},
    {"k.", kRows},
    {"sign.", kDirection},
    {"phase", kDirection},
    {"gain", kLengths},
    {"softmax.", "Scores"},
    {"scores.", "Scores"},
    {"table.", kTable},
    {"matches.", "Known system"},
});

}  // namespace

std::span<const FaultName> fault_names() {
    return kFaultNames;
}

std::string fault_name(std::string_view code) {
    const auto* const found = std::ranges::find(kFaultNames, code, &FaultName::code);
    return std::string(found == kFaultNames.end() ? code : found->name);
}

std::string_view fault_group(std::string_view code) {
    const auto* const kin =
        std::ranges::find_if(kKins, [&](const Kin& each) { return code.starts_with(each.begins); });
    return kin == kKins.end() ? "" : kin->group;
}

}  // namespace ropescope
