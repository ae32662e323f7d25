// Finds the layout of a rotation whose pairs change their lengths from token to token.
#include <algorithm>

#include "core/diagnosis/pairing.h"
#include "core/diagnosis/turns.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

DumpSide first_part(DumpSide side) {
    constexpr Index kHeads = 8, kTokens = 32;
    for (DumpTensor* tensor : {&side.before, &side.after}) {
        tensor->heads = std::min(tensor->heads, kHeads);
        tensor->length = std::min(tensor->length, kTokens);
    }
    return side;
}

/// Whether the channels from `first` on stay as they are.
bool stays_from(const DumpSide& side, Index first) {
    std::vector<double> x(side.before.channels), y(x.size());
    for (Index h = 0; h < side.before.heads; ++h) {
        for (Index l = 0; l < side.before.length; ++l) {
            side.before.read(0, h, l, x);
            side.after.read(0, h, l, y);
            if (!std::equal(x.begin() + first, x.end(), y.begin() + first)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

std::optional<Pairing> find_stretched_pairing(const DumpSide& side, const FloatFormat& format) {
    const DumpSide part = first_part(side);
    if (part.before.heads < 2) {
        return std::nullopt;
    }
    for (Index width = part.before.channels / 2 * 2; width >= 2; width -= 2) {
        if (!stays_from(part, width)) {
            return std::nullopt;  // and so does no narrower one
        }
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            Pairing pairing{.kind = PairingKind::found,
                            .layout = std::string(to_string(layout)),
                            .rotary_dim = width,
                            .pairs = channel_pairs(layout, width)};
            pairing.rotated = pairing.pairs;
            pairing.touched_pairs = width / 2;
            const Turns turns = recover_turns(part, pairing, format);
            constexpr double kFits = 2.0;  // as heads that turn alike fit, in multiples of rounding
            if (std::ranges::all_of(turns.misfit, [](double m) { return m < kFits; })) {
                return pairing;
            }
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::diagnosis
