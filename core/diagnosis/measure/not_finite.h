// Numbers of a dump that are NaN or infinite: where they are, and what the others show. A rotation
// makes none of finite numbers, so that the place where they begin is the symptom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/rope/layout.h"

namespace ropescope::diagnosis {

/// Those of one tensor. Behind the rotation only those count whose whole row was finite before it.
struct NotFinite {
    Side side = Side::none;
    bool behind = false;  ///< the rotation
    std::string tensor = {};
    Index nan = 0, infinite = 0, of = 0;
    /// The first of them: of the earliest token, then the first row, head and channel.
    Index token = 0, row = 0, head = 0, channel = 0;
    double position = 0.0;     ///< of that token, on the first axis
    bool beyond_half = false;  ///< they stand where a position is beyond 65504, and nowhere else
    std::vector<Index> tokens = {}, rows = {}, heads = {}, channels = {};  ///< with any
    std::vector<Index> pairs = {};   ///< if the layout is known and all channels are in pairs
    std::vector<Index> layers = {};  ///< that this was found in, if there are several

    Index count() const { return nan + infinite; }
};

/// Empty if all numbers of q, q_rot, k and k_rot are finite.
std::vector<NotFinite> not_finite_in(const Dump& dump);

/// Of each side the longest run of tokens that are finite in all rows and heads, with their
/// positions, without scores. A side without two such tokens is left out.
struct FinitePart {
    Dump dump = {};
    bool from_start = true;  ///< tokens have the numbers that they have in the whole dump
};
FinitePart finite_part(const Dump& dump);

/// Sets the pairs that the channels belong to, which lie at `written` behind the rotation.
void name_pairs(NotFinite& numbers, const std::vector<ChannelPair>& written);

Finding finding_of(const NotFinite& numbers, const DumpTensor& tensor);

}  // namespace ropescope::diagnosis
