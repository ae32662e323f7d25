// Tests of the results that are kept for the next time.
#include "core/base/memo.h"

#include <gtest/gtest.h>
#include <string>

namespace ropescope {
namespace {

struct Key {
    std::string name;
    int number = 0;
    bool operator==(const Key&) const = default;
};

TEST(Memo, KeepsTheLastUsed) {
    Memo<Key, int> memo(2);
    int made = 0;
    const auto get = [&](const Key& key) { return *memo.get(key, [&] { return ++made; }); };
    EXPECT_EQ(get({"a", 1}), 1);
    EXPECT_EQ(get({"a", 2}), 2);
    EXPECT_EQ(get({"a", 1}), 1);
    EXPECT_EQ(get({"b", 1}), 3);
    EXPECT_EQ(memo.find({"a", 2}), nullptr) << "used longest ago";
    EXPECT_EQ(get({"a", 1}), 1);
}

TEST(Memo, FindsTheLastUsedAmongSeveral) {
    Memo<Key, int> memo(3);
    for (const int number : {1, 2, 3}) {
        memo.get({number == 3 ? "b" : "a", number}, [&] { return number; });
    }
    const auto named_a = [](const Key& key) { return key.name == "a"; };
    EXPECT_EQ(*memo.find_if(named_a), 2);
    EXPECT_EQ(*memo.find({"a", 1}), 1);
    EXPECT_EQ(*memo.find_if(named_a), 1) << "it was used since";
    EXPECT_EQ(memo.find_if([](const Key& key) { return key.name == "c"; }), nullptr);
}

}  // namespace
}  // namespace ropescope
