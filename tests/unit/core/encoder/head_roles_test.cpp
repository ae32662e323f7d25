// What heads do, on maps that are made for it.
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>

#include "core/encoder/attention_maps.h"

namespace ropescope::test {
namespace {

/// [CLS] a b a , [SEP] and, if `padding`, so many tokens that no query sees.
RoleTokens some_tokens(Index padding = 0) {
    RoleTokens tokens{.ids = {2, 10, 11, 10, 12, 3},
                      .delimiter = {false, false, false, false, true, true},
                      .seen = 6};
    tokens.ids.resize(static_cast<std::size_t>(6 + padding), 0);
    tokens.delimiter.resize(static_cast<std::size_t>(6 + padding), false);
    return tokens;
}

/// A map of which each row of a seen query is `weight` over its sum; padding holds rubbish.
std::vector<float> map_of(const RoleTokens& tokens,
                          const std::function<double(Index query, Index key)>& weight) {
    const Index count = std::ssize(tokens.ids);
    std::vector<float> probs(static_cast<std::size_t>(count * count), 0.7F);
    for (Index query = 0; query < tokens.seen; ++query) {
        double sum = 0;
        for (Index key = 0; key < tokens.seen; ++key) {
            sum += weight(query, key);
        }
        for (Index key = 0; key < tokens.seen; ++key) {
            probs[query * count + key] = static_cast<float>(weight(query, key) / sum);
        }
    }
    return probs;
}

HeadRole role_of(const RoleTokens& tokens,
                 const std::function<double(Index query, Index key)>& weight) {
    return label_head(role_shares(map_of(tokens, weight), tokens), tokens).role;
}

TEST(HeadRoles, NameWhatAMapWasMadeFor) {
    for (const Index padding : {0, 3}) {
        const RoleTokens tokens = some_tokens(padding);
        const auto ids = tokens.ids;
        const auto far = [](bool there) { return there ? 20.0 : 1.0; };
        EXPECT_EQ(role_of(tokens, [&](Index q, Index k) { return far(k == q - 1); }),
                  HeadRole::previous);
        EXPECT_EQ(role_of(tokens, [&](Index q, Index k) { return far(k == q + 1); }),
                  HeadRole::next);
        EXPECT_EQ(role_of(tokens, [&](Index q, Index k) { return far(ids[k] == ids[q]); }),
                  HeadRole::same_token);
        EXPECT_EQ(role_of(tokens, [&](Index, Index k) { return far(k == 4 || k == 5); }),
                  HeadRole::delimiter);
        EXPECT_EQ(role_of(tokens, [&](Index, Index k) { return far(k == 0); }),
                  HeadRole::first_token);
        EXPECT_EQ(role_of(tokens, [&](Index q, Index k) { return far(std::abs(q - k) == 2); }),
                  HeadRole::by_distance);
        EXPECT_EQ(role_of(tokens, [](Index, Index) { return 1.0; }), HeadRole::mixed);
    }
}

TEST(HeadRoles, SharesAreMeansOverTheQueries) {
    const RoleTokens tokens = some_tokens();
    // Every query gives half to the first token, and half to itself.
    const auto probs = map_of(tokens, [](Index query, Index key) {
        return (key == 0 ? 1.0 : 0.0) + (key == query ? 1.0 : 0.0);
    });
    const RoleShares shares = role_shares(probs, tokens);
    EXPECT_NEAR(shares.first_token, (1.0 + 5 * 0.5) / 6, 1e-6);
    EXPECT_NEAR(shares.same_token, (1.0 + 5 * 0.5) / 6, 1e-6);
    EXPECT_NEAR(shares.previous, 0.5 / 5, 1e-6) << "of the second token alone, over five queries";
    EXPECT_NEAR(shares.next, 0, 1e-6);
    EXPECT_NEAR(shares.delimiter, 2 * 0.5 / 6, 1e-6);
}

TEST(HeadRoles, DistanceExplainsAllOfAMapOfDistancesAndNothingOfAUniformOne) {
    const RoleTokens tokens = some_tokens();
    const Index count = std::ssize(tokens.ids);
    std::vector<float> by_distance(static_cast<std::size_t>(count * count));
    for (Index query = 0; query < count; ++query) {
        for (Index key = 0; key < count; ++key) {
            by_distance[query * count + key] = 1.0F / static_cast<float>(8 + key - query);
        }
    }
    EXPECT_NEAR(role_shares(by_distance, tokens).by_distance, 1, 1e-6);
    const std::vector<float> uniform(by_distance.size(), 1.0F / 6);
    EXPECT_EQ(role_shares(uniform, tokens).by_distance, 0);
}

TEST(HeadRoles, OneTokenHasNoNeighbour) {
    const RoleTokens tokens{.ids = {5}, .delimiter = {false}, .seen = 1};
    const RoleShares shares = role_shares(std::vector<float>{1.0F}, tokens);
    EXPECT_EQ(shares.previous, 0);
    EXPECT_EQ(shares.next, 0);
    EXPECT_EQ(shares.first_token, 1);
    EXPECT_EQ(label_head(shares, tokens).role, HeadRole::mixed);
}

}  // namespace
}  // namespace ropescope::test
