// The compiled-in faces: which characters they have, and what they are asked for.
#include "app/plot/faces.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>

#include "core/base/characters.h"
#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::plot {
namespace {

namespace fs = std::filesystem;

bool is_compiled_in(char32_t c) {
    return std::ranges::any_of(face_characters(), [c](const auto& range) {
        return c >= range.first && c <= range.second;
    });
}

/// The lines of a file without what follows "//".
std::string without_remarks(const fs::path& path) {
    std::istringstream lines(read_file(path));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        text += line.substr(0, line.find("//"));
    }
    return text;
}

/// A terminal has its own font: what only commands print is left out.
TEST(Faces, HaveEveryCharacterOfTheProgramsTexts) {
    int files = 0;
    for (const char* folder :
         {"app/figures", "app/gui", "app/plot", "app/scene", "core", "assets"}) {
        for (const auto& entry :
             fs::recursive_directory_iterator(test::source_dir() + ("/" + std::string(folder)))) {
            const fs::path& path = entry.path();
            if (path.extension() != ".cpp" && path.extension() != ".h" &&
                path.extension() != ".json") {
                continue;
            }
            ++files;
            for (const char32_t c : code_points(without_remarks(path))) {
                EXPECT_TRUE(c < 0x20 || is_compiled_in(c))
                    << path << ": U+" << std::hex << static_cast<std::uint32_t>(c);
            }
        }
    }
    EXPECT_GT(files, 300);
}

TEST(Faces, AreTrueTypeFiles) {
    for (const Face face : {Face::regular, Face::bold, Face::mono}) {
        EXPECT_TRUE(face_bytes(face).starts_with(std::string_view("\0\1\0\0", 4)));
        EXPECT_GT(face_bytes(face).size(), 20000U);
    }
}

}  // namespace
}  // namespace ropescope::plot
