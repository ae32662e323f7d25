#include "tests/image/compare.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <png.h>
#include <stdexcept>

#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

fs::path baseline_path(const std::string& name) {
    return fs::path(source_dir()) / "tests" / "image" / "baselines" / (name + ".png");
}

fs::path failure_folder() {
    return fs::path(program_path()).parent_path() / "image_failures";
}

bool write(const fs::path& path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.good();
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int channel_difference(plot::Color a, plot::Color b) {
    return std::max(
        {std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

std::size_t pixel_at(const Picture& picture, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
           static_cast<std::size_t>(x);
}

plot::Color dimmed(plot::Color c) {
    const auto third = [](std::uint8_t v) { return static_cast<std::uint8_t>(v / 3); };
    return {third(c.r), third(c.g), third(c.b), 255};
}

}  // namespace

Picture decode_png(std::string_view bytes) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
        throw std::runtime_error(std::string("not a PNG: ") + image.message);
    }
    image.format = PNG_FORMAT_RGBA;
    Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    picture.pixels.resize(std::size_t{image.width} * image.height);
    if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) {
        throw std::runtime_error(std::string("broken PNG: ") + image.message);
    }
    return picture;
}

std::string encode_png(const Picture& picture) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0,
                                  nullptr) == 0) {
        throw std::runtime_error(std::string("cannot write a PNG: ") + image.message);
    }
    bytes.resize(size);
    return bytes;
}

bool Difference::passes() const {
    const auto total = static_cast<double>(picture.pixels.size());
    return same_size && static_cast<double>(different) <= kPixelShare * total;
}

Difference compare(const Picture& actual, const Picture& expected) {
    Difference difference;
    if (actual.width != expected.width || actual.height != expected.height) {
        difference.same_size = false;
        difference.largest = 255;
        return difference;
    }
    difference.picture = expected;
    for (std::size_t i = 0; i < actual.pixels.size(); ++i) {
        const int now = channel_difference(actual.pixels[i], expected.pixels[i]);
        difference.largest = std::max(difference.largest, now);
        const bool counts = now > kChannelTolerance;
        difference.different += counts ? 1 : 0;
        difference.picture.pixels[i] = counts ? plot::rgb(0xffffff) : dimmed(expected.pixels[i]);
    }
    return difference;
}

Picture without(Picture picture, const plot::Rect& part) {
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            if (part.contains({x + 0.5, y + 0.5})) {
                picture.pixels[pixel_at(picture, x, y)] = plot::rgb(0x808080);
            }
        }
    }
    return picture;
}

Picture cut(const Picture& picture, const plot::Rect& part) {
    Picture out{static_cast<int>(part.width), static_cast<int>(part.height), {}};
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) {
            out.pixels.push_back(picture.pixels.at(
                pixel_at(picture, static_cast<int>(part.x) + x, static_cast<int>(part.y) + y)));
        }
    }
    return out;
}

testing::AssertionResult matches_baseline(std::string_view png, const std::string& name,
                                          const plot::Rect& apart) {
    const fs::path path = baseline_path(name);
    const char* update = std::getenv("ROPESCOPE_UPDATE_BASELINES");
    const bool updates = update != nullptr && std::strcmp(update, "1") == 0;
    const auto written = [&] {
        return write(path, png) ? testing::AssertionSuccess()
                                : testing::AssertionFailure() << "cannot write " << path;
    };
    if (!fs::exists(path)) {
        return updates ? written()
                       : testing::AssertionFailure()
                             << "no baseline " << path << "; look at the picture, then run with "
                             << "ROPESCOPE_UPDATE_BASELINES=1 to take it";
    }
    const Picture actual = without(decode_png(png), apart);
    const Picture expected = without(decode_png(read(path)), apart);
    const Difference difference = compare(actual, expected);
    if (difference.passes()) {
        return testing::AssertionSuccess();
    }
    if (updates) {
        return written();
    }
    const fs::path actual_path = failure_folder() / (name + ".actual.png");
    const fs::path difference_path = failure_folder() / (name + ".difference.png");
    write(actual_path, png);
    if (!difference.same_size) {
        return testing::AssertionFailure()
               << name << ": " << actual.width << "x" << actual.height << " instead of "
               << expected.width << "x" << expected.height << "; see " << actual_path;
    }
    write(difference_path, encode_png(difference.picture));
    return testing::AssertionFailure()
           << name << ": " << difference.different << " of " << actual.pixels.size()
           << " pixels differ by more than " << kChannelTolerance << "/255, the worst by "
           << difference.largest << "; see " << difference_path << " and " << actual_path;
}

}  // namespace ropescope::test
