// Compares findings as values, and joins their places.
#include "core/diagnosis/tell/grouping.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis {
namespace {

/// The place without what tells the parts apart.
Place beside(Place place, Among part) {
    if (part == Among::sides) {
        place.sides = Side::none;
    } else if (part == Among::heads) {
        place.q_heads.clear();
        place.k_heads.clear();
    } else {
        place.layers.clear();
    }
    return place;
}

void join(Place& all, const Place& more) {
    all.sides = all.sides | more.sides;
    add_numbers(all.q_heads, more.q_heads);
    add_numbers(all.k_heads, more.k_heads);
    add_numbers(all.layers, more.layers);
}

bool close(double a, double b, double rounding) {
    return a == b || std::abs(a - b) <= rounding * std::max({1.0, std::abs(a), std::abs(b)});
}

bool close(const Measured& a, const Measured& b, double rounding) {
    constexpr double kDigits = 0x1p-34;  // half a unit of the last of ten digits, which are shown
    return rounding == kAnyNumber ||
           std::abs(a.value - b.value) <= a.error + b.error + kDigits * std::abs(a.value);
}

bool close(const Value& a, const Value& b, Among part, double rounding) {
    if (a.index() != b.index()) {
        return false;
    }
    if (const auto* number = std::get_if<double>(&a)) {
        return close(*number, std::get<double>(b), rounding);
    }
    if (const auto* number = std::get_if<Measured>(&a)) {
        return close(*number, std::get<Measured>(b), rounding);
    }
    if (std::holds_alternative<Index>(a)) {
        return rounding == kAnyNumber || a == b;
    }
    if (std::holds_alternative<Side>(a)) {
        return part == Among::sides || a == b;
    }
    if (const auto* place = std::get_if<Place>(&a)) {
        return beside(*place, part) == beside(std::get<Place>(b), part);
    }
    if (const auto* list = std::get_if<std::vector<Words>>(&a)) {
        return std::ranges::equal(
            *list, std::get<std::vector<Words>>(b),
            [&](const Words& x, const Words& y) { return same(x, y, part, rounding); });
    }
    return a == b;
}

}  // namespace

bool same(const Words& a, const Words& b, Among part, double rounding) {
    return a.phrase == b.phrase &&
           std::ranges::equal(a.values, b.values, [&](const Value& x, const Value& y) {
               return close(x, y, part, rounding);
           });
}

bool same(const Finding& a, const Finding& b, Among part, double rounding) {
    return a.code == b.code && a.weight == b.weight &&
           beside(a.place, part) == beside(b.place, part) &&
           close(a.measured, b.measured, part, rounding) && same(a.words, b.words, part, rounding);
}

double rounding_of(std::span<const Explanation> sides) {
    double rounding = 0x1p-19;  // a gain is held in fp32, and is a median
    for (const Explanation& side : sides) {
        rounding =
            std::max(rounding, 2.0 * (kRotationUnits * side.format.unit + side.noise.table_rad));
    }
    return rounding;
}

void add_numbers(std::vector<Index>& all, const std::vector<Index>& more) {
    for (const Index number : more) {
        if (std::ranges::find(all, number) == all.end()) {
            all.push_back(number);
        }
    }
    std::ranges::sort(all);
}

std::vector<Finding> grouped(std::span<const FindingsOfPart> parts, Among part, double rounding) {
    std::vector<Finding> all;
    for (const FindingsOfPart& each : parts) {
        for (const Finding& finding : each.findings) {
            auto known = std::ranges::find_if(
                all, [&](const Finding& other) { return same(other, finding, part, rounding); });
            if (known == all.end()) {
                known = all.insert(known, finding);
            }
            join(known->place, each.place);
        }
    }
    return all;
}

void weigh_layouts(std::vector<Finding>& findings, Among part) {
    const auto is_layout = [](const Finding& each) { return each.code.starts_with("layout."); };
    const auto first = std::ranges::find_if(findings, is_layout);
    const bool several = std::ranges::any_of(findings, [&](const Finding& each) {
        return is_layout(each) &&
               (part == Among::heads ? each.words != first->words : each.code != first->code);
    });
    for (Finding& each : findings) {
        if (several && is_layout(each) && each.weight != Weight::fault) {
            each.weight = Weight::fault;
            each.words = {say::kOthersLayout,
                          {each.words, part == Among::heads ? say::kHeads : say::kLayers}};
        }
    }
}

Words words_of_spectrum(const Explanation& side) {
    if (!side.model) {
        return {};
    }
    return side.axis_map ? Words(say::kWith, {describe_map(*side.axis_map), side.model->words})
                         : side.model->words;
}

Words words_of_spectra(std::span<const SpectrumOfPart> parts, Among part) {
    const auto alike = [&](const Words& a, const Words& b) { return same(a, b, part, 0.0); };
    std::vector<SpectrumOfPart> spectra;
    for (const SpectrumOfPart& each : parts) {
        const auto own = std::ranges::find_if(
            spectra, [&](const SpectrumOfPart& other) { return alike(other.words, each.words); });
        if (own == spectra.end() || each.learned) {
            spectra.push_back(each);
        } else {
            add_numbers(own->numbers, each.numbers);
        }
    }
    if (spectra.size() < 2) {
        return {};
    }
    const Words& first = spectra.front().words;
    Words text(say::kEach, {first});
    if (!std::ranges::all_of(spectra, [&](const auto& each) { return alike(each.words, first); })) {
        std::vector<Words> list;
        constexpr std::size_t kMost = 4;
        for (std::size_t i = 0; i < std::min(spectra.size(), kMost); ++i) {
            const Numbers numbers{part == Among::heads ? "head" : "layer", spectra[i].numbers};
            list.push_back({say::kWordsBefore, {numbers, spectra[i].words}});
        }
        text = {say::kListed, {list, spectra.size() > kMost ? Value(say::kAndOthers) : Value()}};
    }
    return {say::kSpectra,
            {part == Among::heads ? say::kHeads : say::kLayers, std::ssize(spectra), text}};
}

}  // namespace ropescope::diagnosis
