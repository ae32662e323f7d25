// Results as JUnit XML, which build servers show as tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// One test. Texts may hold any characters; XML cannot hold all of them, and those become "?".
struct JunitCase {
    std::string group = {};  ///< the class of the test
    std::string name = {};
    double seconds = 0.0;
    std::optional<std::string> failure = {};  ///< one line
    std::string detail = {};                  ///< of a failure: any lines
    std::optional<std::string> skipped = {};  ///< why
};

/// One test suite.
std::string junit_text(std::string_view suite, const std::vector<JunitCase>& cases);

}  // namespace ropescope
