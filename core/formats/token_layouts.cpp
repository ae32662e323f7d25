// Reads layouts of tokens.
#include "core/formats/token_layouts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& where, const std::string& what) {
    throw InputError(fmt::format("{}: {}", where, what));
}

/// `count` whole numbers.
std::vector<Index> read_sides(const Json& value, std::size_t count, const std::string& where) {
    const std::string form = count == 3 ? "[t, h, w]" : "[h, w]";
    if (!value.is_array() || value.size() != count ||
        !std::ranges::all_of(value, [](const Json& side) { return side.is_number_integer(); })) {
        fail(where, fmt::format("{} is expected, whole numbers of patches", form));
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

/// Keys that say how the frames of a video belong together change no position.
void check_keys(const Json& segment, SegmentKind kind, const std::string& where) {
    const std::vector<std::string> known = {std::string(to_string(kind)), "second_per_grid",
                                            "index", "of", "closes_video"};
    for (const auto& [key, value] : segment.items()) {
        if (std::ranges::find(known, key) == known.end()) {
            fail(where, fmt::format("{} is not a key of a {} segment{}", in_quotes(key),
                                    to_string(kind), did_you_mean(key, known)));
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
    fail(where, "an object with text, image, video or frame is expected");
}

Segment read_segment(const Json& json, const std::string& where) {
    Segment segment{.kind = kind_of(json, where)};
    check_keys(json, segment.kind, where);
    const std::string key(to_string(segment.kind));
    const Json& value = json.at(key);
    const std::string place = where + "." + key;
    if (segment.kind == SegmentKind::text) {
        if (!value.is_number_integer() || value.get<Index>() < 0) {
            fail(place, "a number of tokens is expected");
        }
        segment.text = value.get<Index>();
        return segment;
    }
    segment.grid = read_grid(value, segment.kind, place);
    if (const auto seconds = json.find("second_per_grid"); seconds != json.end()) {
        if (!seconds->is_number()) {
            fail(where + ".second_per_grid", "a number of seconds is expected");
        }
        segment.second_per_grid = seconds->get<double>();
    }
    return segment;
}

std::vector<Segment> read_row(const Json& json, const std::string& where) {
    if (!json.is_array()) {
        fail(where, "a list of segments is expected");
    }
    std::vector<Segment> row;
    for (std::size_t i = 0; i < json.size(); ++i) {
        row.push_back(read_segment(json[i], fmt::format("{}[{}]", where, i)));
    }
    return row;
}

Padding read_padding(const ConfigObject& layout) {
    const std::string text = layout.text("padding").value_or("none");
    const auto padding = enum_value<Padding>(text);
    if (!padding) {
        layout.fail("padding", fmt::format("{}; left, right or none is expected", in_quotes(text)));
    }
    return *padding;
}

TokenLayout read_layout(const ConfigObject& json) {
    TokenLayout layout{.name = json.text("name").value_or(""),
                       .padding = read_padding(json),
                       .rows = {},
                       .length = json.integer("sequence_length", 0, kMaxTokens)};
    if (const Json* row = json.find("row")) {
        layout.rows = {read_row(*row, json.path_of("row"))};
        return layout;
    }
    const Json* rows = json.find("rows");
    if (rows == nullptr || !rows->is_array()) {
        json.fail("rows", "a list of rows is expected, each a list of segments");
    }
    for (std::size_t b = 0; b < rows->size(); ++b) {
        layout.rows.push_back(read_row((*rows)[b], fmt::format("{}[{}]", json.path_of("rows"), b)));
    }
    return layout;
}

}  // namespace

TokenLayouts parse_token_layouts(std::string_view json, const std::string& origin) {
    const Json parsed = parse_config_json(json, origin);
    const ConfigObject file(parsed, printable(origin));
    TokenLayouts read{
        {}, file.integer("spatial_merge_size", 1, 64), file.positive("tokens_per_second", 1e6)};
    const Json* list = file.find("layouts");
    if (list == nullptr) {
        read.layouts.push_back(read_layout(file));
        return read;
    }
    if (!list->is_array()) {
        file.fail("layouts", "a list of layouts is expected");
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string where = fmt::format("{}[{}]", file.path_of("layouts"), i);
        if (!(*list)[i].is_object()) {
            fail(where, "an object with rows is expected");
        }
        read.layouts.push_back(read_layout(ConfigObject((*list)[i], where, true)));
    }
    return read;
}

MultimodalRule with_layout(MultimodalRule rule, const TokenLayouts& file) {
    rule.merge = file.merge.value_or(rule.merge);
    rule.tokens_per_second = file.tokens_per_second.value_or(rule.tokens_per_second);
    return rule;
}

}  // namespace ropescope
