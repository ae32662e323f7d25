// Writes the spectrum view's table for CSV and its text report.
#include <fmt/format.h>

#include "app/figures/shared/text.h"
#include "app/figures/spectrum/spectrum.h"

namespace ropescope::figures {

plot::DataTable spectrum_data(const SpectrumState& state) {
    std::vector<Index> pairs, first, second;
    std::vector<double> inv_freq, wavelength, turned, unscaled, slowdown;
    for (Index pair = 0; pair < state.spec.pairs(); ++pair) {
        const ChannelPair channels = channels_of(state.spec, state.along, pair);
        pairs.push_back(pair);
        first.push_back(channels.first);
        second.push_back(channels.second);
        inv_freq.push_back(state.inv_freq(pair));
        wavelength.push_back(state.spectrum.wavelength_positions(pair));
        turned.push_back(state.turns(pair));
        unscaled.push_back(state.plain.inv_freq_rad[pair]);
        slowdown.push_back(state.slowdown(pair));
    }
    plot::DataTable table{{{"pair", pairs},
                           {"first_channel", first},
                           {"second_channel", second},
                           {"inv_freq_rad", inv_freq},
                           {"wavelength_positions", wavelength},
                           {"turns_in_context", turned},
                           {"unscaled_inv_freq_rad", unscaled},
                           {"slowdown", slowdown}}};
    for (const SpectrumOverlay& overlay : state.overlays) {
        table.columns.push_back({overlay.name + "_overlay_inv_freq_rad", overlay.inv_freq_rad});
    }
    return table;
}

plot::Text spectrum_report(const SpectrumState& state) {
    const std::vector<Index> shown = evenly_chosen(state.spec.pairs(), 64);
    std::vector<std::vector<std::string>> rows;
    for (const Index chosen : shown) {
        const Index pair = chosen;
        const ChannelPair channels = channels_of(state.spec, state.along, pair);
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{}, {}", channels.first, channels.second),
                        fmt::format("{:.6g}", state.inv_freq(pair)),
                        state.inv_freq(pair) == 0.0
                            ? "stands still"
                            : fmt::format("{:.6g}", state.spectrum.wavelength_positions(pair)),
                        fmt::format("{:.4g}", state.turns(pair)),
                        state.scaled() ? fmt::format("{:.4g}", state.slowdown(pair)) : "",
                        state.unfinished(pair) ? "never a full turn" : "",
                        pair == state.selected ? "selected" : ""});
    }
    plot::Text text = text_table(
        {"pair", "channels", "θ rad/position", "λ positions",
         fmt::format("turns in {}", state.context), state.scaled() ? "slowdown" : "", "", ""},
        rows);
    if (std::ssize(shown) < state.spec.pairs()) {
        text += plot::say("{} of {} pairs, evenly chosen; the CSV has all\n", shown.size(),
                          state.spec.pairs());
    }
    return text;
}

}  // namespace ropescope::figures
