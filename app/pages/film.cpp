// Draws the frames of a page and finds what they have in common.
#include "app/pages/film.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <zlib.h>

#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/lessons/main_panels.h"
#include "app/pages/png.h"
#include "app/pages/svg_recorder.h"
#include "app/plot/draw_figure.h"
#include "app/plot/look.h"
#include "app/plot/rich_text.h"
#include "core/base/base64.h"

namespace ropescope::pages {
namespace {

using Json = nlohmann::json;
using plot::Color;
using plot::Rect;

struct Format {
    int width, height;
    bool phone = false;
};
/// A screen, and a phone held upright.
using Formats = std::array<Format, 2>;
/// As wide as the narrowest phone shows it, 320 pixels without the borders, so that letters are
/// nowhere smaller than they are drawn.
constexpr int kPhoneWidth = 318;
constexpr Formats kWhole = {{{960, 640}, {kPhoneWidth, 462, true}}};
constexpr Format kWideBesideWords{640, 0}, kPhoneBesideWords{kPhoneWidth, 0, true};
constexpr std::array kHeightsOfWide = {360, 420, 480, 540};
/// On a phone text and task stand below the figure, so that its share of the height is bounded.
constexpr std::array kHeightsOnAPhone = {240, 275, 310};

std::uint32_t packed(Color c) {
    return static_cast<std::uint32_t>(c.r) << 24U | static_cast<std::uint32_t>(c.g) << 16U |
           static_cast<std::uint32_t>(c.b) << 8U | c.a;
}

/// Texts that occur more than once, by number.
class Texts {
  public:
    std::size_t number(const std::string& text) {
        const auto [found, added] = numbers_.try_emplace(text, list_.size());
        if (added) {
            list_.push_back(text);
        }
        return found->second;
    }
    const std::vector<std::string>& list() const { return list_; }

  private:
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> list_;
};

/// A picture in one theme, with the places of its panels.
struct Drawn {
    std::vector<Element> elements;
    std::vector<plot::PlacedPanel> panels;
};

Rect area_of(const Format& format) {
    return {0, 0, static_cast<double>(format.width), static_cast<double>(format.height)};
}

/// The theme in a format: on a phone small words are left out rather than written smaller.
plot::Theme in_format(plot::Theme theme, const Format& format) {
    theme.least_px = format.phone ? theme.small_px : 0;
    return theme;
}

/// The legend stays; title and subtitle stand below the picture as text.
plot::Figure without_words(plot::Figure figure) {
    figure.title = {};
    figure.subtitle = {};
    return figure;
}

/// What a film is about: panels that the step speaks of, and those that its control changes.
struct Meant {
    const lessons::Step* step = nullptr;
    std::vector<std::string> changing = {};  ///< ids of panels
};

/// The figure in a format: on a phone with those of its main panels that have room with their
/// names, and without its title, which would be cut there.
plot::Figure in_format(const plot::Figure& figure, const Meant& meant, const Format& format) {
    if (!format.phone) {
        return figure;
    }
    SvgRecorder metrics;
    const plot::Theme theme = in_format(plot::light_theme(), format);
    return lessons::fitting_figure(without_words(figure), meant.step,
                                   {.area = area_of(format),
                                    .theme = theme,
                                    .metrics = metrics,
                                    .all_panels = false,
                                    .changing = meant.changing});
}

bool has_map(const plot::Panel& panel) {
    return std::ranges::any_of(panel.marks, [](const plot::Mark& mark) {
        return std::holds_alternative<plot::HeatMap>(mark);
    });
}

/// How much height of a phone is worth to its panels: what the smallest side of a plane or a map
/// lacks of 110 units, in which a finger finds its way, or the height of curves of 60, in which
/// they rise and fall, three times, as panels share the height.
double worth_of_sides(const plot::Figure& figure, const Format& format) {
    if (!format.phone) {
        return 0;
    }
    constexpr double kSide = 110, kLow = 60, kShared = 3;
    SvgRecorder metrics;
    const plot::Theme theme = in_format(plot::light_theme(), format);
    double smallest = kSide;
    for (const plot::PlacedPanel& placed :
         plot::place_panels(figure, area_of(format), theme, 1, metrics)) {
        if (placed.panel->equal_aspect || has_map(*placed.panel)) {
            smallest = std::min({smallest, placed.plot.width, placed.plot.height});
        } else if (placed.panel->x.visible || placed.panel->y.visible) {
            smallest = std::min(smallest, placed.plot.height + kSide - kLow);
        }
    }
    return kShared * (kSide - smallest);
}

/// The lowest height that leaves little out. An axis without numbers, or a panel, is worth as much
/// height as it takes to give it back in a grid of two rows: about 40 units.
template <std::size_t kCount>
Format fitting(const plot::Figure& figure, const Meant& meant, Format format,
               const std::array<int, kCount>& heights) {
    constexpr int kWorth = 40;
    SvgRecorder metrics;
    const auto cost = [&](int height) {
        format.height = height;
        const plot::Figure shown = in_format(figure, meant, format);
        const std::size_t missing =
            figure.panels.size() - shown.panels.size() +
            plot::left_out(shown, area_of(format), in_format(plot::light_theme(), format), 1,
                           metrics)
                .size();
        return height + kWorth * static_cast<double>(missing) + worth_of_sides(shown, format);
    };
    format.height = *std::ranges::min_element(heights, {}, cost);
    return format;
}

Drawn draw(const plot::Figure& figure, const Format& format, const plot::Theme& theme) {
    SvgRecorder recorder;
    const Rect area = area_of(format);
    Drawn drawn;
    drawn.panels = plot::draw_figure(figure, area, in_format(theme, format), 1, recorder).panels;
    drawn.elements = std::move(recorder.elements);
    return drawn;
}

/// The ids of the panels of a figure that are drawn otherwise in the other one.
std::vector<std::string> changing_panels(const plot::Figure& figure, const plot::Figure& other) {
    std::vector<std::string> ids;
    for (const plot::Panel& panel : figure.panels) {
        const plot::Look alone{.panel = panel.id};
        if (std::ranges::find(other.panels, panel.id, &plot::Panel::id) != other.panels.end() &&
            look_of(plot::as_seen(figure, alone)) != look_of(plot::as_seen(other, alone))) {
            ids.push_back(panel.id);
        }
    }
    return ids;
}

std::string data_url(const std::string& png) {
    return "href=\"data:image/png;base64," + base64(png) + "\"";
}

/// The element of both themes as one text.
std::string joined(const Element& light, const Element& dark, Palette& palette) {
    if (light.text != dark.text || light.colors.size() != dark.colors.size()) {
        throw std::logic_error("a figure has another geometry in the dark theme");
    }
    if (!light.image.empty()) {
        const std::size_t at = light.text.find(kImageMark);
        const auto with = [&](const std::string& theme, const std::string& png) {
            const std::string tag = theme.empty() ? "" : fmt::format("class=\"{}\" ", theme);
            return light.text.substr(0, at) + tag + data_url(png) + light.text.substr(at + 1);
        };
        return light.image == dark.image ? with("", light.image)
                                         : with("lt", light.image) + with("dk", dark.image);
    }
    std::string text;
    std::size_t color = 0;
    for (std::size_t at = 0; at < light.text.size(); ++at) {
        if (light.text[at] != kColorMark) {
            text += light.text[at];
            continue;
        }
        const std::size_t number = palette.number(light.colors.at(color), dark.colors.at(color));
        text += fmt::format("{}{}", light.text[++at], number);
        ++color;
    }
    return text;
}

double on_scale(const plot::Axis& axis, double value) {
    return axis.scale == plot::AxisScale::log10 ? std::log10(value) : value;
}

/// Where a value lies in an axis, from 0 to 1.
double share_of(const plot::Axis& axis, double scaled) {
    const double from = on_scale(axis, axis.min), to = on_scale(axis, axis.max);
    return from == to ? 0 : (scaled - from) / (to - from);
}

Json rounded(std::initializer_list<double> values) {
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(std::round(value * 1000) / 1000);
    }
    return list;
}

/// [x, y, width, height] of the plot, then the window that it shows, as shares of the window of the
/// wide format.
Json place_of(const plot::PlacedPanel& panel, const plot::PlacedPanel& wide) {
    const Rect& r = panel.plot;
    return rounded({r.x, r.y, r.width, r.height, share_of(wide.x, on_scale(panel.x, panel.x.min)),
                    share_of(wide.x, on_scale(panel.x, panel.x.max)),
                    share_of(wide.y, on_scale(panel.y, panel.y.min)),
                    share_of(wide.y, on_scale(panel.y, panel.y.max))});
}

std::string readout_text(const std::vector<plot::Readout>& values) {
    std::string text;
    for (const plot::Readout& value : values) {
        text += (text.empty() ? "" : "\n") + value.name + "\t" + value.value;
    }
    return text;
}

/// The values at evenly spaced places of a panel: {columns, rows, texts}. Equal ones are held once.
Json samples_of(const figures::Picture& picture, const plot::PlacedPanel& panel, Texts& texts) {
    const bool map = has_map(*panel.panel);
    const int columns = map ? 16 : 32, rows = map ? 9 : 1;
    Json list = Json::array();
    bool any = false, alike = true;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const plot::Pixel at{panel.plot.x + (column + 0.5) / columns * panel.plot.width,
                                 panel.plot.y + (row + 0.5) / rows * panel.plot.height};
            const std::string text =
                readout_text(picture.readouts_at(panel.panel->id, panel.to_data(at)));
            any = any || !text.empty();
            list.push_back(texts.number(text));
            alike = alike && list.back() == list.front();
        }
    }
    if (!any) {
        return nullptr;
    }
    return alike ? Json{1, 1, Json::array({list.front()})} : Json{columns, rows, list};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// By zlib, which a browser undoes (DecompressionStream "deflate").
std::string compressed(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    const int result =
        compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
    if (result != Z_OK) {
        throw std::runtime_error("page: its data cannot be compressed");
    }
    bytes.resize(size);
    return bytes;
}

class FilmMaker {
  public:
    FilmMaker(Engine& engine, Palette& palette, const FilmFrames& frames)
        : engine_(engine), palette_(palette), kind_(frames.kind), meant_{frames.step} {
        const std::vector<FrameScene>& scenes = frames.scenes;
        const std::size_t other = frames.first == 0 ? scenes.size() - 1 : 0;
        if (kind_ == FilmKind::beside_words && other != frames.first) {
            meant_.changing = changing_panels(picture_of(scenes[frames.first]).figure,
                                              picture_of(scenes[other]).figure);
        }
    }

    void add(const FrameScene& frame, bool first) {
        const figures::Picture picture = picture_of(frame);
        const plot::Figure& figure = picture.figure;
        const plot::Figure drawn = kind_ == FilmKind::whole ? figure : without_words(figure);
        if (frames_.empty() && kind_ == FilmKind::beside_words) {
            formats_ = {fitting(drawn, meant_, kWideBesideWords, kHeightsOfWide),
                        fitting(drawn, meant_, kPhoneBesideWords, kHeightsOnAPhone)};
        }
        Json formats = Json::array(), values = Json::array(), lines = Json::array();
        const std::array<plot::Figure, 2> shown = {in_format(drawn, meant_, formats_[0]),
                                                   in_format(drawn, meant_, formats_[1])};
        Drawn wide;
        for (std::size_t i = 0; i < formats_.size(); ++i) {
            const Drawn light = draw(shown[i], formats_[i], plot::light_theme());
            const Drawn dark = draw(shown[i], formats_[i], plot::dark_theme());
            if (i == 0) {
                wide = light;
            }
            std::string svg;
            formats.push_back(format_of(light, dark, wide, svg));
            if (first) {
                film_.shapes[i] = fmt::format("{}/{}", formats_[i].width, formats_[i].height);
                film_.first_svgs[i] =
                    fmt::format("<svg viewBox=\"0 0 {} {}\" aria-hidden=\"true\">{}</svg>",
                                formats_[i].width, formats_[i].height, svg);
            }
        }
        for (const plot::PlacedPanel& panel : wide.panels) {
            values.push_back({panel.panel->title.empty() ? panel.panel->id : panel.panel->title,
                              samples_of(picture, panel, texts_), panel.panel->id});
        }
        for (const std::string& line : lines_of(figure.report)) {
            lines.push_back(texts_.number(line));
        }
        if (first) {
            film_.title = plot::plain_formula(figure.title);
            film_.subtitle = plot::plain_formula(figure.subtitle);
            film_.first_text = figure.report;
        }
        frames_.push_back({{"label", frame.label},
                           {"title", plot::plain_formula(figure.title)},
                           {"about", plot::plain_formula(figure.subtitle)},
                           {"formats", formats},
                           {"values", values},
                           {"lines", lines}});
        if (frame.done) {
            frames_.back()["done"] = true;
        }
    }

    Film finish() {
        const Json json = {
            {"sizes",
             {{formats_[0].width, formats_[0].height}, {formats_[1].width, formats_[1].height}}},
            {"parts", parts_.list()},
            {"texts", texts_.list()},
            {"frames", frames_}};
        film_.data = base64(compressed(json.dump(-1, ' ', false, Json::error_handler_t::replace)));
        return std::move(film_);
    }

  private:
    figures::Picture picture_of(const FrameScene& frame) {
        return figures::make_picture(frame.scene, engine_,
                                     {.cache = &cache_, .more_checks = lessons::further_checks()});
    }

    /// `svg` gets its elements, too.
    Json format_of(const Drawn& light, const Drawn& dark, const Drawn& wide, std::string& svg) {
        if (light.elements.size() != dark.elements.size()) {
            throw std::logic_error("a figure has other elements in the dark theme");
        }
        Json elements = Json::array(), places = Json::array();
        for (std::size_t i = 0; i < light.elements.size(); ++i) {
            const std::string text = joined(light.elements[i], dark.elements[i], palette_);
            elements.push_back(parts_.number(text));
            svg += text;
        }
        for (const plot::PlacedPanel& panel : wide.panels) {
            const auto same = [&](const plot::PlacedPanel& other) {
                return other.panel->id == panel.panel->id;
            };
            const auto shown = std::ranges::find_if(light.panels, same);
            places.push_back(shown == light.panels.end() ? Json::array() : place_of(*shown, panel));
        }
        return {{"parts", elements}, {"places", places}};
    }

    Engine& engine_;
    Palette& palette_;
    FilmKind kind_;
    Meant meant_;
    Formats formats_ = kWhole;
    figures::FigureCache cache_;
    Texts parts_, texts_;
    Json frames_ = Json::array();
    Film film_;
};

}  // namespace

std::vector<std::string> look_of(const plot::Figure& figure) {
    constexpr Format kUsual{640, 480};
    std::vector<std::string> look;
    for (const Element& element :
         draw(without_words(figure), kUsual, plot::light_theme()).elements) {
        look.push_back(element.text + element.image);
        for (const Color& color : element.colors) {
            look.back() += fmt::format(" {:08x}", packed(color));
        }
    }
    return look;
}

std::size_t Palette::number(Color light, Color dark) {
    return numbers_.try_emplace({packed(light), packed(dark)}, numbers_.size()).first->second;
}

std::string Palette::css() const {
    std::string light, dark;
    for (const auto& [colors, number] : numbers_) {
        light +=
            fmt::format(".f{0}{{fill:#{1:08x}}}.s{0}{{stroke:#{1:08x}}}\n", number, colors.first);
        dark +=
            fmt::format(".f{0}{{fill:#{1:08x}}}.s{0}{{stroke:#{1:08x}}}\n", number, colors.second);
    }
    return light + "@media (prefers-color-scheme:dark){\n" + dark + "}\n";
}

Film make_film(const FilmFrames& frames, Engine& engine, Palette& palette,
               const std::function<void(double done)>& progress) {
    FilmMaker maker(engine, palette, frames);
    for (std::size_t i = 0; i < frames.scenes.size(); ++i) {
        maker.add(frames.scenes[i], i == frames.first);
        if (progress) {
            progress(static_cast<double>(i + 1) / static_cast<double>(frames.scenes.size()));
        }
    }
    return maker.finish();
}

}  // namespace ropescope::pages
