// Faults of sound that is woven into a video: in which order, from where, and where its marks sit.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/positions/id_faults.h"
#include "core/positions/woven_sound.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

bool has_sound(const IdPlan& plan) {
    return any_segment(plan.layout, [](const Segment& segment) { return segment.sound > 0; });
}

/// Videos with sound counted as change(count, segment) says.
template <typename Change>
std::optional<MultimodalIds> recounted(const IdPlan& right, Change change) {
    if (!has_sound(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            if (segment.sound == 0) {
                return block_ids(right.rule, right.version, segment, start);
            }
            WovenCount count = woven_count(right.rule);
            change(count, segment);
            return woven_block_ids(right.rule, segment, frame_interval(right.rule, segment), start,
                                   count);
        };
    });
}

/// The ids in the order of another weave.
template <typename Other>
std::optional<MultimodalIds> reordered(const IdPlan& right, Other other) {
    return recounted(right, [&](WovenCount& count, const Segment& segment) {
        count.order = other(right.rule, segment);
    });
}

Weave video_first(const MultimodalRule& rule, const Segment& segment) {
    Weave all{std::vector<TokenKind>(merged_grid(rule, segment).tokens(), TokenKind::video), 0};
    all.last_piece = std::ssize(all.tokens);
    all.tokens.insert(all.tokens.end(), segment.sound, TokenKind::sound);
    return all;
}

Weave of_other_family(const MultimodalRule& rule, const Segment& segment) {
    return rule.family == MultimodalFamily::qwen3_omni ? weave_in_chunks(rule, segment)
                                                       : weave_by_time(rule, segment);
}

std::optional<MultimodalIds> in_chunks_of_a_second(const IdPlan& right) {
    return reordered(right, [](MultimodalRule rule, const Segment& segment) {
        rule.chunk_steps = std::max<Index>(1, floor_to_index(rule.tokens_per_second));
        return weave_in_chunks(rule, segment);
    });
}

IdFault sound_order() {
    return {faults::code("ids.sound_order"),
            "a video of several frames with sound that outlasts a frame or a chunk",
            has_sound,
            {{"Sound and frames come in the order of the other model: Qwen2.5-Omni takes them by "
              "turns in chunks of time, Qwen3-Omni always the token that is earlier.",
              [](const IdPlan& right) { return reordered(right, of_other_family); }},
             {"All frames come before the sound, and nothing is woven.",
              [](const IdPlan& right) { return reordered(right, video_first); }},
             {"Sound and frames come in chunks of one second, and not of seconds_per_chunk.",
              in_chunks_of_a_second}}};
}

IdFault sound_start() {
    return {faults::code("ids.sound_start"),
            "a video with sound",
            has_sound,
            {{"The sound of a video counts from behind its frames, and not from their start.",
              [](const IdPlan& right) {
                  return recounted(
                      right, [](WovenCount& count, const Segment&) { count.sound_behind = true; });
              }}}};
}

std::optional<MultimodalIds> with_marks(const IdPlan& right, bool other, bool behind_largest) {
    return recounted(right, [&](WovenCount& count, const Segment&) {
        count.own_marks = count.own_marks != other;
        count.behind_largest = behind_largest;
    });
}

IdFault sound_marks() {
    return {faults::code("ids.sound_marks"),
            "a video with sound, of which the last piece is not the one that reaches furthest",
            has_sound,
            {{"The marks of a video and of its sound share a position where each has its own "
              "(Qwen3-Omni), or the reverse (Qwen2.5-Omni).",
              [](const IdPlan& right) { return with_marks(right, true, false); }},
             {"The marks at the end sit behind the largest position of frames and sound, and not "
              "behind the last piece.",
              [](const IdPlan& right) { return with_marks(right, false, true); }},
             {"The marks are counted as vLLM does it: at the end behind the largest position, and "
              "two of them share a position where each has its own, or the reverse.",
              [](const IdPlan& right) { return with_marks(right, true, true); }}}};
}

}  // namespace

std::vector<IdFault> sound_faults() {
    return {sound_order(), sound_start(), sound_marks()};
}

}  // namespace ropescope
