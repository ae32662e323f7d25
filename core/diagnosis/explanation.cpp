// Goes from the tensors of one side to the simplest explanation of its angles.
#include "core/diagnosis/explanation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "core/diagnosis/channel_mixture.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

std::vector<double> stated_of_rows(const Explanation& side, const DumpPositions& positions) {
    std::vector<double> stated;
    stated.reserve(side.turns.rows * side.turns.length);
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index t = 0; t < side.turns.length; ++t) {
            stated.push_back(positions.at(0, row / side.heads, t));
        }
    }
    return stated;
}

bool all_equal(std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [&](double n) { return n == numbers.front(); });
}

bool is_zero(const DumpTensor& tensor) {
    std::vector<double> row(tensor.channels);
    for (Index b = 0; b < tensor.batch; ++b) {
        for (Index h = 0; h < tensor.heads; ++h) {
            for (Index l = 0; l < tensor.length; ++l) {
                tensor.read(b, h, l, row);
                if (std::ranges::any_of(row, [](double v) { return v != 0.0; })) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// Rows in which nothing turns.
std::vector<bool> still_rows(const Explanation& side) {
    std::vector<bool> still(side.turns.rows, true);
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index t = 0; t < side.turns.length && still[row]; ++t) {
            for (Index p = 0; p < side.turns.pairs; ++p) {
                const std::size_t at = side.turns.at(row, t, p);
                if (side.turns.error_rad[at] < 1.0F &&
                    std::abs(side.turns.angle_rad[at]) >
                        side.turns.error_rad[at] + side.noise.table_rad) {
                    still[row] = false;
                    break;
                }
            }
        }
    }
    return still;
}

/// The angles, so that the right sign is positive.
Speeds with_sign(Speeds speeds, int sign) {
    for (double& omega : speeds.omega) {
        omega *= sign;
    }
    return speeds;
}

std::vector<double> signed_omega(const SpectrumModel& model, int sign, Index pairs) {
    std::vector<double> omega = model.omega;
    omega.resize(pairs, 0.0);
    for (double& each : omega) {
        each *= sign;
    }
    return omega;
}

/// The numbers of turning channels that the data allow: all of the layout, or only those that
/// change. The pairs of a half-split layout say their number themselves.
std::vector<Index> possible_widths(const Explanation& side) {
    std::vector<Index> widths = {2 * side.turns.pairs};
    if (side.pairing.layout == "interleaved" && side.pairing.touched_pairs > 0 &&
        side.pairing.touched_pairs < side.turns.pairs) {
        widths.push_back(2 * side.pairing.touched_pairs);
    }
    return widths;
}

/// Tries the models of one kind on all tokens; keeps the one that explains most.
void try_source(Explanation& side, ModelSource* source, const SpectrumQuestion& question,
                int sign) {
    Index tried = 0;
    for (SpectrumModel& model : models_of(source, question)) {
        constexpr Index kMostTried = 4;  // the others fit the speeds worse
        if (++tried > kMostTried || (side.model && side.places.unexplained == 0)) {
            return;
        }
        const std::vector<double> omega = signed_omega(model, sign, side.turns.pairs);
        Places places = recover_places(side.turns, omega, side.stated, side.noise);
        if (!side.model || places.unexplained < side.places.unexplained) {
            side.sign = sign;
            side.places = std::move(places);
            side.model = std::move(model);
        }
    }
}

/// Tries all kinds of models, the simplest first, until one explains every token.
void try_models(Explanation& side, std::span<const RopeSpec> expected) {
    Index reach = 0;
    for (const double position : side.stated) {
        reach = std::max(reach, static_cast<Index>(position) + 1);
    }
    for (ModelSource* const source : model_sources()) {
        std::vector<Index> widths = possible_widths(side);
        const bool usual =
            widths.back() * 2 == widths.front() || widths.back() * 4 == widths.front();
        if (source == &default_spectra && usual) {
            // Models turn a half or a quarter of the channels. In 16 bits the square or the fourth
            // power of their base fits all channels as well, but then some bits would change.
            std::ranges::reverse(widths);
        }
        for (const Index width : widths) {
            for (const int sign : {1, -1}) {
                if (side.model && side.places.unexplained == 0) {
                    return;
                }
                const Speeds speeds = with_sign(side.speeds, sign);
                try_source(side, source,
                           {speeds, side.head_dim, width, reach, expected, side.pairing.blocks},
                           sign);
            }
        }
    }
}

/// Of an axis that is not that of positions: all tokens of a row turn alike, and rows differ.
bool explain_by_rows(Explanation& side, std::span<const RopeSpec> expected) {
    if (side.turns.rows < 2) {
        return false;
    }
    Explanation across{.head_dim = side.head_dim, .pairing = side.pairing, .noise = side.noise};
    across.turns = {.rows = 1, .length = side.turns.rows, .pairs = side.turns.pairs};
    for (Index row = 0; row < side.turns.rows; ++row) {
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t at = side.turns.at(row, 0, p);
            across.turns.angle_rad.push_back(side.turns.angle_rad[at]);
            across.turns.error_rad.push_back(side.turns.error_rad[at]);
            across.turns.gain.push_back(side.turns.gain[at]);
        }
        across.stated.push_back(to_double(side.heads_differ ? row % side.heads : row / side.heads));
    }
    across.speeds = recover_speeds(across.turns, across.stated, across.noise);
    if (!across.speeds.known()) {
        return false;
    }
    try_models(across, expected);
    if (!across.model || across.model->code == faults::kSpectrumZero) {
        return false;
    }
    side.model = across.model;
    side.sign = across.sign;
    side.places = recover_places(side.turns, signed_omega(*side.model, side.sign, side.turns.pairs),
                                 side.stated, side.noise);
    return side.places.unexplained == 0;
}

/// Recovers turns of all heads together, or apart if they do not turn alike.
void recover(Explanation& side, const DumpSide& tensors) {
    side.turns = recover_turns(tensors, side.pairing, side.format);
    const bool differ = std::ranges::any_of(side.turns.misfit, [](double m) { return m > 2.0; });
    if (differ && tensors.before.heads > 1) {
        side.heads_differ = true;
        side.heads = tensors.before.heads;
        side.turns = recover_turns(tensors, side.pairing, side.format, Heads::apart);
    }
}

/// Tokens far from their stated positions have larger rounding errors of angles than these tell.
void try_shifted(Explanation& side, std::span<const RopeSpec> expected) {
    for (const double shift : {4096.0, 131072.0}) {
        if (side.model && side.places.unexplained == 0) {
            return;
        }
        Explanation shifted{.head_dim = side.head_dim,
                            .pairing = side.pairing,
                            .turns = side.turns,
                            .noise = side.noise,
                            .stated = side.stated};
        shifted.noise.shift = shift;
        shifted.speeds = recover_speeds(side.turns, side.stated, shifted.noise);
        if (shifted.speeds.known()) {
            try_models(shifted, expected);
        }
        if (shifted.model && shifted.places.unexplained == 0) {
            side.speeds = shifted.speeds;
            side.model = shifted.model;
            side.sign = shifted.sign;
            side.places = shifted.places;
        }
    }
}

/// A spectrum that holds from a token on, after another one before it.
void find_change(Explanation& side, std::span<const RopeSpec> expected) {
    Index first = side.turns.length;
    for (Index t = side.turns.length; t-- > 0;) {
        if (!std::isnan(side.places.position[side.speeds.row * side.turns.length + t])) {
            break;
        }
        first = t;
    }
    if (first < 2 || side.turns.length - first < 2) {
        return;
    }
    Explanation later{.head_dim = side.head_dim, .pairing = side.pairing, .noise = side.noise};
    later.turns = side.turns;
    later.stated = side.stated;
    later.speeds = recover_speeds(side.turns, side.stated, side.noise, first);
    if (!later.speeds.known()) {
        return;
    }
    try_models(later, expected);
    if (!later.model || later.model->code == faults::kSpectrumZero) {
        return;
    }
    Index unexplained = 0;
    for (std::size_t at = 0; at < side.places.position.size(); ++at) {
        if (std::isnan(side.places.position[at])) {
            side.places.position[at] = later.places.position[at];
            unexplained += std::isnan(side.places.position[at]) ? 1 : 0;
        }
    }
    side.places.unexplained = unexplained;
    const double position = side.stated[side.speeds.row * side.turns.length + first];
    side.findings.push_back(
        {faults::kSpectrumChangesAt,
         fmt::format("From position {:g} on the spectrum is another one: {} before, {} from there.",
                     position, side.model->text, later.model->text),
         fmt::format("{}, from token {}", side.side, first), position});
}

/// What to dump if no method has the speeds. Numbers of 16 bits leave room for the factors that
/// LongRoPE has for each pair.
std::string unknown_speeds(const Explanation& side) {
    const bool coarse = side.format.unit > 0x1p-16;
    return fmt::format(
        "the angular speeds of {} are not those of a method that is known here{}; dump consecutive "
        "tokens from position 0 on, in float32, or give --expect; if the model turns by several "
        "axes, dump their positions too",
        side.side,
        coarse ? fmt::format(", and {} is too coarse to tell a factor for each pair (LongRoPE)",
                             numpy_name(side.format.dtype))
               : "");
}

/// Whether a right spectrum explains every token at its stated position, or all at one offset.
bool is_plain(const Explanation& side) {
    if (!side.model || !side.model->right || side.places.unexplained > 0) {
        return false;
    }
    return constant_offset(side).has_value();
}

/// What was done in place of a rotation, if it is a mistake that people make.
std::optional<std::string> mistake_in(const DumpSide& tensors, const Explanation& side) {
    for (const ChannelMixture& mixture : find_mixtures(tensors, side.format)) {
        if (auto text = mixture_text(mixture, side.side)) {
            return text;
        }
    }
    return std::nullopt;
}

}  // namespace

Explanation explain(const DumpSide& tensors, std::string name, const DumpPositions& positions,
                    const Expected& asked) {
    const std::span<const RopeSpec> expected = asked.specs;
    Explanation side{.side = std::move(name), .head_dim = tensors.before.channels};
    side.format = effective_format(tensors.after);
    side.pairing = find_pairing(tensors, side.format);
    // Lengths that change with the position make a wide layout fit badly, and a narrow one too
    // well.
    const bool beyond = side.pairing.kind == PairingKind::found &&
                        side.pairing.touched_channels > side.pairing.rotary_dim;
    if (side.pairing.kind == PairingKind::no_rotation || beyond) {
        side.pairing = find_stretched_pairing(tensors, side.format).value_or(side.pairing);
    }
    if (side.pairing.kind == PairingKind::no_rotation) {
        side.pairing = find_scaled_pairing(tensors, side.format).value_or(side.pairing);
    }
    const bool one_position = all_equal(positions.values);
    if (side.pairing.kind == PairingKind::still) {
        side.tensor_zero = is_zero(tensors.before);
        if (side.tensor_zero) {
            side.too_little = fmt::format(
                "{} is zero everywhere; dump tensors of a real forward pass", side.side);
        } else if (one_position && positions.values.front() == 0.0) {
            side.too_little = fmt::format(
                "{} stands at position 0 only, where nothing turns; dump tokens at several "
                "positions",
                side.side);
        } else {
            side.still = true;
        }
        return side;
    }
    if (side.pairing.kind == PairingKind::no_rotation) {
        side.findings.push_back(
            {faults::kNotARotation,
             mistake_in(tensors, side)
                 .value_or(fmt::format("No pairing of the channels of {} keeps their lengths: it "
                                       "is not a rotation of pairs.",
                                       side.side)),
             side.side});
        return side;
    }
    if (side.pairing.kind == PairingKind::unclear) {
        side.too_little = fmt::format(
            "{} hardly turns, so that several layouts fit; dump more tokens, at larger positions",
            side.side);
        return side;
    }
    recover(side, tensors);
    side.stated = stated_of_rows(side, positions);
    side.table = table_dtype(side.turns, side.format);
    side.noise = noise_of_table(side.table);
    side.gain = measure_gain(side.turns, side.noise, side.format);
    if (!side.gain.uniform && side.gain.zero_token < 0 && positions.axes == 1) {
        side.stretch = measure_stretch(side.turns, side.stated, side.noise);
    }
    if (!side.gain.uniform && side.gain.zero_token < 0 && side.gain.by_token.empty() &&
        !side.stretch) {
        if (auto mistake = mistake_in(tensors, side)) {
            // No angles are behind such numbers, so none are looked for.
            side.pairing = {.kind = PairingKind::no_rotation};
            side.findings.push_back({faults::kNotARotation, std::move(*mistake), side.side});
            return side;
        }
    }
    const std::vector<bool> still = still_rows(side);
    const bool any_still = std::ranges::any_of(still, [](bool is) { return is; });
    if (side.turns.length == 1 && !side.heads_differ && !any_still && positions.axes == 1) {
        // One step of several sequences: their tokens are as good as those of one.
        std::swap(side.turns.rows, side.turns.length);
    }
    if (positions.axes > 1 && !axes_agree(positions)) {
        explain_axes(side, positions, asked);
        return side;
    }
    side.speeds = recover_speeds(side.turns, side.stated, side.noise);
    if (side.speeds.known()) {
        try_models(side, expected);
        try_shifted(side, expected);
        if (!is_plain(side)) {
            explain_low_precision(side, expected);
        }
        if (side.model && side.places.unexplained > 0) {
            find_change(side, expected);
        }
    } else if (side.turns.length > 1 && !one_position) {
        if (!explain_by_rows(side, expected)) {
            explain_low_precision(side, expected);
        }
    }
    if (side.model) {
        find_position_faults(side);
        if (positions.axes > 1 && side.findings.empty()) {
            side.too_little = fmt::format(
                "the positions of {} are the same in all axes, so that no pair shows by which it "
                "turns; dump tokens of an image whose rows and columns differ in number",
                side.side);
        }
    } else {
        const auto count = std::ranges::count(still, true);
        if (count > 0 && count < side.turns.rows) {
            std::set<Index> rows;
            for (Index row = 0; row < side.turns.rows; ++row) {
                if (still[row]) {
                    rows.insert(side.heads_differ ? row % side.heads : row);
                }
            }
            side.findings.push_back(
                {faults::kRowsUnrotated,
                 fmt::format("{} {} to {} of {} do not turn, the others do.",
                             side.heads_differ ? "Heads" : "Rows", *rows.begin(), *rows.rbegin(),
                             side.side),
                 fmt::format("{}, {} {}", side.side, side.heads_differ ? "head" : "row",
                             *rows.begin())});
        } else if (!side.speeds.known()) {
            side.too_little = fmt::format(
                "the tokens of {} stand at one position, which leaves whole turns open; dump "
                "tokens at several positions, some of them neighbours",
                side.side);
        } else {
            side.too_little = unknown_speeds(side);
        }
    }
    return side;
}

}  // namespace ropescope::diagnosis
