// Reads layouts of tokens from a line of text.
#include "core/positions/layout_text.h"

#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/positions/multimodal_ids.h"

namespace ropescope {
namespace {

constexpr std::string_view kForm =
    "give parts like text 4, image 4x6, video 4x4x6 0.5s, padding 3, decode 2, chunk 8 4, "
    "kept 0 1 8, ranks 2 with commas between them";

[[noreturn]] void refuse(std::string_view part) {
    throw InputError(fmt::format("{} is not a part of a layout; {}", in_quotes(part), kForm));
}

template <typename Number>
Number number(std::string_view text, Number least, Number most, std::string_view part) {
    if (const std::string wrong = misread(text); !wrong.empty()) {
        throw InputError(fmt::format("{}: {}", in_quotes(part), wrong));
    }
    const std::optional<Number> value = parse_number<Number>(text);
    if (!value || *value < least || *value > most) {
        refuse(part);
    }
    return *value;
}

PatchGrid grid(std::string_view text, std::size_t fewest, std::string_view part) {
    std::vector<Index> sides;
    for (const std::string_view side : split(text, 'x')) {
        sides.push_back(number<Index>(side, 1, kMaxTextTokens, part));
    }
    if (sides.size() < fewest || sides.size() > 3) {
        refuse(part);
    }
    return sides.size() == 2 ? PatchGrid{1, sides[0], sides[1]}
                             : PatchGrid{sides[0], sides[1], sides[2]};
}

/// A layout while its parts are read.
struct Reading {
    const MultimodalRule& rule;
    TokenLayout layout;
    Index padding = 0;

    bool frames_alone() const {
        return rule.family == MultimodalFamily::qwen3_vl || rule.family == MultimodalFamily::glm4v;
    }
    std::vector<Segment>& row() { return layout.rows.back(); }

    void add_video(const PatchGrid& patches, std::optional<double> seconds, Index sound) {
        if (!frames_alone()) {
            row().push_back({.kind = SegmentKind::video,
                             .grid = patches,
                             .second_per_grid = seconds,
                             .sound = sound});
            return;
        }
        for (Index frame = 0; frame < patches.frames; ++frame) {
            row().push_back({.kind = SegmentKind::text, .text = kStampTokens});
            row().push_back({.kind = SegmentKind::frame,
                             .grid = {1, patches.rows, patches.columns},
                             .number = frame});
        }
    }

    /// "video 4x4x6", "video 4x4x6 0.5s", each with or without "audio 60" behind it.
    void add_video(const std::vector<std::string_view>& words, std::string_view part) {
        const bool timed = words.size() > 2 && words[2].ends_with('s');
        const std::size_t behind = timed ? 3 : 2;
        const bool sounds =
            words.size() == behind + 2 && words[behind] == "audio" && !frames_alone();
        if (!sounds && words.size() != behind) {
            refuse(part);
        }
        add_video(grid(words[1], 3, part),
                  timed ? std::optional(number<double>(words[2].substr(0, words[2].size() - 1), 0.0,
                                                       1e6, part))
                        : std::nullopt,
                  sounds ? number<Index>(words.back(), 1, kMaxTextTokens, part) : 0);
    }

    void add_padding(Index tokens, std::string_view part) {
        const bool first = layout.rows.size() == 1;
        if (padding > 0 || (!first && row().empty())) {
            refuse(part);
        }
        padding = tokens;
        layout.padding = row().empty() ? Padding::left : Padding::right;
    }

    /// The part of the tokens that is shown.
    void add_part(const std::vector<std::string_view>& words, std::string_view part) {
        const auto whole = [&](std::size_t word, Index least) {
            return number<Index>(words[word], least, kMaxTextTokens, part);
        };
        if (layout.chunk || layout.shards || !layout.kept.empty()) {
            refuse(part);
        }
        if (words[0] == "kept") {
            for (std::size_t word = 1; word < words.size(); ++word) {
                const Index least = layout.kept.empty() ? 0 : layout.kept.back() + 1;
                layout.kept.push_back(whole(word, least));
            }
        } else if (words[0] == "chunk" && words.size() == 3) {
            layout.chunk = TokenRange{whole(1, 0), whole(2, 1)};
        } else if (words[0] == "ranks" && words.size() == 2) {
            layout.shards = ContextShards{whole(1, 1), {}};
        } else if (words[0] == "rank" && words.size() == 4 && words[2] == "of") {
            layout.shards = ContextShards{whole(3, 1), whole(1, 0)};
        } else {
            refuse(part);
        }
    }

    void add(std::string_view part) {
        const std::vector<std::string_view> words = split(part, ' ');
        const bool of_part =
            words[0] == "chunk" || words[0] == "kept" || words[0] == "rank" || words[0] == "ranks";
        const bool behind = layout.padding == Padding::right || layout.decode_steps > 0 ||
                            layout.chunk || layout.shards || !layout.kept.empty();
        if (words.size() < 2 || (behind && words[0] != "decode" && !of_part)) {
            refuse(part);
        }
        const std::string_view value = words[1];
        if (of_part) {
            add_part(words, part);
        } else if (words[0] == "video") {
            add_video(words, part);
        } else if (words.size() != 2) {
            refuse(part);
        } else if (words[0] == "text" || words[0] == "audio") {  // which counts alike
            row().push_back(
                {.kind = SegmentKind::text, .text = number<Index>(value, 0, kMaxTextTokens, part)});
        } else if (words[0] == "image") {
            row().push_back({.kind = SegmentKind::image, .grid = grid(value, 2, part)});
        } else if (words[0] == "padding") {
            add_padding(number<Index>(value, 1, kMaxTextTokens, part), part);
        } else if (words[0] == "decode" && layout.decode_steps == 0) {
            layout.decode_steps = number<Index>(value, 1, kMaxTextTokens, part);
        } else {
            refuse(part);
        }
    }
};

Index tokens_of(const std::vector<Segment>& row, const MultimodalRule& rule) {
    return std::accumulate(row.begin(), row.end(), Index{0}, [&](Index sum, const Segment& s) {
        return std::min(kMaxTokens, sum + std::min(kMaxTokens, token_count(rule, s)));
    });
}

}  // namespace

TokenLayout parse_layout_text(std::string_view text, const MultimodalRule& rule) {
    Reading reading{rule, {}};
    for (const std::string_view document : split(text, '|')) {
        reading.layout.rows.emplace_back();
        for (const std::string_view part : split_list(document)) {
            reading.add(part);
        }
    }
    TokenLayout& layout = reading.layout;
    layout.packed = layout.rows.size() > 1;
    Index all = layout.decode_steps + reading.padding;
    for (const auto& row : layout.rows) {
        all += tokens_of(row, rule);
    }
    if (all < 1 || all > kMaxTextTokens) {
        throw InputError(fmt::format("{} tokens; give a layout of 1 to {}", all, kMaxTextTokens));
    }
    if (layout.packed && reading.padding > 0) {
        layout.filled_length = all - layout.decode_steps;
    } else if (reading.padding > 0) {
        layout.rows.push_back({Segment{.text = tokens_of(layout.rows[0], rule) + reading.padding}});
    }
    return layout;
}

}  // namespace ropescope
