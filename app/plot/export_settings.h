// How a picture is written, as people say it: the one list from which `figure` has its options, the
// window its rows of choices, and the copied command its words.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/render_figure.h"

namespace ropescope::plot {

/// What the window offers for a setting, side by side.
struct OfferedValue {
    std::string label;
    std::string value = {};  ///< empty: the setting is not said
};

struct ExportSetting {
    std::string option;      ///< of the command: "--background"
    std::string type = {};   ///< the form of its value, for people; empty for a switch
    std::string text;        ///< what it is for
    std::string usual = {};  ///< the value that ExportOptions{} has
    std::vector<std::string> values = {};  ///< if not empty, the value is one of them
    bool of_png = false;                   ///< other formats do not have it
    /// Throws InputError. The value of a switch is empty.
    void (*set)(ExportOptions& options, std::string_view value) = nullptr;
    std::string row = {};  ///< its name in the window; empty if that does not have it
    std::vector<OfferedValue> offered = {};

    bool is_switch() const { return type.empty(); }
};

const std::vector<ExportSetting>& export_settings();

/// Values by the option that gives them; what is not there is as usual.
using ExportValues = std::map<std::string, std::string, std::less<>>;

/// Throws InputError for a value that its setting does not take.
ExportOptions with_values(ExportOptions options, const ExportValues& values);

/// " --theme dark --no-title": what differs from the usual, in the order of the list; values are as
/// `quoted` writes them.
std::string said_in_a_command(const ExportValues& values, bool png,
                              std::string (*quoted)(std::string_view));

}  // namespace ropescope::plot
