// Segments of a sequence, short to write.
#pragma once

#include <string>
#include <vector>

#include "core/positions/position_check.h"

namespace ropescope::test {

inline Segment text(Index tokens) {
    return {.kind = SegmentKind::text, .text = tokens};
}
inline Segment image(Index rows, Index columns) {
    return {.kind = SegmentKind::image, .grid = {1, rows, columns}};
}
inline Segment video(Index frames, Index rows, Index columns, double seconds = 1.0) {
    return {SegmentKind::video, 0, {frames, rows, columns}, seconds};
}

inline constexpr auto kOlder = PositionVersion::transformers_4;
inline constexpr auto kNewer = PositionVersion::transformers_5;

inline std::vector<std::string> codes(const PositionVerdict& verdict) {
    std::vector<std::string> all;
    for (const faults::NamedFault& finding : verdict.findings) {
        all.push_back(finding.code);
    }
    return all;
}

}  // namespace ropescope::test
