// Divides the window's area among its parts.
#include "app/gui/state/regions.h"

#include <algorithm>
#include <cmath>

namespace ropescope::gui {
namespace {

// In units of the design.
constexpr double kBar = 48, kStatus = 30, kNavigation = 196, kNamesAlone = 118, kNumbers = 52;
constexpr double kControls = 330, kNarrowestControls = 244;
constexpr double kExplanation = 154, kFolded = 32, kLesson = 290;
/// Of an offer: its buttons stand beside its words if it is wide.
constexpr double kOffer = 76, kNarrowOffer = 108, kWideOffer = 540;
constexpr double kMostOfMiddle = 0.45;  // for a lesson; the figure gets the rest
constexpr double kNamesFrom = 850, kAllNamesFrom = 1100, kAllNamesBesideALessonFrom = 1500,
                 kExplanationFromWidth = 900, kExplanationFromHeight = 820;
/// Of the window's width, for a lesson beside the figure, if it is wider than this times its
/// height.
constexpr double kLessonBeside = 0.36, kBesideFrom = 1.2;
/// Of a lesson: the room at its sides and between its columns, the text's share of both columns,
/// and the narrowest column for a task beside the text.
constexpr double kLessonSide = 28, kHallSide = 18, kLessonGap = 32, kTextShare = 0.56,
                 kLeastColumn = 260;
constexpr double kMostExplanation = 0.48;  ///< of the height between bar and status

/// Of a part of the window with this height, that a figure and a lesson share.
double lesson_height(double height, double unit) {
    return std::round(std::min(height * kMostOfMiddle, kLesson * unit));
}

bool has_lesson_beside(double width, double height, const RegionOptions& options) {
    return options.hall && options.lesson && width > kBesideFrom * height;
}

/// Gives a part of the window to a lesson and to a figure beside it, which keeps the height that
/// its circles and maps need.
void put_lesson_beside(Regions& regions, plot::Rect part, double side, double strip_px) {
    const double strip = std::min(strip_px, part.height), left = part.width - side;
    regions.figure = {part.x, part.y, left, part.height - strip};
    regions.controls = {part.x, part.y + part.height - strip, left, strip};
    regions.explanation = {part.x + left, part.y, side, part.height};
    regions.explanation_open = false;
    regions.lesson_beside = true;
}

}  // namespace

LessonColumns lesson_columns(double width, double unit, bool hall) {
    LessonColumns columns{.side = (hall ? kHallSide : kLessonSide) * unit,
                          .gap = kLessonGap * unit};
    const double both = std::max(0.0, width - 2 * columns.side - columns.gap);
    columns.text = std::round(both * kTextShare);
    columns.task = both - columns.text;
    columns.stacked = columns.task < kLeastColumn * unit;
    if (columns.stacked) {
        columns.text = columns.task = both;
    }
    return columns;
}

double most_explanation(const Regions& regions) {
    return std::floor(kMostExplanation * (regions.figure.height + regions.explanation.height));
}

Regions regions(double width, double height, const RegionOptions& options) {
    const auto px = [&](double units) { return std::round(units * options.unit); };
    const double wide = width / options.unit;
    Regions out;
    if (options.presenting) {
        if (has_lesson_beside(width, height, options)) {
            put_lesson_beside(out, {0, 0, width, height}, std::round(kLessonBeside * width),
                              options.strip_px);
            return out;
        }
        const double lesson = options.lesson ? lesson_height(height, options.unit) : 0;
        const double strip = std::min(options.strip_px, height - lesson);
        out.controls = {0, height - lesson - strip, width, strip};
        const double below = lesson + strip;
        out.figure = {0, 0, width, height - below};
        out.explanation = {0, height - lesson, width, lesson};
        out.explanation_open = false;
        return out;
    }
    const bool beside = has_lesson_beside(width, height, options);
    // A lesson below the figure needs the width more: its task stands beside its text.
    out.names_in_navigation = wide >= (options.lesson && !beside ? kAllNamesFrom : kNamesFrom);
    const bool with_keys = wide >= (beside ? kAllNamesBesideALessonFrom : kAllNamesFrom);
    const bool roomy =
        wide >= kExplanationFromWidth && height / options.unit >= kExplanationFromHeight;
    out.explanation_open =
        !options.offer && (options.explanation == RegionOptions::Explanation::open ||
                           (options.explanation == RegionOptions::Explanation::automatic && roomy));

    // In a window smaller than its parts, the bar and the controls stay and the figure shrinks.
    const double middle = std::max(0.0, height - px(kBar) - px(kStatus));
    const double column = !out.names_in_navigation ? kNumbers
                          : with_keys              ? kNavigation
                                                   : kNamesAlone;
    out.keys_in_navigation = column != kNamesAlone;
    const double left = std::min(width, px(column));
    const double right =
        std::min(width - left, px(std::clamp(wide * 0.24, kNarrowestControls, kControls)));
    const double between = width - left - right;
    const double words =
        std::min(std::ceil(options.words_px), std::floor(kMostExplanation * middle));
    const double offer = between > px(kWideOffer) ? px(kOffer) : px(kNarrowOffer);
    const double explanation = options.offer          ? offer
                               : out.explanation_open ? std::max(px(kExplanation), words)
                                                      : px(kFolded);
    const double below =
        options.lesson ? lesson_height(middle, options.unit) : std::min(middle, explanation);

    out.bar = {0, 0, width, px(kBar)};
    out.navigation = {0, px(kBar), left, middle};
    out.figure = {left, px(kBar), between, middle - below};
    out.explanation = {left, px(kBar) + middle - below, between, below};
    out.controls = {width - right, px(kBar), right, middle};
    out.status = {0, px(kBar) + middle, width, px(kStatus)};
    if (beside) {
        put_lesson_beside(out, {left, px(kBar), width - left, middle},
                          std::min(width - left, std::round(kLessonBeside * width)),
                          options.strip_px);
    }
    return out;
}

}  // namespace ropescope::gui
