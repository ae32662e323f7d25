// Writes positions as a table, as JSON and as tensors.
#include "app/cli/positions_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/record.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<SegmentRange> ranges_of(const BuiltPositions& built) {
    return built.placed->on_grids() ? segment_ranges(built.positions)
                                    : segment_ranges(built.positions, built.placed->plan);
}

/// "4", "0.25", "-1".
std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

std::string range_text(double least, double largest) {
    return least == largest ? number(least)
                            : fmt::format("{} to {}", number(least), number(largest));
}

/// "image 1 x 4 x 6", "text".
std::string kind_text(const PlacedLayout& placed, const TokenOrigin& token) {
    const std::string kind(to_string(token.kind));
    if (!token.in_segment() || token.kind == TokenKind::text || token.kind == TokenKind::sound) {
        return kind;
    }
    const PatchGrid& grid = placed.plan.layout.rows[token.row][token.segment].grid;
    return token.kind == TokenKind::frame
               ? fmt::format("{} {} x {}", kind, grid.rows, grid.columns)
               : fmt::format("{} {} x {} x {}", kind, grid.frames, grid.rows, grid.columns);
}

std::string jump_text(const SegmentRange& range, const SegmentRange* before) {
    if (before != nullptr && before->b == range.b && before->first.row != range.first.row) {
        return "begins again";
    }
    return !range.jump || *range.jump == 0 ? "" : fmt::format("{:+}", *range.jump);
}

/// A record for each segment of the positions.
Records segment_records(const BuiltPositions& built) {
    const std::vector<SegmentRange> ranges = ranges_of(built);
    Records records;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const SegmentRange& range = ranges[i];
        const Index last = range.token + range.count - 1;
        Record record = {
            {"row", "row", range.b, fmt::format("{}", range.b)},
            {"kind", "segment", to_string(range.first.kind), kind_text(*built.placed, range.first)},
            {"first_token", "tokens", range.token,
             range.count == 1 ? fmt::format("{}", last)
                              : fmt::format("{} to {}", range.token, last)},
            {"tokens", "", range.count}};
        if (range.first.in_segment()) {
            record.push_back({"segment", "", {range.first.row, range.first.segment}});
        }
        for (std::size_t axis = 0; axis < built.positions.axes.size(); ++axis) {
            const auto& [least, largest] = range.ranges[axis];
            const std::string& name = built.positions.axes[axis];
            record.push_back({name, name, {least, largest}, range_text(least, largest)});
        }
        record.push_back({"jump", "jump", range.jump ? Json(*range.jump) : Json(),
                          jump_text(range, i > 0 ? &ranges[i - 1] : nullptr)});
        records.push_back(std::move(record));
    }
    return records;
}

/// JSON has all segments.
std::string segment_table(const BuiltPositions& built) {
    constexpr Index kMostLines = 200;
    Records records = segment_records(built);
    const Index all = std::ssize(records);
    records.resize(std::min(all, kMostLines));
    return text_of(records) +
           (all <= kMostLines
                ? ""
                : fmt::format("{} of {} segments; --format json has all\n", kMostLines, all));
}

/// "1 of 26 tokens does not turn".
std::string still_text(const LayoutPositions& positions) {
    const auto still = std::ranges::count(positions.turns, false);
    return still == 0 ? ""
                      : fmt::format(
                            "{} of {} tokens {} not turn; their positions are written as "
                            "0\n",
                            still, positions.turns.size(), still == 1 ? "does" : "do");
}

std::string title(const BuiltPositions& built) {
    const PlacedLayout& placed = *built.placed;
    const LayoutPositions& positions = built.positions;
    const std::string how = placed.on_grids()
                                ? std::string("on the grid of patches")
                                : fmt::format("as {} numbers them", to_string(placed.plan.version));
    return fmt::format("{}: {} x {} tokens, positions in {}, {}\n", placed.origin, positions.batch,
                       positions.length, fmt::join(positions.axes, ", "), how);
}

std::string deltas_text(const BuiltPositions& built) {
    std::string text;
    constexpr Index kMost = 32;
    for (Index b = 0; b < std::min(std::ssize(built.positions.deltas), kMost); ++b) {
        text += fmt::format("row {}: rope_delta {}\n", b, built.positions.deltas[b]);
    }
    return text;
}

std::vector<Index> shape_of(const LayoutPositions& positions) {
    std::vector<Index> shape = {positions.batch, positions.length};
    if (positions.axes != std::vector<std::string>{"position"}) {
        shape.insert(shape.begin(), std::ssize(positions.axes));
    }
    return shape;
}

Tensor position_tensor(const BuiltPositions& built, const std::string& name) {
    const LayoutPositions& positions = built.positions;
    if (built.placed->on_grids()) {
        return make_tensor(name, shape_of(positions), std::span<const double>(positions.values));
    }
    std::vector<Index> ids;
    ids.reserve(positions.values.size());
    for (const double value : positions.values) {
        ids.push_back(round_to_index(value));
    }
    return make_tensor(name, shape_of(positions), std::span<const Index>(ids));
}

void append_tensors(const BuiltPositions& built, const std::string& prefix,
                    std::vector<Tensor>& tensors) {
    const LayoutPositions& positions = built.positions;
    tensors.push_back(position_tensor(built, prefix + "position_ids"));
    const auto append = [&](const char* name, std::vector<Index> shape,
                            const std::vector<Index>& values) {
        tensors.push_back(
            make_tensor(prefix + name, std::move(shape), std::span<const Index>(values)));
    };
    if (!positions.deltas.empty()) {
        append("rope_deltas", {positions.batch}, positions.deltas);
    }
    std::vector<Index> mask;
    for (const TokenOrigin& token : positions.origins) {
        mask.push_back(token.kind == TokenKind::padding ? 0 : 1);
    }
    append("attention_mask", {positions.batch, positions.length}, mask);
    if (!positions.turns.empty()) {
        append("turns", {positions.batch, positions.length},
               {positions.turns.begin(), positions.turns.end()});
    }
}

}  // namespace

std::string positions_text(const BuiltPositions& built) {
    return title(built) + segment_table(built) + deltas_text(built) + still_text(built.positions);
}

std::string confidence_line(const PlacedLayout& placed) {
    return placed.inferred.empty() ? "" : fmt::format("INFERRED, not known: {}\n", placed.inferred);
}

nlohmann::ordered_json confidence_json(const PlacedLayout& placed) {
    Json json{{"confidence", placed.inferred.empty() ? "known" : "inferred"}};
    if (!placed.inferred.empty()) {
        json["inferred"] = placed.inferred;
    }
    return json;
}

nlohmann::ordered_json positions_json(const BuiltPositions& built) {
    const PlacedLayout& placed = *built.placed;
    Json json = {{"layout", printable(placed.plan.layout.name)},
                 {"axes", built.positions.axes},
                 {"batch", built.positions.batch},
                 {"length", built.positions.length}};
    if (!placed.on_grids()) {
        json["runtime"] = std::string(to_string(placed.plan.version));
        json["rope_deltas"] = built.positions.deltas;
    }
    json["segments"] = json_of(segment_records(built));
    return json;
}

void write_positions(const std::filesystem::path& path, std::span<const BuiltPositions> built) {
    if (path.extension() == ".npy") {
        if (built.size() > 1) {
            throw InputError(
                fmt::format("-o: {} layouts, and a .npy holds one tensor; choose one by --name, or "
                            "end the name in .safetensors",
                            built.size()));
        }
        write_npy(path, position_tensor(built.front(), "position_ids").view());
        return;
    }
    std::vector<Tensor> tensors;
    for (const BuiltPositions& each : built) {
        append_tensors(each, built.size() == 1 ? "" : each.placed->plan.layout.name + "/", tensors);
    }
    write_safetensors(path, tensors);
}

}  // namespace ropescope::cli
