// Results as JUnit XML.
#include "core/base/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropescope {
namespace {

TEST(Junit, CountsAndEscapes) {
    const std::string text =
        junit_text("ropescope <x>", {{.group = "a.safetensors", .name = "layer 0"},
                                     {.group = "a.safetensors",
                                      .name = "layer 1",
                                      .seconds = 0.5,
                                      .failure = "k \"turns\" & more",
                                      .detail = "one\ntwo\x01"},
                                     {.group = "b", .name = "c", .skipped = "not asked"}});
    EXPECT_EQ(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"ropescope &lt;x&gt;\" tests=\"3\" failures=\"1\" errors=\"0\" "
        "skipped=\"1\" time=\"0.500000\">\n"
        "  <testcase classname=\"a.safetensors\" name=\"layer 0\" time=\"0.000000\"></testcase>\n"
        "  <testcase classname=\"a.safetensors\" name=\"layer 1\" time=\"0.500000\"><failure "
        "message=\"k &quot;turns&quot; &amp; more\">one&#10;two?</failure></testcase>\n"
        "  <testcase classname=\"b\" name=\"c\" time=\"0.000000\"><skipped message=\"not "
        "asked\"/></testcase>\n"
        "</testsuite>\n");
}

}  // namespace
}  // namespace ropescope
