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
constexpr double kMostOfMiddle = 0.45;  // for a lesson; the figure gets the rest
constexpr double kAllNamesFrom = 1100, kNamesFrom = 940, kExplanationFromWidth = 900,
                 kExplanationFromHeight = 820;
/// Of the width, for a lesson beside the figure, if the window is wider than this times its height.
constexpr double kLessonBeside = 0.36, kBesideFrom = 1.2;
constexpr double kMostExplanation = 0.48;  ///< of the height between bar and status

/// Of a part of the window with this height, that a figure and a lesson share.
double lesson_height(double height, double unit) {
    return std::round(std::min(height * kMostOfMiddle, kLesson * unit));
}

/// Beside a lesson a figure keeps the height that its circles and maps need.
Regions beside_lesson(double width, double height, double strip_px) {
    const double side = std::round(kLessonBeside * width);
    const double strip = std::min(strip_px, height);
    Regions out;
    out.figure = {0, 0, width - side, height - strip};
    out.controls = {0, height - strip, width - side, strip};
    out.explanation = {width - side, 0, side, height};
    out.explanation_open = false;
    return out;
}

}  // namespace

double most_explanation(const Regions& regions) {
    return std::floor(kMostExplanation * (regions.figure.height + regions.explanation.height));
}

Regions regions(double width, double height, const RegionOptions& options) {
    const auto px = [&](double units) { return std::round(units * options.unit); };
    const double wide = width / options.unit;
    Regions out;
    if (options.presenting) {
        if (options.hall && options.lesson && width > kBesideFrom * height) {
            return beside_lesson(width, height, options.strip_px);
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
    // A lesson needs the width more: below the figure, its task stands beside its text.
    out.names_in_navigation = wide >= (options.lesson ? kAllNamesFrom : kNamesFrom);
    const bool roomy =
        wide >= kExplanationFromWidth && height / options.unit >= kExplanationFromHeight;
    out.explanation_open = options.explanation == RegionOptions::Explanation::open ||
                           (options.explanation == RegionOptions::Explanation::automatic && roomy);

    // In a window smaller than its parts, the bar and the controls stay and the figure shrinks.
    const double middle = std::max(0.0, height - px(kBar) - px(kStatus));
    const double column = wide >= kAllNamesFrom     ? kNavigation
                          : out.names_in_navigation ? kNamesAlone
                                                    : kNumbers;
    out.keys_in_navigation = column != kNamesAlone;
    const double left = std::min(width, px(column));
    const double right =
        std::min(width - left, px(std::clamp(wide * 0.24, kNarrowestControls, kControls)));
    const double between = width - left - right;
    const double words =
        std::min(std::ceil(options.words_px), std::floor(kMostExplanation * middle));
    const double explanation =
        out.explanation_open ? std::max(px(kExplanation), words) : px(kFolded);
    const double below =
        options.lesson ? lesson_height(middle, options.unit) : std::min(middle, explanation);

    out.bar = {0, 0, width, px(kBar)};
    out.navigation = {0, px(kBar), left, middle};
    out.figure = {left, px(kBar), between, middle - below};
    out.explanation = {left, px(kBar) + middle - below, between, below};
    out.controls = {width - right, px(kBar), right, middle};
    out.status = {0, px(kBar) + middle, width, px(kStatus)};
    return out;
}

}  // namespace ropescope::gui
