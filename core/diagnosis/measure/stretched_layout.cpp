// Fits a line to the logarithm of each pair's length over its positions.
#include "core/diagnosis/measure/stretched_layout.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

/// What the tokens of one head say about a pair: positions, and half the logarithm of the quotient
/// of squared lengths with its error.
struct PairLengths {
    std::vector<double> position = {}, log_gain = {}, error = {};
};

/// Sums for a line through the logarithms.
struct LineFit {
    double start = 0.0, slope = 0.0;
};
std::optional<LineFit> line_through(const PairLengths& of) {
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    const double n = static_cast<double>(of.position.size());
    for (std::size_t i = 0; i < of.position.size(); ++i) {
        sx += of.position[i];
        sy += of.log_gain[i];
        sxx += of.position[i] * of.position[i];
        sxy += of.position[i] * of.log_gain[i];
    }
    const double det = n * sxx - sx * sx;
    if (!(det > 0.0)) {
        return std::nullopt;
    }
    const double slope = (n * sxy - sx * sy) / det;
    return LineFit{(sy - slope * sx) / n, slope};
}

/// Rows of the side as squares, of every head.
class HeadSquares {
  public:
    HeadSquares(const DumpSide& side, const DumpPositions& positions)
        : format_(effective_format(side.after)) {
        const DumpTensor &x = side.before, &y = side.after;
        std::vector<double> given(x.channels), turned(x.channels);
        const Index rows = x.batch * x.heads * x.length, looked = std::min<Index>(rows, 256);
        for (Index i = 0; i < looked; ++i) {
            const Index at = i * rows / looked, b = at / (x.heads * x.length);
            const Index h = at / x.length % x.heads, l = at % x.length;
            x.read(b, h, l, given);
            y.read(b, h, l, turned);
            before_.push_back(given);
            behind_.push_back(turned);
            position_.push_back(positions.at(0, b, l));
        }
    }

    PairLengths of(const ChannelPair& pair) const {
        PairLengths lengths;
        for (std::size_t r = 0; r < before_.size(); ++r) {
            const double x = std::hypot(before_[r][pair.first], before_[r][pair.second]);
            const double y = std::hypot(behind_[r][pair.first], behind_[r][pair.second]);
            const double floor = 2.0 * format_.smallest;
            if (x > 0.0 && y > 64.0 * floor) {
                lengths.position.push_back(position_[r]);
                lengths.log_gain.push_back(std::log(y / x));
                lengths.error.push_back((kRotationUnits + 2.0) * format_.unit + floor / y +
                                        0x1p-18);
            }
        }
        return lengths;
    }
    bool stays(Index channel) const {
        for (std::size_t r = 0; r < before_.size(); ++r) {
            if (before_[r][channel] != behind_[r][channel]) {
                return false;
            }
        }
        return true;
    }
    std::size_t positions() const {
        return std::set<double>(position_.begin(), position_.end()).size();
    }

  private:
    FloatFormat format_;
    std::vector<std::vector<double>> before_ = {}, behind_ = {};
    std::vector<double> position_ = {};
};

/// Whether all pairs lie on their lines, and one of the lines rises or falls by more than rounding.
bool fits(const HeadSquares& squares, const std::vector<ChannelPair>& pairs) {
    bool any = false;
    for (const ChannelPair& pair : pairs) {
        const PairLengths lengths = squares.of(pair);
        const std::optional<LineFit> line = line_through(lengths);
        if (!line || lengths.position.size() < 4) {
            return false;
        }
        for (std::size_t i = 0; i < lengths.position.size(); ++i) {
            const double off =
                line->start + line->slope * lengths.position[i] - lengths.log_gain[i];
            if (!(std::abs(off) <= 2.0 * lengths.error[i])) {
                return false;
            }
        }
        const auto [low, high] = std::ranges::minmax(lengths.log_gain);
        any = any || high - low > 8.0 * std::ranges::max(lengths.error);
    }
    return any;
}

}  // namespace

std::optional<Pairing> stretched_layout(const DumpSide& side, const DumpPositions& positions) {
    constexpr std::size_t kFewestPositions = 4;
    if (positions.axes != 1) {
        return std::nullopt;
    }
    const HeadSquares squares(side, positions);
    const Index channels = side.before.channels;
    if (squares.positions() < kFewestPositions) {
        return std::nullopt;
    }
    for (const Index width : {channels, channels / 2, channels / 4}) {
        bool others_stay = width >= 4 && width % 2 == 0;
        for (Index c = width; c < channels && others_stay; ++c) {
            others_stay = squares.stays(c);
        }
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            if (!others_stay || !fits(squares, channel_pairs(layout, width))) {
                continue;
            }
            Pairing pairing{.kind = PairingKind::found,
                            .layout = std::string(to_string(layout)),
                            .rotary_dim = width};
            pairing.pairs = pairing.rotated = channel_pairs(layout, width);
            pairing.touched_pairs = width / 2;
            pairing.touched_channels = width;
            return pairing;
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::diagnosis
