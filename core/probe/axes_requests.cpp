// Requests for models in several axes.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/faults/codes.h"
#include "core/probe/requests.h"

namespace ropescope::probe {
namespace {

using Place = std::vector<double>;

/// [axes, tokens]
std::vector<double> laid_out(const std::vector<Place>& places, Index axes) {
    std::vector<double> positions;
    for (Index a = 0; a < axes; ++a) {
        for (const Place& place : places) {
            positions.push_back(place[a]);
        }
    }
    return positions;
}

/// The patches of a grid from `first` on: the last two axes count rows and columns, the first of
/// more counts frames, and what is between them something else that differs.
void append_grid(std::vector<Place>& places, Index axes, const PatchGrid& grid, Index first) {
    for (Index f = 0; f < grid.frames; ++f) {
        for (Index r = 0; r < grid.rows; ++r) {
            for (Index c = 0; c < grid.columns; ++c) {
                Place place;
                for (Index a = 0; a < axes; ++a) {
                    const Index from_end = axes - 1 - a;
                    const Index index = from_end == 0   ? c
                                        : from_end == 1 ? r
                                        : a == 0        ? f
                                                        : (3 * f + 2 * r + c) % 4;
                    place.push_back(to_double(first + index));
                }
                places.push_back(std::move(place));
            }
        }
    }
}

void append_text(std::vector<Place>& places, Index axes, Index first, Index count) {
    for (Index t = 0; t < count; ++t) {
        places.emplace_back(axes, to_double(first + t));
    }
}

/// A grid, with text around it if the model has text.
std::vector<Place> scene_of(const RequestList& list, const PatchGrid& grid) {
    const Index axes = list.subject().axes(), before = list.subject().decodes() ? 3 : 0;
    std::vector<Place> places;
    append_text(places, axes, 0, before);
    append_grid(places, axes, grid, before);
    if (before > 0) {
        append_text(places, axes, before + std::max(grid.rows, grid.columns), 3);
    }
    return places;
}

void add_grids(RequestList& list) {
    const Index axes = list.subject().axes();
    const auto add = [&](Purpose purpose, const PatchGrid& grid) {
        const std::vector<Place> places = scene_of(list, grid);
        list.add(std::move(purpose), {1, 2, 2, std::ssize(places)}, laid_out(places, axes));
    };
    add({"sequence", "layout, axes.map, axes.swapped, spectrum",
         "A grid whose frames, rows and columns differ in number shows by which axis each pair "
         "turns."},
        {2, 4, 7});
    add({"wide grid", faults::code("axes.swapped"),
         "Rows and columns can be told apart in a grid of 2 x 5."},
        {1, 2, 5});
    add({"high grid", faults::code("axes.swapped"),
         "The same grid with rows and columns exchanged."},
        {1, 5, 2});
}

void add_single_axes(RequestList& list) {
    const Index axes = list.subject().axes();
    for (Index a = 0; a < axes; ++a) {
        std::vector<double> positions(static_cast<std::size_t>(axes * 6));
        for (Index l = 0; l < 6; ++l) {
            positions[a * 6 + l] = to_double(l + 1);
        }
        list.add(
            {fmt::format("axis {} alone", list.subject().scheme.axes[a]), faults::code("axes.map"),
             "Only the pairs of one axis turn, as all other positions are 0."},
            {1, 1, 1, 6}, positions);
    }
    list.add({"the same in all axes", "spectrum, axes.map",
              "Where all axes agree, as in text, each pair turns by the sum of its speeds."},
             {1, 2, 2, 16},
             laid_out(
                 [&] {
                     std::vector<Place> places;
                     append_text(places, axes, 0, 16);
                     return places;
                 }(),
                 axes));
}

/// Fractions and negative numbers, if the model's own rule makes them.
void add_own_positions(RequestList& list) {
    const auto* rule = std::get_if<GridRule>(&list.subject().scheme.positions);
    if (rule == nullptr) {
        return;
    }
    for (const PatchGrid& grid : {PatchGrid{1, 4, 6}, PatchGrid{1, 4, 4}}) {
        try {
            const TokenPositions own = grid_positions(*rule, {{grid}, 0});
            std::vector<double> positions;
            Index length = 0;
            for (Index a = 0; a < own.axes; ++a) {
                for (Index t = 0; t < own.tokens(); ++t) {
                    if (own.turns[t]) {
                        positions.push_back(own.values[a * own.tokens() + t]);
                    }
                }
            }
            length = std::ssize(positions) / own.axes;
            list.add({"own positions", "spectrum, positions.low_precision",
                      "The positions that the model itself gives to a grid."},
                     {1, 1, 1, length}, positions);
            return;
        } catch (const InputError&) {
            continue;  // a grid that the model does not take
        }
    }
}

void add_rows(RequestList& list) {
    const Index axes = list.subject().axes();
    std::vector<Place> wide, high;
    append_grid(wide, axes, {1, 2, 5}, 0);
    append_grid(high, axes, {1, 5, 2}, 0);
    std::vector<double> positions;
    const std::vector<double> of_wide = laid_out(wide, axes), of_high = laid_out(high, axes);
    for (Index a = 0; a < axes; ++a) {
        for (const auto* row : {&of_wide, &of_high}) {
            positions.insert(positions.end(), row->begin() + a * 10, row->begin() + (a + 1) * 10);
        }
    }
    list.add({"two images", "positions.per_row, rows.unrotated",
              "Two rows whose images have other shapes."},
             {2, 2, 2, 10}, positions);
    std::vector<double> one;
    for (Index a = 0; a < axes; ++a) {
        one.insert(one.end(), {to_double(9 + a), to_double(5 + 2 * a)});
    }
    list.add({"two rows of one token", "rows.unrotated, positions.wrong_axis",
              "Kernels for one token a row are known to turn the first row only."},
             {2, 2, 2, 1}, one);
    for (const Index length : {31, 33, 257, 513}) {
        std::vector<Place> places;
        append_grid(places, axes, {1, 3, length / 3 + 1}, 0);
        places.resize(static_cast<std::size_t>(length));
        list.add({fmt::format("{} tokens", length), "kernels that work in blocks",
                  "Lengths beside a power of two leave a rest behind the blocks of a kernel."},
                 {1, 1, 1, length}, laid_out(places, axes));
    }
}

/// What a decoder with images does.
void add_axes_decode(RequestList& list) {
    const Index axes = list.subject().axes();
    if (!list.subject().decodes()) {
        return;
    }
    const auto at = [&](std::vector<double> rows) {
        std::vector<double> positions;
        for (Index a = 0; a < axes; ++a) {
            positions.insert(positions.end(), rows.begin(), rows.end());
        }
        return positions;
    };
    if (Request* step = list.add({"decode after an image", "positions.per_row, positions.restart",
                                  "40 tokens lie in the cache, and the image among them took "
                                  "fewer positions than tokens."},
                                 {1, 2, 2, 1}, at({13}))) {
        step->past = 40;
    }
    if (Request* step = list.add({"decode of two rows", "rows.unrotated, positions.per_row",
                                  "Rows whose images have other sizes stand at other positions."},
                                 {2, 2, 2, 1}, at({13, 22}))) {
        step->past = 40;
    }
    std::vector<Place> places;
    append_grid(places, axes, {1, 3, 4}, 20);
    append_text(places, axes, 24, 4);
    if (Request* chunk = list.add({"later chunk", faults::code("positions.restart"),
                                   "A chunk with an image, behind 20 tokens in the cache."},
                                  {1, 2, 2, std::ssize(places)}, laid_out(places, axes))) {
        chunk->past = 20;
    }
    for (const Index far : {257, 4097, 32767}) {
        std::vector<Place> late;
        append_grid(late, axes, {1, 2, 3}, far);
        list.add({fmt::format("from {} on", far), "positions.clamped, positions.low_precision",
                  "An image far behind the start of the sequence."},
                 {1, 1, 1, 6}, laid_out(late, axes));
    }
}

}  // namespace

void add_axes_requests(RequestList& list) {
    add_grids(list);
    add_single_axes(list);
    add_common_requests(list);
    add_own_positions(list);
    add_rows(list);
    add_axes_decode(list);
    list.repeat("wide grid", {"wide grid again", faults::code("answer.changes"),
                              "The same call must give the same answer again."});
}

}  // namespace ropescope::probe
