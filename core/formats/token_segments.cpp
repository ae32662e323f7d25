// Reads segments of text, images, videos and frames, and compares them with the lists of grids that
// a processor makes.
#include "core/formats/token_segments.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_segment(const std::string& where, const std::string& what) {
    throw InputError(fmt::format("{}: {}", where, what));
}

/// A whole number that fits into an Index.
bool is_whole(const Json& value) {
    return value.is_number_integer() &&
           !(value.is_number_unsigned() &&
             value.get<std::uint64_t>() >
                 static_cast<std::uint64_t>(std::numeric_limits<Index>::max()));
}

/// `count` whole numbers.
std::vector<Index> read_sides(const Json& value, std::size_t count, const std::string& where) {
    const std::string form = count == 3 ? "[t, h, w]" : "[h, w]";
    if (!value.is_array() || value.size() != count || !std::ranges::all_of(value, is_whole)) {
        refuse_segment(where, fmt::format("{} is expected, whole numbers of patches", form));
    }
    return value.get<std::vector<Index>>();
}

PatchGrid read_grid(const Json& value, SegmentKind kind, const std::string& where) {
    if (kind == SegmentKind::frame) {
        const std::vector<Index> sides = read_sides(value, 2, where);
        return {1, sides[0], sides[1]};
    }
    const std::vector<Index> sides = read_sides(value, 3, where);
    return {sides[0], sides[1], sides[2]};
}

/// The keys beside that of the kind.
std::vector<std::string> known_keys(SegmentKind kind) {
    switch (kind) {
        case SegmentKind::text:
            return {"text", "closes_video"};
        case SegmentKind::image:
            return {"image"};
        case SegmentKind::video:
            return {"video", "second_per_grid", "audio"};
        case SegmentKind::frame:
            break;
    }
    return {"frame", "index", "of"};
}

void check_keys(const Json& segment, SegmentKind kind, const std::string& where) {
    const std::vector<std::string> known = known_keys(kind);
    for (const auto& [key, value] : segment.items()) {
        if (std::ranges::find(known, key) == known.end()) {
            refuse_segment(where, fmt::format("{} is not a key of a {} segment{}", in_quotes(key),
                                              to_string(kind), did_you_mean(key, known)));
        }
        if (key == "closes_video" && !value.is_boolean()) {
            refuse_segment(where + ".closes_video", "true or false is expected");
        }
        if ((key == "index" || key == "of") && (!is_whole(value) || value.get<Index>() < 0)) {
            refuse_segment(where + "." + key, "a number of frames is expected");
        }
    }
}

SegmentKind kind_of(const Json& segment, const std::string& where) {
    if (segment.is_object()) {
        for (const SegmentKind kind :
             {SegmentKind::text, SegmentKind::image, SegmentKind::video, SegmentKind::frame}) {
            if (segment.contains(to_string(kind))) {
                return kind;
            }
        }
    }
    refuse_segment(where, "an object with text, audio, image, video or frame is expected");
}

/// Tokens of sound.
Index read_sound(const Json& segment, const std::string& where) {
    const Json& value = segment.at("audio");
    if (!is_whole(value) || value.get<Index>() < 0) {
        refuse_segment(
            where + ".audio",
            fmt::format("a number of tokens, whole and not below 0, is expected; {} is found",
                        value.dump()));
    }
    return value.get<Index>();
}

/// Sound alone counts as text: one position for each of its tokens, the same in all axes.
std::optional<Segment> read_sound_alone(const Json& json, const std::string& where) {
    if (!json.is_object() || !json.contains("audio") || json.contains("video")) {
        return std::nullopt;
    }
    if (json.size() != 1) {
        refuse_segment(where + ".audio", "it stands alone, or beside the video that it belongs to");
    }
    return Segment{.kind = SegmentKind::text, .text = read_sound(json, where)};
}

Segment read_segment(const Json& json, const std::string& where) {
    if (const std::optional<Segment> sound = read_sound_alone(json, where)) {
        return *sound;
    }
    Segment segment{.kind = kind_of(json, where)};
    check_keys(json, segment.kind, where);
    const std::string key(to_string(segment.kind));
    const Json& value = json.at(key);
    const std::string place = where + "." + key;
    if (segment.kind == SegmentKind::text) {
        if (!is_whole(value) || value.get<Index>() < 0) {
            refuse_segment(
                place,
                fmt::format("a number of tokens, whole and not below 0, is expected; {} is found",
                            value.dump()));
        }
        segment.text = value.get<Index>();
        return segment;
    }
    segment.grid = read_grid(value, segment.kind, place);
    if (segment.kind == SegmentKind::frame) {
        segment.number = json.value("index", Index{0});
        const Index frames = json.value("of", segment.number + 1);
        if (segment.number >= frames) {
            refuse_segment(where + ".index",
                           fmt::format("frame {} of {}; a number below that of the frames "
                                       "is expected",
                                       segment.number, frames));
        }
    }
    if (const auto seconds = json.find("second_per_grid"); seconds != json.end()) {
        if (!seconds->is_number()) {
            refuse_segment(where + ".second_per_grid", "a number of seconds is expected");
        }
        segment.second_per_grid = seconds->get<double>();
    }
    if (json.contains("audio")) {
        segment.sound = read_sound(json, where);
    }
    return segment;
}

/// The segments of a layout as the file has them, row by row.
std::vector<const Json*> json_segments(const ConfigObject& layout) {
    std::vector<const Json*> segments;
    const auto append = [&](const Json& row) {
        for (const Json& segment : row) {
            segments.push_back(&segment);
        }
    };
    if (const Json* row = layout.find("row")) {
        append(*row);
    } else {
        std::ranges::for_each(*layout.find("rows"), append);
    }
    return segments;
}

std::string grids_text(std::span<const PatchGrid> grids) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(grids.size(), kMost); ++i) {
        text += fmt::format("{}[{}, {}, {}]", i == 0 ? "" : ", ", grids[i].frames, grids[i].rows,
                            grids[i].columns);
    }
    return grids.empty() ? "none" : text + (grids.size() > kMost ? ", ..." : "");
}

/// A list [[t, h, w], ...]; nothing if the key is missing or null.
std::optional<std::vector<PatchGrid>> stated_grids(const ConfigObject& layout, const char* key) {
    const Json* list = layout.find(key);
    if (list == nullptr) {
        return std::nullopt;
    }
    if (!list->is_array()) {
        layout.fail(key, "a list of [t, h, w] is expected");
    }
    std::vector<PatchGrid> grids;
    for (std::size_t i = 0; i < list->size(); ++i) {
        grids.push_back(read_grid((*list)[i], SegmentKind::image,
                                  fmt::format("{}[{}]", layout.path_of(key), i)));
    }
    return grids;
}

void compare_grids(const ConfigObject& layout, const char* key,
                   std::span<const PatchGrid> of_rows) {
    const auto stated = stated_grids(layout, key);
    if (stated && !std::ranges::equal(*stated, of_rows)) {
        layout.fail(key, fmt::format("{}, and the rows have {}; let both say the same",
                                     grids_text(*stated), grids_text(of_rows)));
    }
}

std::vector<PatchGrid> images(const TokenLayout& layout) {
    std::vector<PatchGrid> grids;
    for (const auto& row : layout.rows) {
        for (const Segment& segment : row) {
            if (segment.kind == SegmentKind::image) {
                grids.push_back(segment.grid);
            }
        }
    }
    return grids;
}

/// Videos, and frames that say to which video they belong; nothing if a frame does not.
std::optional<std::vector<PatchGrid>> videos(const ConfigObject& layout, const TokenLayout& read) {
    std::vector<PatchGrid> grids;
    const std::vector<const Json*> segments = json_segments(layout);
    std::size_t i = 0;
    for (const auto& row : read.rows) {
        for (const Segment& segment : row) {
            const Json& json = *segments[i++];
            if (segment.kind == SegmentKind::video) {
                grids.push_back(segment.grid);
            } else if (segment.kind == SegmentKind::frame) {
                if (!json.contains("index") || !json.contains("of")) {
                    return std::nullopt;
                }
                if (json.at("index") == 0) {
                    grids.push_back(
                        {json.at("of").get<Index>(), segment.grid.rows, segment.grid.columns});
                }
            }
        }
    }
    return grids;
}

void compare_seconds(const ConfigObject& layout, const TokenLayout& read) {
    const char* key = "second_per_grid_ts";
    const Json* list = layout.find(key);
    if (list == nullptr) {
        return;
    }
    std::vector<double> of_rows;
    for (const auto& row : read.rows) {
        for (const Segment& segment : row) {
            if (segment.kind == SegmentKind::video) {
                of_rows.push_back(segment.second_per_grid.value_or(1.0));
            }
        }
    }
    const bool numbers = list->is_array() && std::ranges::all_of(*list, [](const Json& value) {
                             return value.is_number();
                         });
    if (!numbers || list->get<std::vector<double>>() != of_rows) {
        layout.fail(key, fmt::format("the rows have {} videos, whose seconds are expected here; "
                                     "let both say the same",
                                     of_rows.size()));
    }
}

}  // namespace

std::vector<Segment> read_segments(const Json& row, const std::string& where) {
    if (!row.is_array()) {
        refuse_segment(where, "a list of segments is expected");
    }
    std::vector<Segment> segments;
    const Segment* before = nullptr;  // the last one that is not text
    segments.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        Segment segment = read_segment(row[i], fmt::format("{}[{}]", where, i));
        if (segment.kind == SegmentKind::frame && !row[i].contains("index")) {
            const bool goes_on = before != nullptr && before->kind == SegmentKind::frame &&
                                 before->grid == segment.grid;
            segment.number = goes_on ? before->number + 1 : 0;
        }
        segments.push_back(segment);
        before = segment.kind == SegmentKind::text ? before : &segments.back();
    }
    return segments;
}

void check_stated_grids(const ConfigObject& layout, const TokenLayout& read) {
    compare_grids(layout, "image_grid_thw", images(read));
    if (const auto of_rows = videos(layout, read)) {
        compare_grids(layout, "video_grid_thw", *of_rows);
    }
    compare_seconds(layout, read);
}

}  // namespace ropescope
