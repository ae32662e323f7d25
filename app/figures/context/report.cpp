// Writes the context view as text and as CSV.
#include <fmt/format.h>

#include "app/figures/context/context.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {

plot::Text context_report(const ContextState& state) {
    std::vector<std::vector<std::string>> table;
    for (const MethodRow& row : state.rows()) {
        table.push_back(method_cells(row));
    }
    plot::Text text =
        text_table(method_header(), table) +
        "\nkept, blended, slowed: pairs at their old speed, in between, slower by "
        "the whole factor or more\n"
        "never turn: pairs that finish no turn within the target\n"
        "new angles: pairs that finished none in training and reach angles within the "
        "target that training never showed\n"
        "cos/sin factor, softmax factor: multiply cos and sin, and the softmax scale\n\n";
    for (const plot::Facts::Fact& note : state.notes) {
        text += note.name + ": " + note.text + "\n";
    }
    text += "\n";
    for (const MethodRow& row : state.rows()) {
        if (!row.is<NoScaling>()) {
            text += plot::say("{}: {}\n", row.name, state.block_of(row));
        }
    }
    return text +
           plot::say("\nThe block in the picture:\n{}\n", state.block_of(state.marked_row()));
}

plot::DataTable context_data(const ContextState& state) {
    std::vector<std::string> method;
    std::vector<Index> pair;
    std::vector<double> inv_freq, wavelength, slowdown, attention, softmax;
    for (const MethodRow& row : state.rows()) {
        for (int i = 0; i < row.spectrum.pairs(); ++i) {
            method.push_back(row.name);
            pair.push_back(i);
            inv_freq.push_back(row.spectrum.inv_freq_rad[i]);
            wavelength.push_back(row.spectrum.wavelength_positions(i));
            slowdown.push_back(row.slowdown[i]);
            attention.push_back(row.spectrum.attention_factor);
            softmax.push_back(row.spectrum.softmax_scale_factor);
        }
    }
    return {{{"method", method},
             {"pair", pair},
             {"inv_freq_rad", inv_freq},
             {"wavelength_positions", wavelength},
             {"slowdown", slowdown},
             {"attention_factor", attention},
             {"softmax_scale_factor", softmax}}};
}

}  // namespace ropescope::figures
