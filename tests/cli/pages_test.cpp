// Pages with a slider, lessons as pages, and recordings.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sys/stat.h>

#include "app/lessons/lesson.h"
#include "app/pages/page.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Runs the program into a file; returns its bytes.
std::string made(std::vector<std::string> arguments, const std::filesystem::path& path) {
    arguments.insert(arguments.end(), {"-o", path.string()});
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    // A slow machine says how far it is.
    EXPECT_EQ(std::regex_replace(run.out + run.err, std::regex("[^\n]* % done\n"), ""), "");
    return std::filesystem::is_regular_file(path) ? read_file(path) : "";
}

void expect_refused(const std::vector<std::string>& arguments, int exit_code,
                    const std::string& part) {
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_THAT(run.err, HasSubstr(part));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

/// What a page must be wherever it is opened: small, whole, in a language, and alone.
void expect_self_contained(const std::string& html) {
    EXPECT_LE(html.size(), pages::kMostPageBytes);
    EXPECT_THAT(html, StartsWith("<!doctype html>"));
    EXPECT_THAT(html, HasSubstr("<html lang=\"en\">"));
    EXPECT_THAT(html, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(html, HasSubstr("name=\"viewport\""));
    // Every reference is to the page itself; a text may name a place without a link.
    const std::regex reference(R"re((?:src|href)="(?!data:|#)[^"]*"|@import|url\()re");
    EXPECT_FALSE(std::regex_search(html, reference)) << "the page asks for something outside";
    EXPECT_THAT(html, Not(HasSubstr("fetch(")));
}

/// The data of the page's figure, unpacked by Python.
nlohmann::json film_of(const std::filesystem::path& page) {
    const RunResult run = run_command(
        {"python3", "-c",
         "import base64, re, sys, zlib\n"
         "data = re.search('class=\"data\">([^<]*)<', open(sys.argv[1]).read()).group(1)\n"
         "sys.stdout.buffer.write(zlib.decompress(base64.b64decode(data)))",
         page.string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out);
}

TEST(FigurePage, IsOneFileWithASlider) {
    const TempFolder folder;
    const std::string html =
        made({"figure", "spectrum", "--vary", "base=100:1e7:9"}, folder / "spectrum.html");
    expect_self_contained(html);
    EXPECT_THAT(html, HasSubstr("<input type=\"range\" min=\"0\" max=\"8\""));
    const nlohmann::json film = film_of(folder / "spectrum.html");
    ASSERT_EQ(film["frames"].size(), 9U);
    EXPECT_EQ(film["frames"][0]["label"], "base 100");
    EXPECT_EQ(film["frames"][8]["label"], "base 10\u2009000\u2009000");
    // The base is logarithmic: each value is the one before times the same factor.
    EXPECT_THAT(film["frames"][4]["label"].get<std::string>(), HasSubstr("31\u2009622"));
    EXPECT_EQ(film["frames"][8]["title"],
              "38 of 64 pairs never finish a turn within 4\u2009096 positions");
    // Every frame has two formats, and a line of its report says what its title says.
    for (const nlohmann::json& frame : film["frames"]) {
        EXPECT_EQ(frame["formats"].size(), 2U);
        EXPECT_EQ(film["texts"][frame["lines"][0].get<std::size_t>()], frame["title"]);
        EXPECT_FALSE(frame["values"][0][1].is_null()) << "values under the pointer";
    }
}

TEST(FigurePage, HasAsManyFramesAsFit) {
    const TempFolder folder;
    const std::string html =
        made({"figure", "rotation", "--vary", "position=0:4000"}, folder / "rotation.html");
    expect_self_contained(html);
    EXPECT_GE(film_of(folder / "rotation.html")["frames"].size(), 8U);
}

TEST(FigurePage, RefusesWhatCannotVary) {
    expect_refused({"figure", "spectrum", "-o", "x.html"}, 2, "--vary base=100:1e7");
    expect_refused({"figure", "spectrum", "--vary", "base=1:2", "-o", "x.svg"}, 2,
                   "end it in .html");
    expect_refused({"figure", "spectrum", "--vary", "bass=1:2", "-o", "x.html"}, 2, "'base'");
    expect_refused({"figure", "spectrum", "--vary", "base=1:x", "-o", "x.html"}, 2,
                   "has 'x', which is not a number");
    expect_refused({"figure", "spectrum", "--vary", "base=1:2:3:4", "-o", "x.html"}, 2,
                   "has 4 numbers between colons, and a range has two and a count");
    expect_refused({"figure", "spectrum", "--vary", "view=table:decay", "-o", "x.html"}, 2,
                   "is a range, which only numbers have");
    for (const std::string count : {"1", "x", "99999999999999999999", ""}) {
        expect_refused(
            {"figure", "spectrum", "--vary", "base=1:2:" + count, "-o", "x.html"}, 2,
            ("has the count '" + count + "', which is not a whole number from 2 to").c_str());
    }
    expect_refused({"figure", "spectrum", "--vary", "base=5:5", "-o", "x.html"}, 2,
                   "fewer than two different values");
    expect_refused({"figure", "spectrum", "--vary", "base", "-o", "x.html"}, 2, "names no values");
    expect_refused({"figure", "spectrum", "--vary", "scaling=linear,yarm", "-o", "x.html"}, 2,
                   "scaling");
}

TEST(LessonPage, EachIsSelfContained) {
    const TempFolder folder;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        SCOPED_TRACE(lesson.id);
        const std::string html = made({"lesson", lesson.id}, folder / (lesson.id + ".html"));
        expect_self_contained(html);
        EXPECT_THAT(html, HasSubstr("<h2 id=\"step" + std::to_string(lesson.steps.size()) + "\">"));
        EXPECT_THAT(html, Not(HasSubstr("{pair_count")));
        EXPECT_THAT(html, Not(HasSubstr("class=\"formula\">"))) << "without its words";
        EXPECT_THAT(html, Not(HasSubstr("\u2009"))) << "a line ends within a number";
    }
}

TEST(LessonPage, TheListNamesAll) {
    const RunResult run = run_ropescope({"lesson", "--list"});
    EXPECT_EQ(run.exit_code, 0);
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        EXPECT_THAT(run.out, HasSubstr(lesson.id));
        EXPECT_THAT(run.out, HasSubstr(lesson.about));
    }
    expect_refused({"lesson"}, 2, "lesson --list");
    expect_refused({"lesson", "one-pear", "-o", "x.html"}, 2, "one-pair");
    expect_refused({"lesson", "one-pair"}, 2, "-o FILE.html");
    expect_refused({"lesson", "one-pair", "-o", "x.pdf"}, 2, "end it in .html");
}

TEST(LessonHandout, HasEveryStepWithItsQuestionAndTheAnswersBehindThem) {
    const TempFolder folder;
    const auto path = folder / "one-pair.pdf";
    const RunResult run = run_ropescope({"lesson", "one-pair", "--handout", path.string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const RunResult words = run_command({"pdftotext", "-layout", path.string(), "-"});
    ASSERT_EQ(words.exit_code, 0) << words.err;
    const std::size_t answers = words.out.rfind('\f', words.out.find("Answers"));
    ASSERT_NE(answers, std::string::npos) << "the answers begin a page";
    const std::string asked = words.out.substr(0, answers), told = words.out.substr(answers);
    const lessons::Lesson& lesson = lessons::lesson_by_id("one-pair");
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const std::string title = std::to_string(i + 1) + ". " + lesson.steps[i].title;
        EXPECT_THAT(asked, HasSubstr(title));
        EXPECT_THAT(told, HasSubstr(title));
    }
    for (const char* of_question :
         {"b) As long as at position zero", "Why?", "The figure is that of step 1.", "pair 0"}) {
        EXPECT_THAT(asked, HasSubstr(of_question));
    }
    EXPECT_THAT(asked, Not(HasSubstr("A turn is not a stretch")));
    EXPECT_THAT(told, HasSubstr("b) As long as at position zero. Right. A turn is not a stretch."));
}

Index count_of(const std::string& word, const std::string& text) {
    Index count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

/// A figure is not squeezed into the rest of a page where its panels would lose their names.
TEST(LessonHandout, FiguresKeepTheNamesOfTheirPanels) {
    const TempFolder folder;
    const auto path = folder / "course.pdf";
    ASSERT_EQ(run_ropescope({"lesson", "--handout", path.string()}).exit_code, 0);
    const RunResult words = run_command({"pdftotext", "-layout", path.string(), "-"});
    ASSERT_EQ(words.exit_code, 0) << words.err;
    const Index figures = count_of("keys of pair 8: cosine", words.out);
    EXPECT_GE(figures, 6);
    EXPECT_EQ(count_of("cache of published models, GiB", words.out), figures);
    EXPECT_EQ(count_of("what it costs (operations", words.out), figures);
    EXPECT_EQ(count_of("more row", words.out), 0) << "a table is cut";
}

TEST(LessonHandout, IsRefusedForAnotherEndingAndBesideAPage) {
    expect_refused({"lesson", "one-pair", "--handout", "x.html"}, 2, "end it in .pdf");
    expect_refused({"lesson", "one-pair", "--handout", "x.pdf", "-o", "x.html"}, 2, "one of them");
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

TEST(Record, WritesAnAnimatedPng) {
    const TempFolder folder;
    const std::string png =
        made({"record", "rotation", "--vary", "position=0:4", "--size", "320x240", "--rate", "10"},
             folder / "a.apng");
    std::vector<std::string> chunks;
    std::uint32_t frames = 0, delay = 0;
    for (std::size_t at = 8; at < png.size(); at += number_at(png, at) + 12) {
        chunks.push_back(png.substr(at + 4, 4));
        frames = chunks.back() == "acTL" ? number_at(png, at + 8) : frames;
        delay = chunks.back() == "fcTL" ? number_at(png, at + 8 + 20) : delay;
    }
    EXPECT_EQ(frames, 5U);
    EXPECT_EQ(std::ranges::count(chunks, "fcTL"), 5);
    EXPECT_GE(std::ranges::count(chunks, "fdAT"), 4);
    EXPECT_EQ(chunks.front(), "IHDR");
    EXPECT_EQ(chunks.back(), "IEND");
    EXPECT_EQ(delay, 100U << 16U | 1000U) << "a tenth of a second, in thousandths";
}

TEST(Record, DrawsFramesBetweenTwoPositions) {
    const TempFolder folder;
    const auto frames = folder / "frames";
    made({"record", "rotation", "--vary", "position=3:5", "--steps", "4", "--size", "320x240"},
         frames);
    std::set<std::string> different;
    for (int i = 0; i < 9; ++i) {
        different.insert(read_file(frames / fmt::format("frame-{:05}.png", i)));
    }
    EXPECT_EQ(different.size(), 9U);
    EXPECT_FALSE(std::filesystem::exists(frames / "frame-00009.png"));
    const auto whole = folder / "whole";
    made({"record", "rotation", "--vary", "position=3:5", "--size", "320x240"}, whole);
    EXPECT_EQ(read_file(whole / "frame-00001.png"), read_file(frames / "frame-00004.png"));
}

TEST(Record, RefusesStepsWhereNothingLiesBetween) {
    const std::vector<std::vector<std::string>> wrong = {
        {"rotation", "--vary", "base=10:1000", "--steps", "2"},
        {"rotation", "--vary", "position=0:100:5", "--steps", "2"},
        {"rotation", "--vary", "position=5:0", "--steps", "2"},
        {"spectrum", "--vary", "position=0:5", "--steps", "2"},
        {"rotation", "--vary", "position=0:5", "--steps", "0"},
        {"rotation", "--vary", "position=0:5", "--steps", "1000000"}};
    const TempFolder folder;
    for (std::vector<std::string> arguments : wrong) {
        arguments.insert(arguments.begin(), "record");
        arguments.insert(arguments.end(), {"-o", (folder / "a.apng").string()});
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 2) << fmt::format("{}", fmt::join(arguments, " "));
        EXPECT_THAT(run.err, testing::AnyOf(HasSubstr("steps from one position to the next"),
                                            HasSubstr("is too long")));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Record, WritesFramesIntoANewFolder) {
    const TempFolder folder;
    const auto frames = folder / "frames";
    made({"record", "spectrum", "--vary", "base=1e4,1e5,1e6", "--size", "320x240"}, frames);
    for (const char* name : {"frame-00000.png", "frame-00001.png", "frame-00002.png"}) {
        EXPECT_THAT(read_file(frames / name), StartsWith("\x89PNG"));
    }
    expect_refused({"record", "spectrum", "--vary", "base=1:9", "-o", frames.string()}, 2,
                   "exists");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1)
        << "nothing else is left behind";
}

/// While it lives, PATH is one folder.
class OnlyPath {
  public:
    explicit OnlyPath(const std::filesystem::path& folder) : before_(std::getenv("PATH")) {
        ::setenv("PATH", folder.c_str(), 1);
    }
    ~OnlyPath() { ::setenv("PATH", before_.c_str(), 1); }
    OnlyPath(const OnlyPath&) = delete;
    OnlyPath& operator=(const OnlyPath&) = delete;

  private:
    std::string before_;
};

TEST(Record, AsksFfmpegForGifAndMp4) {
    const TempFolder folder;
    const auto programs = folder / "programs";
    std::filesystem::create_directory(programs);
    const OnlyPath path(programs);
    const std::vector<std::string> gif = {"record",       "rotation", "--vary",
                                          "position=0:3", "--size",   "320x240"};
    std::vector<std::string> without = gif;
    without.insert(without.end(), {"-o", (folder / "a.gif").string()});
    expect_refused(without, 3, "ends in .apng");

    // This ffmpeg writes its arguments into the output file, which its last argument names.
    write_file_whole(programs / "ffmpeg",
                     "#!/bin/sh\nfor last; do :; done\necho \"$@\" > \"$last\"\n");
    ::chmod((programs / "ffmpeg").c_str(), 0755);
    EXPECT_THAT(made(gif, folder / "a.gif"), HasSubstr("palettegen"));
    EXPECT_THAT(made(gif, folder / "a.mp4"), HasSubstr("yuv420p"));

    write_file_whole(programs / "ffmpeg", "#!/bin/sh\necho no encoder >&2\nexit 1\n");
    const RunResult failed = run_ropescope(without);
    EXPECT_EQ(failed.exit_code, 3);
    EXPECT_THAT(failed.err, HasSubstr("ffmpeg could not make the animation"));
}

// Without it a loop over the lines of a file loses lines to ffmpeg, and one that is stopped goes
// on.
TEST(Record, KeepsFfmpegFromInputAndEndsItWithItself) {
    const TempFolder folder;
    const auto programs = folder / "programs", work = folder / "tmp";
    std::filesystem::create_directory(programs);
    std::filesystem::create_directory(work);
    write_file_whole(programs / "ffmpeg",
                     "#!/bin/sh\nif read -r line; then echo \"$line\" >$OUT/taken; fi\n"
                     "echo $$ >$OUT/pid\nexec /bin/sleep 1000\n");
    ::chmod((programs / "ffmpeg").c_str(), 0755);
    const std::string script =
        "import os, signal, subprocess, sys, time\n"
        "out = os.environ['OUT']\n"
        "run = subprocess.Popen([sys.argv[1], 'record', 'rotation', '--vary', 'position=0:3',\n"
        "    '--size', '320x240', '-o', out + '/a.gif'], stdin=subprocess.PIPE,\n"
        "    env=dict(os.environ, PATH=out + '/programs'))\n"
        "run.stdin.write(b'a line\\n'); run.stdin.flush()\n"
        "pid = out + '/pid'\n"
        "while not os.path.exists(pid) or not os.path.getsize(pid): time.sleep(0.02)\n"
        "run.send_signal(signal.SIGTERM)\n"
        "print(run.wait() == -signal.SIGTERM, os.path.exists('/proc/' + "
        "open(pid).read().strip()))\n";
    RunOptions options;
    options.environment = {{"TMPDIR", work.string()}, {"OUT", folder.path().string()}};
    const RunResult run = run_command({"/usr/bin/python3", "-c", script, program_path()}, options);
    EXPECT_EQ(run.out, "True False\n") << run.err;
    EXPECT_TRUE(std::filesystem::is_empty(work));
    EXPECT_FALSE(std::filesystem::exists(folder / "taken"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.gif"));
}

TEST(Record, RefusesWhatItCannotMake) {
    const std::vector<std::string> start = {"record", "rotation", "--vary", "position=0:3", "-o"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> all = start;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expect_refused(with({"a.avi"}), 2, ".apng, .gif or .mp4");
    expect_refused(with({"a.apng", "--rate", "0"}), 2, "from 1 to 100");
    expect_refused({"record", "rotation", "-o", "a.apng"}, 2, "--vary");
}

}  // namespace
}  // namespace ropescope::test
