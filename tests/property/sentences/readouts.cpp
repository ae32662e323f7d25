// Holds what the views show under the cursor against their tables and the definitions.
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

double number_in(const plot::Column& column, std::size_t row) {
    const auto* const whole = std::get_if<std::vector<std::int64_t>>(&column.values);
    return whole != nullptr ? to_double((*whole)[row])
                            : std::get<std::vector<double>>(column.values)[row];
}

}  // namespace

const std::string& Under::text(const std::string& name) const {
    const auto found = std::ranges::find(readouts, name, &plot::Readout::name);
    if (found == readouts.end()) {
        throw std::runtime_error(figure.view + " " + panel + " shows no " + name);
    }
    looked_at.insert(name);
    return found->value;
}

test::Printed Under::number(const std::string& name) const {
    const auto places = test::match("#*", text(name));
    if (!places) {
        throw std::runtime_error(name + " is no number: " + text(name));
    }
    return places->numbers.front();
}

void Under::is(const std::string& name, double exact) const {
    if (std::isinf(exact) && text(name) == "stands still") {
        return;  // the wavelength of a pair that does not turn
    }
    EXPECT_TRUE(number(name).shows(exact))
        << panel << ", " << name << ": says " << text(name) << ", is " << exact;
}

void Under::is_if_listed(const std::string& name, std::optional<double> exact,
                         const std::string& as) const {
    Listed& listed = (*listings)[figure.view + " " + panel + ": " + (as.empty() ? name : as)];
    ++listed.asked;
    text(name);  // it is there
    if (exact) {
        ++listed.found;
        is(name, *exact);
    }
}

std::vector<std::string> Under::ignored() const {
    std::vector<std::string> names;
    for (const plot::Readout& readout : readouts) {
        if (!looked_at.contains(readout.name)) {
            names.push_back(readout.name);
        }
    }
    return names;
}

std::optional<double> Under::in_table(const std::string& column, const std::vector<Key>& keys,
                                      const std::string& words_in, const std::string& word) const {
    const auto* const words =
        words_in.empty()
            ? nullptr
            : &std::get<std::vector<std::string>>(column_named(figure, words_in).values);
    std::vector<const plot::Column*> key_columns;
    for (const Key& key : keys) {
        key_columns.push_back(&column_named(figure, key.first));
    }
    const plot::Column& values = column_named(figure, column);
    const auto rows = std::visit([](const auto& all) { return all.size(); }, values.values);
    for (std::size_t row = 0; row < rows; ++row) {
        bool same = words == nullptr || (*words)[row] == word;
        for (std::size_t i = 0; same && i < keys.size(); ++i) {
            same = number_in(*key_columns[i], row) == keys[i].second;
        }
        if (same) {
            return number_in(values, row);
        }
    }
    return std::nullopt;
}

void Under::is_drawn(const std::string& name, double x) const {
    const auto drawn = std::ranges::find(figure.panels, panel, &plot::Panel::id);
    bool found = false;
    for (const plot::Mark& mark : drawn->marks) {
        const auto* line = std::get_if<plot::Line>(&mark);
        const auto* dots = std::get_if<plot::Points>(&mark);
        if (line != nullptr || dots != nullptr) {
            found =
                found || std::ranges::any_of(line != nullptr ? line->points : dots->points,
                                             [&](const plot::Point& point) {
                                                 return point.x == x && number(name).shows(point.y);
                                             });
        }
    }
    EXPECT_TRUE(found) << panel << ", " << name << ": no curve has " << text(name) << " at " << x;
}

void Under::describes_pair(const RopeSpec& spec) const {
    const Index pair = whole("pair");
    const Spectrum spectrum = make_spectrum(spec);
    ASSERT_LT(pair, spectrum.pairs());
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    const auto shown = test::match("#, #", text("channels"));
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->numbers[0].value, to_double(channels.first));
    EXPECT_EQ(shown->numbers[1].value, to_double(channels.second));
    is("θ", spectrum.inv_freq_rad[pair]);
    is("wavelength", spectrum.wavelength_positions(pair));
}

void held_by_sentences(const Under& u) {
    for (const plot::Readout& readout : u.readouts) {
        u.text(readout.name);
    }
}

bool hold_readouts(const Under& under) {
    const auto& holds = claims_of(under.figure.view).readouts;
    for (const std::string& panel : {under.panel, std::string()}) {
        if (const auto found = holds.find(panel); found != holds.end()) {
            found->second(under);
            return true;
        }
    }
    return false;
}

}  // namespace ropescope::figures
