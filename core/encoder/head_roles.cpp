// Measures how an attention head divides its probability, and names what stands out.
#include "core/encoder/head_roles.h"

#include <algorithm>

namespace ropescope {
namespace {

constexpr double kStandsOut = 0.25;  ///< of the way from a uniform head to a pure one
constexpr double kExplained = 0.5;

/// Adjusted R^2 of "the probability depends on key - query alone".
double explained_by_distance(std::span<const float> probs, Index tokens, Index seen) {
    if (seen < 2) {
        return 0;
    }
    std::vector<double> sum(2 * seen - 1);
    double all = 0;
    for (Index query = 0; query < seen; ++query) {
        for (Index key = 0; key < seen; ++key) {
            const double prob = probs[query * tokens + key];
            sum[key - query + seen - 1] += prob;
            all += prob;
        }
    }
    const double count = to_double(seen * seen), mean = all / count;
    double total = 0, left = 0;
    for (Index query = 0; query < seen; ++query) {
        for (Index key = 0; key < seen; ++key) {
            const Index distance = key - query;
            const double prob = probs[query * tokens + key];
            const double expected = sum[distance + seen - 1] / to_double(seen - std::abs(distance));
            total += (prob - mean) * (prob - mean);
            left += (prob - expected) * (prob - expected);
        }
    }
    // fp32 probabilities of a uniform head differ from each other by rounding alone.
    const double rounding = count * 0x1p-46 * mean * mean;
    if (total <= rounding) {
        return 0;
    }
    const double spare = count - to_double(2 * seen - 1);
    return std::max(0.0, 1 - left / spare / (total / (count - 1)));
}

double mean_over_queries(double sum, Index queries) {
    return queries > 0 ? sum / to_double(queries) : 0;
}

/// What a head that looks at all keys alike gives to the role.
double uniform_share(HeadRole role, const RoleTokens& tokens) {
    const double seen = to_double(tokens.seen);
    if (role == HeadRole::delimiter) {
        return to_double(std::count(tokens.delimiter.begin(),
                                    tokens.delimiter.begin() + tokens.seen, true)) /
               seen;
    }
    if (role != HeadRole::same_token) {
        return 1 / seen;
    }
    double equal = 0;
    for (Index query = 0; query < tokens.seen; ++query) {
        equal += to_double(
            std::count(tokens.ids.begin(), tokens.ids.begin() + tokens.seen, tokens.ids[query]));
    }
    return equal / (seen * seen);
}

}  // namespace

double RoleShares::of(HeadRole role) const {
    switch (role) {
        case HeadRole::previous:
            return previous;
        case HeadRole::next:
            return next;
        case HeadRole::same_token:
            return same_token;
        case HeadRole::delimiter:
            return delimiter;
        case HeadRole::first_token:
            return first_token;
        case HeadRole::by_distance:
            return by_distance;
        case HeadRole::mixed:
            break;
    }
    return 0;
}

RoleShares role_shares(std::span<const float> probs, const RoleTokens& tokens) {
    const Index count = std::ssize(tokens.ids), seen = tokens.seen;
    RoleShares shares;
    for (Index query = 0; query < seen; ++query) {
        const std::span<const float> row = probs.subspan(query * count, seen);
        shares.previous += query > 0 ? row[query - 1] : 0;
        shares.next += query + 1 < seen ? row[query + 1] : 0;
        shares.first_token += row[0];
        for (Index key = 0; key < seen; ++key) {
            shares.same_token += tokens.ids[key] == tokens.ids[query] ? row[key] : 0;
            shares.delimiter += tokens.delimiter[key] ? row[key] : 0;
        }
    }
    shares.previous = mean_over_queries(shares.previous, seen - 1);
    shares.next = mean_over_queries(shares.next, seen - 1);
    shares.same_token = mean_over_queries(shares.same_token, seen);
    shares.delimiter = mean_over_queries(shares.delimiter, seen);
    shares.first_token = mean_over_queries(shares.first_token, seen);
    shares.by_distance = explained_by_distance(probs, count, seen);
    return shares;
}

LabelledRole label_head(const RoleShares& shares, const RoleTokens& tokens) {
    LabelledRole best;
    double farthest = 0;
    for (const HeadRole role : {HeadRole::previous, HeadRole::next, HeadRole::same_token,
                                HeadRole::delimiter, HeadRole::first_token}) {
        const double uniform = uniform_share(role, tokens);
        const double way = uniform < 1 ? (shares.of(role) - uniform) / (1 - uniform) : 0;
        if (way >= kStandsOut && way > farthest) {
            best = {role, shares.of(role)};
            farthest = way;
        }
    }
    if (best.role == HeadRole::mixed && shares.by_distance >= kExplained) {
        best = {HeadRole::by_distance, shares.by_distance};
    }
    return best;
}

}  // namespace ropescope
