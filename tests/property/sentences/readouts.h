// What stands under the cursor and in the tables of a report, held against the figure's table and
// the definitions. Sources: readouts.cpp, report_tables.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figures/picture.h"
#include "tests/property/sentences/claims.h"

namespace ropescope::figures {

/// The values that a view shows at a point of one panel.
struct Under {
    const Scene& scene;
    const plot::Figure& figure;
    std::string panel;
    std::vector<plot::Readout> readouts;

    const std::string& text(const std::string& name) const;
    bool has(const std::string& name) const {
        return std::ranges::find(readouts, name, &plot::Readout::name) != readouts.end();
    }
    /// The number with which the text of a readout begins.
    test::Printed number(const std::string& name) const;
    double value(const std::string& name) const { return number(name).value; }
    Index whole(const std::string& name) const { return std::llround(value(name)); }
    /// Expects that the readout was printed for `exact`.
    void is(const std::string& name, double exact) const;
    /// The same for a value that the table need not list. Listed are counted: one that no scene
    /// lists fails the test.
    /// They are counted under `as`, or the readout's name.
    void is_if_listed(const std::string& name, std::optional<double> exact,
                      const std::string& as = "") const;

    /// The value of a column in the row in which these columns have these values; empty if the
    /// table has no such row.
    using Key = std::pair<std::string, double>;
    std::optional<double> in_table(const std::string& column, const std::vector<Key>& keys,
                                   const std::string& words_in = "",
                                   const std::string& word = "") const;
    /// Expects that a curve or a dot of the panel is there: a point at `x` with the readout's
    /// value.
    void is_drawn(const std::string& name, double x) const;
    /// Pair, channels, frequency and wavelength of one spectrum.
    void describes_pair(const RopeSpec& spec) const;
    Said said() const { return {scene, figure, kNoPlaces}; }
    /// The readouts that nothing has looked at.
    std::vector<std::string> ignored() const;

    /// How often is_if_listed() was called for a panel's readout, and how often there was a value.
    struct Listed {
        int asked = 0, found = 0;
    };
    using Listings = std::map<std::string, Listed>;
    Listings* listings = nullptr;

    static inline const test::Places kNoPlaces;
    mutable std::set<std::string> looked_at = {};
};

/// For panels whose numbers the sentences of the view state; they are compared there.
void held_by_sentences(const Under& under);

/// Holds all readouts of a figure's panel; false if the view has no such panel registered.
bool hold_readouts(const Under& under);

/// Holds every row of the report's table against the figure's table.
void hold_report_tables(const Scene& scene, const plot::Figure& figure, Under::Listings& listings);

/// The lines of a report, without its tables.
std::vector<std::string> lines_of(const std::string& report);

}  // namespace ropescope::figures
