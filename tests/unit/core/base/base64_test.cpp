// Base64 against the examples of RFC 4648, section 10.
#include "core/base/base64.h"

#include <gtest/gtest.h>
#include <utility>

namespace ropescope::test {
namespace {

TEST(Base64, EncodesTheExamplesOfItsStandard) {
    for (const auto& [bytes, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}}) {
        EXPECT_EQ(base64(bytes), text);
    }
}

TEST(Base64, TakesBytesOfEveryValue) {
    EXPECT_EQ(base64(std::string_view("\0\xff\xfe\x80", 4)), "AP/+gA==");
}

}  // namespace
}  // namespace ropescope::test
