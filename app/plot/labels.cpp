// Writes the annotations inside a plot, each at the least costly of its possible places.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "app/plot/axis.h"
#include "app/plot/axis_words.h"
#include "app/plot/facts.h"
#include "app/plot/marks.h"
#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

bool overlap(Rect a, Rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

/// Places on lines and points, close enough together that no text lies between two of them.
std::vector<Pixel> drawn_places(const PlacedPanel& placed, double spacing) {
    std::vector<Pixel> places;
    const auto add = [&](const std::vector<Point>& points, bool joined) {
        std::vector<Pixel> pixels;
        pixels.reserve(points.size());
        for (const Point& point : points) {
            pixels.push_back(placed.to_pixel(point));
        }
        if (!joined) {
            places.insert(places.end(), pixels.begin(), pixels.end());
            return;
        }
        for (const Path& run : visible_runs(pixels, placed.frame)) {
            for (const Path& piece : dashes(run, std::array{spacing, 1e-3})) {
                places.push_back(piece.front());
            }
        }
    };
    for (const Mark& mark : placed.panel->marks) {
        if (const auto* line = std::get_if<Line>(&mark)) {
            add(line->points, true);
        } else if (const auto* points = std::get_if<Points>(&mark)) {
            add(points->points, false);
        } else if (const auto* rule = std::get_if<Rule>(&mark)) {
            const Point from{rule->vertical ? rule->at : placed.x.min,
                             rule->vertical ? placed.y.min : rule->at};
            const Point to{rule->vertical ? rule->at : placed.x.max,
                           rule->vertical ? placed.y.max : rule->at};
            add({from, to}, true);
        }
    }
    return places;
}

/// Writes one text after the other, each in a place that no earlier text covers.
class Writer {
  public:
    /// `room` is the area that words may use, `taken` the places that other words have already.
    Writer(const PlacedPanel& placed, Rect room, std::span<const Rect> taken, const Pen& pen)
        : placed_(placed),
          room_(room),
          pen_(pen),
          drawn_(drawn_places(placed, pen.px(6))),
          taken_(taken.begin(), taken.end()) {}

    /// The least costly of the wished places: covering an earlier text costs much, covering a line
    /// little, and a later place in the list least.
    void write(std::string_view markup, const TextStyle& style, const std::vector<Pixel>& wishes) {
        const std::string text = fitted(markup, placed_.plot.width, style, pen_.painter);
        const Pixel size = rich_text_size(text, style, pen_.painter);
        if (text.empty() || wishes.empty()) {
            return;
        }
        Rect best;
        double lowest_cost = std::numeric_limits<double>::infinity();
        for (Index i = 0; i < std::ssize(wishes); ++i) {
            const Rect candidate = inside(wishes[i], size);
            const double cost = cost_of(candidate) + 0.5 * to_double(i);
            if (cost < lowest_cost) {
                best = candidate;
                lowest_cost = cost;
            }
        }
        if (covers_words(best)) {
            return;  // two texts in one place cannot be read
        }
        if (crossings(best) > 0 && pen_.dress.cards) {
            // A margin keeps words clear of the lines behind them.
            const double margin = pen_.px(2);
            pen_.painter.fill_rect({best.x - margin, best.y, best.width + 2 * margin, best.height},
                                   faded(pen_.color(Role::panel), 0.8), pen_.px(3));
        }
        draw_rich_text({best.x, best.y}, text, style, pen_.painter);
        taken_.push_back(best);
    }

  private:
    double crossings(Rect place) const {
        return to_double(std::ranges::count_if(drawn_, [&](Pixel p) { return place.contains(p); }));
    }

    /// Whether the place covers earlier words by more than a touch.
    bool covers_words(Rect place) const {
        const double inset = 0.2 * place.height;
        const Rect core{place.x, place.y + inset, place.width, place.height - 2 * inset};
        return std::ranges::any_of(taken_, [&](const Rect& other) { return overlap(core, other); });
    }

    double cost_of(Rect place) const {
        const auto texts =
            std::ranges::count_if(taken_, [&](const Rect& other) { return overlap(place, other); });
        return 1000.0 * to_double(texts) + crossings(place);
    }

    Rect inside(Pixel at, Pixel size) const {
        const double margin = pen_.px(kWordMargin);
        const auto keep = [](double value, double low, double high) {
            return std::max(low, std::min(value, high));
        };
        return {keep(at.x, room_.x + margin, room_.x + room_.width - size.x - margin),
                keep(at.y, room_.y + margin, room_.y + room_.height - size.y - margin), size.x,
                size.y};
    }

    const PlacedPanel& placed_;
    Rect room_;
    const Pen& pen_;
    std::vector<Pixel> drawn_;
    std::vector<Rect> taken_;
};

constexpr int kRows = 5;  // tried from the border inwards
/// Units: in a lower plot with axes the remarks at rules and bands would cover its lines.
constexpr double kLowestForRemarks = 48;
constexpr double kNarrowestPlot = 120;  // plot width in units

struct Annotator {
    const PlacedPanel& placed;
    const Pen& pen;
    Writer& writer;
    std::vector<RowOfWords> rows_of_words = words_along_axes(placed, pen);

    void operator()(const Rule& rule) const {
        const TextStyle style = pen.small(rule.role);
        const Pixel size = rich_text_size(rule.label, style, pen.painter);
        const Pixel at = placed.to_pixel({rule.at, rule.at});
        const Rect plot = placed.plot;
        const double gap = pen.px(6);
        std::vector<Pixel> wishes;
        if (rule.vertical && at.x >= plot.x && at.x <= plot.x + plot.width) {
            const bool right = at.x + gap + size.x <= plot.x + plot.width;
            for (int row = 0; row < kRows; ++row) {
                const double y = plot.y + pen.px(2) + row * size.y;
                wishes.push_back({right ? at.x + gap : at.x - gap - size.x, y});
                wishes.push_back({right ? at.x - gap - size.x : at.x + gap, y});
            }
        } else if (!rule.vertical && at.y >= plot.y && at.y <= plot.y + plot.height) {
            const double x = plot.x + plot.width - size.x;
            const double above = at.y - size.y - pen.px(2);
            const double below = at.y + pen.px(2);
            const double left = plot.x + pen.px(4);
            wishes = {{x, above}, {x, below}, {left, above}, {left, below}};
        }
        write(rule.label, style, wishes);
    }

    void operator()(const Band& band) const {
        // The colours of bands are made for surfaces, so their names are written in the colour of
        // text.
        const TextStyle style = pen.small(Role::dim);
        const Pixel size = rich_text_size(band.label, style, pen.painter);
        const Rect plot = placed.plot;
        const Pixel a = placed.to_pixel({band.first, band.first});
        const Pixel b = placed.to_pixel({band.last, band.last});
        std::vector<Pixel> wishes;
        for (int row = 0; row < kRows; ++row) {
            const double down = pen.px(2) + row * size.y;
            const double left = std::clamp(std::min(a.x, b.x), plot.x, plot.x + plot.width);
            const double top = std::clamp(std::min(a.y, b.y), plot.y, plot.y + plot.height);
            wishes.push_back(band.vertical ? Pixel{left + pen.px(6), plot.y + down}
                                           : Pixel{plot.x + pen.px(6), top + down});
        }
        write(band.label, style, wishes);
    }

    void operator()(const Vector& vector) const {
        const TextStyle style = pen.small(vector.role);
        const Pixel from = placed.to_pixel(vector.from);
        const Pixel to = placed.to_pixel(vector.to);
        const Pixel size = rich_text_size(vector.label, style, pen.painter);
        const double length = std::hypot(to.x - from.x, to.y - from.y);
        const Pixel along =
            length > 0 ? Pixel{(to.x - from.x) / length, (to.y - from.y) / length} : Pixel{1, 0};
        // First choice: beyond the tip, by half the text's extent in that direction; else beside
        // the tip.
        std::vector<Pixel> wishes;
        for (const double turn : {0.0, 0.9, -0.9, 1.5, -1.5}) {
            const Pixel toward{along.x * std::cos(turn) - along.y * std::sin(turn),
                               along.x * std::sin(turn) + along.y * std::cos(turn)};
            const double away =
                pen.px(6) + std::abs(toward.x) * size.x / 2 + std::abs(toward.y) * size.y / 2;
            wishes.push_back(
                {to.x + toward.x * away - size.x / 2, to.y + toward.y * away - size.y / 2});
        }
        write(vector.label, style, wishes);
    }

    void operator()(const Label& label) const {
        const Pixel at = placed.to_pixel(label.at);
        if (!placed.frame.contains(at) || !placed.shows(label.at, label.anchor_x, label.anchor_y)) {
            return;
        }
        const std::optional<Wording> wording = wording_of(label, rows_of_words, placed, pen);
        if (!wording) {
            return;
        }
        const auto& [text, style] = *wording;
        const Pixel size = rich_text_size(text, style, pen.painter);
        const double away = pen.px(label.away_px);
        std::vector<Pixel> wishes = {
            {at.x - label.anchor_x * size.x + (1 - 2 * label.anchor_x) * away,
             at.y - (1 - label.anchor_y) * size.y - (1 - 2 * label.anchor_y) * away}};
        if (label.may_move) {
            add_rows_beside(at, size, wishes);
        }
        write(text, style, wishes);
    }

    void operator()(const Facts& facts) const { draw_facts(facts, placed.plot, pen); }

    void operator()(const EndName& name) const {
        const TextStyle style = pen.small(name.entry.role);
        const Pixel size = rich_text_size(name.entry.label, style, pen.painter);
        const Pixel at{placed.plot.x + name.end.x * placed.plot.width,
                       placed.plot.y + (1 - name.end.y) * placed.plot.height};
        std::vector<Pixel> wishes;
        for (const double row : {-0.5, 0.0, -1.0, 0.5, -1.5, 1.0, 1.5}) {
            wishes.push_back({at.x + pen.px(8), at.y + row * size.y});
            wishes.push_back({at.x - pen.px(8) - size.x, at.y + row * size.y});
        }
        write(name.entry.label, style, wishes);
    }

    template <typename Other>
    void operator()(const Other&) const {}

  private:
    /// Rows from the top of the frame to its bottom, on both sides of the place.
    void add_rows_beside(Pixel at, Pixel size, std::vector<Pixel>& wishes) const {
        const double gap = pen.px(14), first = wishes.front().x;
        const double other = first < at.x - size.x / 2 ? at.x + gap : at.x - gap - size.x;
        const double bottom = placed.frame.y + placed.frame.height - size.y;
        for (double y = placed.frame.y + pen.px(4); y <= bottom; y += size.y / 2) {
            wishes.push_back({first, y});
            wishes.push_back({other, y});
        }
    }

    void write(const std::string& text, const TextStyle& style,
               const std::vector<Pixel>& wishes) const {
        for (const Pixel& wish : wishes) {
            if (!std::isfinite(wish.x) || !std::isfinite(wish.y)) {
                return;
            }
        }
        if (!text.empty()) {
            writer.write(text, style, wishes);
        }
    }
};

}  // namespace

void draw_annotations(const PlacedPanel& placed, std::span<const EndName> names,
                      std::span<const Rect> taken, const Pen& pen) {
    if (placed.plot.width < pen.px(kNarrowestPlot)) {
        return;  // in a thumbnail words would hide what they name
    }
    Rect room = placed.frame;
    if (std::ranges::any_of(names, [](const EndName& name) { return name.beside(); })) {
        // The right margin is kept for the names beside the plot.
        room.width = placed.plot.x + placed.plot.width + pen.px(6) - room.x;
    }
    Writer writer(placed, room, taken, pen);
    const Annotator annotate{placed, pen, writer};
    const bool low = (placed.panel->x.visible || placed.panel->y.visible) &&
                     placed.plot.height < pen.px(kLowestForRemarks);
    const auto write_names = [&] {
        for (const EndName& name : names) {
            if (!name.beside()) {
                annotate(name);
            }
        }
    };
    if (low) {
        write_names();  // needed most, so that other words give way to them
    }
    for (const Mark& mark : placed.panel->marks) {
        if (!low || !(std::holds_alternative<Rule>(mark) || std::holds_alternative<Band>(mark))) {
            std::visit(annotate, mark);
        }
    }
    if (!low) {
        write_names();
    }
}

}  // namespace ropescope::plot
