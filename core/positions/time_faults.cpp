// Faults of the time axis of videos: seconds, intervals, and where they are applied.
#include <algorithm>
#include <cmath>

#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {
namespace {

/// Whether seconds count.
bool is_timed(const IdPlan& plan) {
    return plan.rule.family == MultimodalFamily::qwen2_5_vl;
}

/// The same, cut at each frame and not before.
bool is_omni(const IdPlan& plan) {
    return plan.rule.is_omni();
}

bool has_timed_videos(const IdPlan& plan) {
    return (is_timed(plan) || is_omni(plan)) && has_videos(plan);
}

bool has_timed_blocks(const IdPlan& plan) {
    return is_timed(plan) && has_blocks(plan);
}

double seconds_of(const Segment& segment) {
    return segment.second_per_grid.value_or(1.0);
}

/// Blocks whose frames are interval(rule, segment) steps of time apart.
template <typename Interval>
std::optional<MultimodalIds> spaced(const IdPlan& right, Interval interval) {
    if (!has_videos(right) || right.rule.family == MultimodalFamily::videorope) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            return spaced_block_ids(right.rule, right.version, segment,
                                    interval(right.rule, segment), start);
        };
    });
}

/// The same, of videos in models that count seconds.
template <typename Interval>
std::optional<MultimodalIds> timed(const IdPlan& right, Interval interval) {
    if (!has_timed_videos(right)) {
        return std::nullopt;
    }
    return spaced(right, [&](const MultimodalRule& rule, const Segment& segment) {
        return segment.kind == SegmentKind::video ? interval(rule, segment) : 1.0;
    });
}

/// What becomes of a block whose start is multiplied by the interval.
struct ScaledStart {
    bool images = true, videos = true;
    bool frames_advance = false;  ///< or all frames have the time of the start
    /// Rows are repeated for all frames at once: 0, 0, ..., 1, 1, ... over the whole block.
    bool rows_once = false;
};

BlockIds scaled_block(const IdPlan& right, const ScaledStart& style, const Segment& segment,
                      Index start) {
    BlockIds block = block_ids(right.rule, right.version, segment, start);
    const bool video = segment.kind == SegmentKind::video;
    if (!(video ? style.videos : style.images)) {
        return block;
    }
    const double interval =
        right.rule.tokens_per_second * (video ? std::trunc(seconds_of(segment)) : 1.0);
    const PatchGrid grid = merged_grid(right.rule, segment);
    Index largest = 0;
    for (Index i = 0; i < std::ssize(block.tokens); ++i) {
        AxisIds& ids = block.tokens[i];
        const Index frame = style.frames_advance ? i / (grid.rows * grid.columns) : 0;
        ids[0] = floor_to_index(to_double(start + frame) * interval);
        if (style.rows_once) {
            ids[1] = start + i / (grid.columns * grid.frames);
        }
        largest = std::max(largest, std::ranges::max(ids));
    }
    if (right.version == PositionVersion::transformers_4) {
        block.next = largest + 1;
    }
    return block;
}

std::optional<MultimodalIds> with_scaled_start(const IdPlan& right, const ScaledStart& style) {
    if (!has_timed_blocks(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            return scaled_block(right, style, segment, start);
        };
    });
}

bool has_numbered_frames(const IdPlan& plan) {
    return std::ranges::any_of(plan.layout.rows, [](const std::vector<Segment>& row) {
        return std::ranges::any_of(row, [](const Segment& segment) { return segment.number > 0; });
    });
}

/// Frames that are blocks of their own have the time of their place in the video, from the start of
/// their own block on, or from that of the first one.
std::optional<MultimodalIds> time_over_frames(const IdPlan& right, bool from_first) {
    if (!has_numbered_frames(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        Index first = 0;  // start of the video's first frame
        plan.block = [&right, from_first, first](const Segment& segment, Index start) mutable {
            first = segment.number == 0 ? start : first;
            BlockIds block = block_ids(right.rule, right.version, segment, start);
            for (AxisIds& ids : block.tokens) {
                ids[0] = (from_first ? first : start) + segment.number;
            }
            return block;
        };
    });
}

IdFault over_frames() {
    return {
        faults::code("ids.time_over_frames"),
        "a video of more than one frame in a model that counts each frame as a block",
        has_numbered_frames,
        {{"Time counts the frames of a video from each frame's own start on; this model gives a "
          "frame the time at which it starts, and its time stamp moves it.",
          [](const IdPlan& right) { return time_over_frames(right, false); }},
         {"Time counts the frames of a video from the start of the first one on; this model "
          "gives a frame the time at which it starts.",
          [](const IdPlan& right) { return time_over_frames(right, true); }}}};
}

/// Time counts the frames of a video before they are merged.
std::optional<MultimodalIds> unmerged_frames(const IdPlan& right) {
    if (right.rule.merged_frames() == 1) {
        return std::nullopt;
    }
    return spaced(right, [](const MultimodalRule& rule, const Segment& segment) {
        return segment.kind == SegmentKind::video ? to_double(rule.merged_frames()) : 1.0;
    });
}

IdFault time_rounded() {
    return {faults::code("ids.time_rounded"),
            "a video with seconds of a grid that are not whole",
            has_timed_videos,
            {{"The interval of time is not cut: frames are seconds * tokens_per_second apart, and "
              "transformers cuts the seconds to a whole number first.",
              [](const IdPlan& right) {
                  return is_omni(right)
                             ? std::nullopt
                             : timed(right, [](const MultimodalRule& rule, const Segment& segment) {
                                   return seconds_of(segment) * rule.tokens_per_second;
                               });
              }},
             {"The seconds of a grid are rounded to the nearest whole number, and not cut.",
              [](const IdPlan& right) {
                  return timed(right, [](const MultimodalRule& rule, const Segment& segment) {
                      return std::round(seconds_of(segment)) * rule.tokens_per_second;
                  });
              }},
             {"The seconds of a grid are rounded up, and not cut.",
              [](const IdPlan& right) {
                  return timed(right, [](const MultimodalRule& rule, const Segment& segment) {
                      return std::ceil(seconds_of(segment)) * rule.tokens_per_second;
                  });
              }},
             {"The product of seconds and tokens_per_second is cut to a whole number, and not the "
              "seconds.",
              [](const IdPlan& right) {
                  return timed(right, [](const MultimodalRule& rule, const Segment& segment) {
                      return std::trunc(seconds_of(segment) * rule.tokens_per_second);
                  });
              }},
             {"The product of seconds and tokens_per_second is rounded to a whole number.",
              [](const IdPlan& right) {
                  return timed(right, [](const MultimodalRule& rule, const Segment& segment) {
                      return std::round(seconds_of(segment) * rule.tokens_per_second);
                  });
              }},
             {"The seconds of a grid are cut to a whole number before they are multiplied, as "
              "Qwen2.5-VL does; Qwen-Omni cuts the product of each frame.",
              [](const IdPlan& right) {
                  return is_omni(right)
                             ? timed(right,
                                     [](const MultimodalRule& rule, const Segment& segment) {
                                         return std::trunc(seconds_of(segment)) *
                                                rule.tokens_per_second;
                                     })
                             : std::nullopt;
              }}}};
}

IdFault scaled_start() {
    return {
        faults::code("ids.time_scaled_start"),
        "a block behind text, in a model of which tokens_per_second or the seconds are not 1",
        has_timed_blocks,
        {{"The time at which a block starts is multiplied by the interval, and the rows of a "
          "video are repeated for all frames at once, as transformers 5.3.0 to 5.5.3 did.",
          [](const IdPlan& right) { return with_scaled_start(right, {.rows_once = true}); }},
         {"The time at which a video starts is multiplied by the interval, and its rows are "
          "repeated for all frames at once, as transformers 5.5.4 did.",
          [](const IdPlan& right) {
              return with_scaled_start(right, {.images = false, .rows_once = true});
          }},
         {"The time at which a block starts is multiplied by the interval, and all frames of a "
          "video have it.",
          [](const IdPlan& right) { return with_scaled_start(right, {}); }},
         {"The time at which a video starts is multiplied by the interval, and all its frames "
          "have it.",
          [](const IdPlan& right) { return with_scaled_start(right, {.images = false}); }},
         {"The interval multiplies the time at which a block starts together with the number of "
          "the frame.",
          [](const IdPlan& right) { return with_scaled_start(right, {.frames_advance = true}); }},
         {"The interval multiplies the time at which a video starts together with the number of "
          "the frame.",
          [](const IdPlan& right) {
              return with_scaled_start(right, {.images = false, .frames_advance = true});
          }},
         {"The time at which a still image starts is multiplied by tokens_per_second.",
          [](const IdPlan& right) { return with_scaled_start(right, {.videos = false}); }}}};
}

}  // namespace

std::vector<IdFault> time_faults() {
    return {
        time_rounded(),
        scaled_start(),
        over_frames(),
        {faults::code("ids.frames_unmerged"),
         "a video of two merged frames or more, in a model that merges frames",
         [](const IdPlan& plan) { return plan.rule.merged_frames() > 1 && has_videos(plan); },
         {{"Time counts the frames of a video before they are merged.", unmerged_frames}}},
        {faults::code("ids.seconds_lost"),
         "a video whose seconds of a grid are below 1, or 2 and more",
         has_timed_videos,
         {{"The seconds of a grid are not used: each video counts 1 second from frame to frame.",
           [](const IdPlan& right) {
               return timed(right, [](const MultimodalRule& rule, const Segment&) {
                   return rule.tokens_per_second;
               });
           }}}},
        {faults::code("ids.interval_missing"),
         "a video whose frames are not 1 step of time apart",
         has_timed_videos,
         {{"Frames of a video are 1 step of time apart, whatever their seconds.",
           [](const IdPlan& right) {
               return timed(right, [](const MultimodalRule&, const Segment&) { return 1.0; });
           }},
          {"The seconds of a grid are not multiplied by tokens_per_second.",
           [](const IdPlan& right) {
               return timed(right, [](const MultimodalRule&, const Segment& segment) {
                   return std::trunc(seconds_of(segment));
               });
           }}}},
        {faults::code("ids.time_missing"),
         "a video of more than one frame whose interval is not 0",
         has_videos,
         {{"All frames of a video have the time of the first.", [](const IdPlan& right) {
               return spaced(right, [](const MultimodalRule&, const Segment&) { return 0.0; });
           }}}}};
}

}  // namespace ropescope
