// Shader files put together, and what a driver says about them.
#include <epoxy/gl.h>
#include <gmock/gmock.h>
#include <map>

#include "core/base/error.h"
#include "core/gpu/programs.h"
#include "tests/gpu/gpu_context.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;

std::optional<std::string_view> example(std::string_view path) {
    static const std::map<std::string_view, std::string_view> kFiles = {
        {"a.comp", "// a\n#include \"b.glsl\"\n#include \"b.glsl\"\nint a;\n"},
        {"b.glsl", "int b;\n"},
        {"broken.comp",
         "layout(local_size_x = 1) in;\n#include \"b.glsl\"\nvoid main() { nonsense; }\n"},
        {"lost.comp", "int a;\n#include \"nowhere.glsl\"\n"}};
    const auto found = kFiles.find(path);
    return found == kFiles.end() ? std::nullopt : std::optional(found->second);
}

TEST(ShaderSource, IncludesEachFileOnceAndKeepsLineNumbers) {
    const std::vector<std::string> defines{"WIDTH 4"};
    const gpu::ShaderSource source = gpu::put_together("a.comp", defines, example);
    EXPECT_EQ(source.text,
              "#version 430 core\n#define WIDTH 4\n#line 1 0\n// a\n#line 1 1\nint b;\n"
              "#line 3 0\n#line 4 0\nint a;\n");
    EXPECT_THAT(source.files, ::testing::ElementsAre("a.comp", "b.glsl"));
}

TEST(ShaderSource, NamesTheLineOfAMissingFile) {
    try {
        gpu::put_together("lost.comp", {}, example);
        FAIL();
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("lost.comp:2"));
        EXPECT_THAT(error.what(), HasSubstr("nowhere.glsl"));
    }
}

TEST(ShaderSource, UnderstandsEveryDriversMessages) {
    const gpu::ShaderSource source = gpu::put_together("a.comp", {}, example);
    EXPECT_EQ(gpu::located_messages(source, "1:12(5): error: no such thing\n"),
              "b.glsl:12: error: no such thing\n");
    EXPECT_EQ(gpu::located_messages(source, "0(3) : error C1008: undefined"),
              "a.comp:3: error C1008: undefined\n");
    EXPECT_EQ(gpu::located_messages(source, "ERROR: 0:3: 'x' : undeclared\n"),
              "a.comp:3: 'x' : undeclared\n");
    EXPECT_EQ(gpu::located_messages(source, "7:1: odd\n\nfree words"), "7:1: odd\nfree words\n");
}

class GpuShaders : public GpuTest {};

TEST_F(GpuShaders, AnErrorNamesItsFileAndLine) {
    try {
        gpu::compile_compute(gpu::put_together("broken.comp", {}, example));
        FAIL();
    } catch (const CapabilityError& error) {
        EXPECT_THAT(error.what(), HasSubstr("broken.comp:3: "));
        EXPECT_THAT(error.what(), HasSubstr("nonsense"));
    }
}

TEST_F(GpuShaders, AnErrorOfOpenGlIsReportedBeforeAnythingIsChanged) {
    const RotationTable table =
        make_rotation_table(make_spectrum({8, 8, 10000.0, Layout::half_split}), 3, 1);
    std::vector<float> x(8, 1.0F);
    glEnable(GL_INVALID_ENUM);  // no capability has this number
    EXPECT_THROW(engine().rotate_in_place(bhld_view(x.data(), 1, 1, 1, 8), table.view(), {}),
                 CapabilityError);
    EXPECT_THAT(x, ::testing::Each(1.0F));
    engine().rotate_in_place(bhld_view(x.data(), 1, 1, 1, 8), table.view(), {});  // it recovers
    EXPECT_NE(x[0], 1.0F);
}

}  // namespace
}  // namespace ropescope::test
