// A minute of random keys, text, clicks, drags, wheel turns and window sizes in the real program;
// with ROPESCOPE_SOAK_MINUTES as many minutes as that, with the memory after each.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "tests/gui/on_a_display.h"
#include "tests/support/paths.h"
#include "tests/support/random.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMinute{60};

int minutes() {
    const char* asked = std::getenv("ROPESCOPE_SOAK_MINUTES");
    return asked == nullptr ? 1 : std::max(1, std::atoi(asked));
}

/// What the largest figures that a hand can reach need, with the software renderer's own memory.
constexpr long kMostMemoryKib = 1536L * 1024;

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Actions of xdotool, drawn at random. Ctrl + Q, which ends the program, is not among them.
class Monkey {
  public:
    explicit Monkey(unsigned seed) : random_(seed) {}

    std::vector<std::string> next(const std::string& window) {
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
                return press(kKeys[below(kKeys.size())]);
            case 3:
                return {"type", "--delay", "5", "--", std::string(kTexts[below(kTexts.size())])};
            case 4:
            case 5:
                return joined(move(), {"click", "1"});
            case 6:
                return drag();
            case 7:
                return joined(move(), {"click", "--repeat", "3", "--delay", "5",
                                       std::to_string(below(2) + 4)});
            case 8:
                return joined(move(), {"click", std::to_string(below(3) + 1)});
            default:
                return below(4) == 0 ? resize(window) : move();
        }
    }

  private:
    static constexpr auto kKeys = std::to_array<std::string_view>({"1",
                                                                   "2",
                                                                   "3",
                                                                   "4",
                                                                   "5",
                                                                   "6",
                                                                   "7",
                                                                   "8",
                                                                   "9",
                                                                   "0",
                                                                   "a",
                                                                   "c",
                                                                   "e",
                                                                   "t",
                                                                   "g",
                                                                   "space",
                                                                   "Left",
                                                                   "Right",
                                                                   "Up",
                                                                   "Down",
                                                                   "Prior",
                                                                   "Next",
                                                                   "Return",
                                                                   "Escape",
                                                                   "Tab",
                                                                   "Home",
                                                                   "End",
                                                                   "Delete",
                                                                   "F1",
                                                                   "BackSpace",
                                                                   "ctrl+z",
                                                                   "ctrl+y",
                                                                   "ctrl+c",
                                                                   "ctrl+e",
                                                                   "ctrl+o",
                                                                   "ctrl+k",
                                                                   "ctrl+a",
                                                                   "ctrl+v",
                                                                   "F6",
                                                                   "question",
                                                                   "Escape",
                                                                   "ctrl+f",
                                                                   "ctrl+shift+c",
                                                                   "Escape",
                                                                   "shift+Tab",
                                                                   "Return",
                                                                   "Left",
                                                                   "Right"});
    static constexpr auto kTexts = std::to_array<std::string_view>({"1",
                                                                    "64",
                                                                    "4096",
                                                                    "1048576",
                                                                    "1e9",
                                                                    "-5",
                                                                    "0",
                                                                    "0.5",
                                                                    "500000",
                                                                    "1e-300",
                                                                    "nan",
                                                                    "inf",
                                                                    "llama",
                                                                    "figure.png",
                                                                    "a.csv",
                                                                    "hello",
                                                                    "99999999999999999999",
                                                                    "\\",
                                                                    "%s",
                                                                    "128"});

    std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }
    static std::vector<std::string> joined(std::vector<std::string> a,
                                           const std::vector<std::string>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }
    static std::vector<std::string> press(std::string_view key) {
        return {"keydown", std::string(key), "sleep", "0.02", "keyup", std::string(key)};
    }
    std::vector<std::string> move() {
        return {"mousemove", std::to_string(below(1200)), std::to_string(below(1000))};
    }
    std::vector<std::string> drag() {
        std::vector<std::string> act = joined(move(), {"mousedown", "1"});
        for (std::size_t steps = below(6) + 1; steps > 0; --steps) {
            act = joined(joined(act, move()), {"sleep", "0.02"});
        }
        return joined(act, {"mouseup", "1"});
    }
    std::vector<std::string> resize(const std::string& window) {
        return {"windowsize", window, std::to_string(below(1200) + 1),
                std::to_string(below(1000) + 1)};
    }

    std::mt19937 random_;
};

class MonkeyTest : public OnADisplay {
  protected:
    /// The program in a folder of its own, where it may write, with its messages in a file.
    void start() {
        program_ = std::make_unique<ChildProcess>(
            std::vector<std::string>{"sh", "-c",
                                     "cd \"$0\" && echo $$ > pid && exec \"$1\" app 2> said",
                                     folder_.path().string(), program_path()},
            std::vector<std::pair<std::string, std::string>>{{"DISPLAY", display_->name()}});
        wait_until_drawn();
        pid_ = std::stol(contents(folder_.path() / "pid"));
    }
    std::string window() const {
        const RunResult found =
            run_command({"xdotool", "search", "--onlyvisible", "--class", "ropescope"},
                        {.environment = {{"DISPLAY", display_->name()}}});
        return found.out.substr(0, found.out.find('\n'));
    }
    std::string proc(const char* file) const {
        return contents(fmt::format("/proc/{}/{}", pid_, file));
    }
    long memory_kib(const char* kind) const {
        const std::string status = proc("status");
        const std::size_t at = status.find(kind);
        return at == std::string::npos ? 0 : std::stol(status.substr(at + std::strlen(kind)));
    }
    /// The most memory that the program has had, in KiB.
    long most_memory_kib() const { return memory_kib("VmHWM:"); }
    void tell_memory(int minute, int actions) const {
        std::cout << fmt::format("window: minute {}, {} actions, {} MiB\n", minute, actions,
                                 memory_kib("VmRSS:") / 1024)
                  << std::flush;
    }
    /// Processor time of the program so far, in clock ticks.
    long ticks() const {
        std::istringstream fields(proc("stat").substr(proc("stat").rfind(')') + 2));
        std::string skipped;
        for (int field = 3; field < 14; ++field) {
            fields >> skipped;
        }
        long user = 0, system = 0;
        fields >> user >> system;
        return user + system;
    }
    /// Whether the program comes to rest. Space stops what plays, and Escape closes what is open.
    bool comes_to_rest() const {
        for (int tries = 0; tries < 30 * kPatience; ++tries) {
            const long before = ticks();
            std::this_thread::sleep_for(std::chrono::seconds(2));
            if (ticks() - before <= 2 * kPatience) {
                return true;
            }
            if (tries % 3 == 2) {
                display_->key("Escape");
                display_->key("space");
            }
        }
        return false;
    }

    TempFolder folder_;
    std::unique_ptr<ChildProcess> program_;
    long pid_ = 0;
};

TEST_F(MonkeyTest, TheProgramWithstandsAMinuteOfRandomHands) {
    ROPESCOPE_NEEDS_EGL();
    const auto seed = static_cast<unsigned>(test::chosen_seed());
    std::cout << "repeat with ROPESCOPE_SEED=" << seed << "\n";
    start();
    Monkey monkey(seed);
    const std::string id = window();
    int actions = 0;
    int told = 0;
    const auto begin = Clock::now();
    for (const auto end = begin + minutes() * kMinute; Clock::now() < end; ++actions) {
        if (Clock::now() >= begin + (told + 1) * kMinute) {
            tell_memory(++told, actions);
        }
        const std::vector<std::string> act = monkey.next(id);
        ASSERT_TRUE(program_->alive()) << "before action " << actions << ", " << act.front();
        display_->act(act);
    }
    display_->act({"windowsize", id, "1100", "900"});
    for (int i = 0; i < 3; ++i) {
        display_->key("Escape");
    }
    EXPECT_TRUE(comes_to_rest()) << "the program computes although nobody does anything";
    ASSERT_TRUE(program_->alive());
    EXPECT_EQ(contents(folder_.path() / "said"), "");
    EXPECT_LE(most_memory_kib(), kMostMemoryKib);
    RecordProperty("actions", actions);
    std::cout << fmt::format("{} actions, at most {} MiB\n", actions, most_memory_kib() / 1024);
    display_->key("ctrl+q");
    EXPECT_EQ(program_->wait(60), 0);
}

}  // namespace
}  // namespace ropescope::test
