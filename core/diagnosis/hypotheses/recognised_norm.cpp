// Finds weights and the scale of each row by alternating least squares on squared lengths.
#include "core/diagnosis/hypotheses/recognised_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/tell/verdict.h"
#include "core/faults/codes.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {
namespace {

constexpr Index kMostRows = 96, kFewestRows = 8;

/// Squares of the rows of a head, and their means over this head and over all.
struct Squares {
    std::vector<std::vector<double>> from = {}, to = {};
    std::vector<double> mean_of_head = {}, mean_of_token = {};
};

double mean_of(std::span<const double> row) {
    double squares = 0.0;
    for (const double x : row) {
        squares += x * x;
    }
    return squares / to_double(std::ssize(row));
}

std::vector<double> squared(std::vector<double> row) {
    for (double& x : row) {
        x *= x;
    }
    return row;
}

Squares squares_of(const DumpSide& side, NormOrder order, Index head) {
    const DumpTensor &x = side.before, &y = side.after;
    Squares squares;
    const Index rows = x.batch * x.length, looked = std::min(rows, kMostRows);
    std::vector<double> given(x.channels), turned(x.channels), other(x.channels);
    for (Index i = 0; i < looked; ++i) {
        const Index at = i * rows / looked, b = at / x.length, l = at % x.length;
        x.read(b, head, l, given);
        y.read(b, head, l, turned);
        double token = 0.0;
        for (Index h = 0; h < x.heads; ++h) {
            x.read(b, h, l, other);
            token += mean_of(other) / to_double(x.heads);
        }
        if (mean_of(given) == 0.0 || mean_of(turned) == 0.0) {
            continue;
        }
        squares.mean_of_head.push_back(mean_of(given));
        squares.mean_of_token.push_back(token);
        const bool before = order == NormOrder::before;
        squares.from.push_back(squared(before ? given : turned));
        squares.to.push_back(squared(before ? turned : given));
    }
    return squares;
}

/// One or two channels that keep their weighted length together; the second is -1 if there is none.
std::vector<ChannelPair> groups_of(Layout layout, Index width, Index channels) {
    std::vector<ChannelPair> groups = channel_pairs(layout, width);
    for (Index c = width; c < channels; ++c) {
        groups.push_back({c, -1});
    }
    return groups;
}

/// The factors on the squares of each group, and of each row.
struct Fit {
    std::vector<double> first = {}, second = {}, rows = {};
};

double at(const std::vector<double>& squares, Index channel) {
    return channel < 0 ? 0.0 : squares[channel];
}

/// The factors of a group for given factors of the rows, each row weighed by its own size.
void fit_group(const Squares& s, const ChannelPair& group, std::size_t g, Fit& fit) {
    double uu = 0.0, uv = 0.0, vv = 0.0, u1 = 0.0, v1 = 0.0;
    for (std::size_t r = 0; r < s.from.size(); ++r) {
        const double size = at(s.to[r], group.first) + at(s.to[r], group.second);
        if (size > 0.0) {
            const double u = fit.rows[r] * at(s.from[r], group.first) / size;
            const double v = fit.rows[r] * at(s.from[r], group.second) / size;
            uu += u * u;
            uv += u * v;
            vv += v * v;
            u1 += u;
            v1 += v;
        }
    }
    const double det = uu * vv - uv * uv;
    if (group.second < 0) {
        fit.first[g] = uu > 0.0 ? u1 / uu : 0.0;
        fit.second[g] = fit.first[g];
    } else if (det > 1e-9 * uu * vv) {
        fit.first[g] = (u1 * vv - v1 * uv) / det;
        fit.second[g] = (v1 * uu - u1 * uv) / det;
    }
}

double expected_of(const Squares& s, const ChannelPair& group, std::size_t g, std::size_t row,
                   const Fit& fit) {
    return fit.first[g] * at(s.from[row], group.first) +
           fit.second[g] * at(s.from[row], group.second);
}

void fit_rows(const Squares& s, const std::vector<ChannelPair>& groups, Fit& fit) {
    for (std::size_t r = 0; r < s.from.size(); ++r) {
        double uu = 0.0, u1 = 0.0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const double size = at(s.to[r], groups[g].first) + at(s.to[r], groups[g].second);
            const double u = size > 0.0 ? expected_of(s, groups[g], g, r, fit) / size : 0.0;
            uu += u * u;
            u1 += u;
        }
        fit.rows[r] = uu > 0.0 ? u1 / uu : fit.rows[r];
    }
}

/// Whether every squared length is the expected one within rounding.
bool explains(const Squares& s, const std::vector<ChannelPair>& groups, const Fit& fit,
              double allowed) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!(fit.first[g] > 0.0) || !(fit.second[g] > 0.0)) {
            return false;
        }
        for (std::size_t r = 0; r < s.from.size(); ++r) {
            const double size = at(s.to[r], groups[g].first) + at(s.to[r], groups[g].second);
            const double off = fit.rows[r] * expected_of(s, groups[g], g, r, fit) - size;
            if (!(std::abs(off) <= allowed * size)) {
                return false;
            }
        }
    }
    return true;
}

std::optional<Fit> fit_of(const Squares& s, const std::vector<ChannelPair>& groups,
                          double allowed) {
    Fit fit{.first = std::vector<double>(groups.size(), 1.0),
            .second = std::vector<double>(groups.size(), 1.0),
            .rows = std::vector<double>(s.from.size(), 1.0)};
    fit_rows(s, groups, fit);
    constexpr int kMostSteps = 60, kFirstSteps = 6;
    for (int step = 0; step < kMostSteps; ++step) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            fit_group(s, groups[g], g, fit);
        }
        fit_rows(s, groups, fit);
        if (explains(s, groups, fit, allowed)) {
            return fit;
        }
        // Of another layout no step comes near.
        if (step == kFirstSteps && !explains(s, groups, fit, 0.5)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// value = slope * (mean + eps) in all rows, within `allowed` as a share.
struct MeanLine {
    double slope = 0.0, eps = 0.0;
};
std::optional<MeanLine> line_of(const std::vector<double>& means, const std::vector<double>& values,
                                double allowed) {
    double sm = 0.0, sv = 0.0, smm = 0.0, smv = 0.0;
    const double n = static_cast<double>(means.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
        sm += means[i];
        sv += values[i];
        smm += means[i] * means[i];
        smv += means[i] * values[i];
    }
    const double det = n * smm - sm * sm;
    if (!(det > 0.0)) {
        return std::nullopt;
    }
    const double slope = (n * smv - sm * sv) / det, start = (sv - slope * sm) / n;
    for (std::size_t i = 0; i < means.size(); ++i) {
        const double off = slope * means[i] + start - values[i];
        if (!(std::abs(off) <= allowed * std::abs(values[i]))) {
            return std::nullopt;
        }
    }
    return slope > 0.0 ? std::optional(MeanLine{slope, std::max(0.0, start / slope)})
                       : std::nullopt;
}

/// What the factors of the rows are, and the weights.
std::optional<RecognisedNorm> norm_of_fit(const DumpSide& side, const Squares& s, const Fit& fit,
                                          NormOrder order, double allowed) {
    RecognisedNorm norm{.order = order};
    std::vector<double> values = fit.rows;  // of a norm behind the rotation: mean + eps itself
    if (order == NormOrder::before) {
        std::ranges::transform(values, values.begin(), [](double row) { return 1.0 / row; });
    }
    const auto [low, high] = std::ranges::minmax(values);
    double scale = std::sqrt(low * high);
    if (high - low <= 4.0 * allowed * high) {
        norm.by_row = false;
    } else if (const auto head = line_of(s.mean_of_head, values, 4.0 * allowed)) {
        norm.width = side.before.channels;
        norm.eps = head->eps;
        scale = head->slope;
    } else if (const auto token = line_of(s.mean_of_token, values, 4.0 * allowed)) {
        norm.width = side.before.channels * side.before.heads;
        norm.eps = token->eps;
        scale = token->slope;
    } else {
        return std::nullopt;
    }
    std::vector<double> weights;
    for (const auto* factors : {&fit.first, &fit.second}) {
        for (const double factor : *factors) {
            const double square =
                order == NormOrder::before ? factor / scale : 1.0 / (factor * scale);
            weights.push_back(std::sqrt(square));
        }
    }
    norm.least = std::ranges::min(weights);
    norm.most = std::ranges::max(weights);
    return norm;
}

double allowance_of(const DumpSide& side) {
    return 2.0 * (kRotationUnits + 3.0) * effective_format(side.after).unit + 0x1p-20;
}

/// Of all heads, which must have the same kind of norm.
std::optional<RecognisedNorm> norm_of_heads(const DumpSide& side,
                                            const std::vector<ChannelPair>& groups,
                                            NormOrder order) {
    const double allowed = allowance_of(side);
    std::optional<RecognisedNorm> all;
    for (Index head = 0; head < side.before.heads; ++head) {
        const Squares squares = squares_of(side, order, head);
        const auto fit = std::ssize(squares.from) < kFewestRows ? std::nullopt
                                                                : fit_of(squares, groups, allowed);
        const auto own = fit ? norm_of_fit(side, squares, *fit, order, allowed) : std::nullopt;
        if (!own || (all && (all->by_row != own->by_row || all->width != own->width))) {
            return std::nullopt;
        }
        if (!all) {
            all = own;
        }
        all->least = std::min(all->least, own->least);
        all->most = std::max(all->most, own->most);
    }
    return all;
}

bool hides_rotation(const Explanation& side) {
    return side.pairing.kind == PairingKind::no_rotation || !side.gain.by_token.empty();
}

bool is_hidden_fault(const Finding& finding, Side side) {
    const bool about =
        finding.code == faults::code("not_a_rotation") || finding.code == faults::code("gain");
    return about && finding.weight == Weight::fault && contains(finding.place.sides, side);
}

Words words_of_norm(const RecognisedNorm& norm, Side side) {
    const std::string order(to_string(norm.order));
    return norm.by_row
               ? Words(say::kNormFound, {side, order, norm.width, norm.eps, norm.least, norm.most})
               : Words(say::kChannelGains, {side, order, norm.least, norm.most});
}

}  // namespace

std::optional<RecognisedNorm> recognise_norm(const DumpSide& side) {
    const double allowed = allowance_of(side);
    const Index channels = side.before.channels;
    for (const NormOrder order : {NormOrder::before, NormOrder::after}) {
        for (const Index width : {channels, channels / 2, channels / 4, 3 * channels / 4}) {
            for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
                if (width < 8 || width % 2 != 0) {
                    continue;
                }
                const auto norm = norm_of_heads(side, groups_of(layout, width, channels), order);
                const bool trivial =
                    norm && !norm->by_row && norm->most - norm->least <= 4.0 * allowed * norm->most;
                if (norm && !trivial) {
                    return norm;
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<Analysis> with_norm_recognised(const Dump& dump, const Analysis& first) {
    Analysis analysis = first;
    Diagnosis& diagnosis = analysis.diagnosis;
    bool any = false;
    for (const Explanation& side : first.sides) {
        const DumpSide& tensors = side.side == Side::k ? *dump.k : *dump.q;
        const auto norm = hides_rotation(side) ? recognise_norm(tensors) : std::nullopt;
        if (!norm) {
            continue;
        }
        const Words words = words_of_norm(*norm, side.side);
        if (!any) {
            diagnosis.next.clear();
        }
        any = true;
        for (Finding& finding : diagnosis.findings) {
            if (is_hidden_fault(finding, side.side) && finding.place.sides == Side::both) {
                finding.place.sides = side.side == Side::q ? Side::k : Side::q;
            }
        }
        std::erase_if(diagnosis.findings,
                      [&](const Finding& finding) { return is_hidden_fault(finding, side.side); });
        diagnosis.findings.push_back(
            {faults::code("norm"), words, {side.side}, {}, {}, Weight::note});
        diagnosis.next.push_back(words);
    }
    if (!any) {
        return std::nullopt;
    }
    diagnosis.mismatches.clear();
    diagnosis.unexplained.clear();
    diagnosis.verdict = verdict_of(diagnosis);
    diagnosis.gist = gist_of(diagnosis, analysis.sides);
    return analysis;
}

}  // namespace ropescope::diagnosis
