// Lays lessons out on pages for a printer.
#include "app/pages/handout.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "app/figures/view.h"
#include "app/lessons/step_text.h"
#include "app/plot/pdf_document.h"
#include "app/plot/picture_layout.h"
#include "app/plot/rich_text.h"
#include "core/base/index.h"

namespace ropescope::pages {
namespace {

// A4 at 96 units to an inch. The margins leave room for holes and for a printer's edge.
constexpr double kInMillimetre = plot::kUnitsPerInch / 25.4;
constexpr plot::Pixel kPage{210 * kInMillimetre, 297 * kInMillimetre};
constexpr double kSide = 20 * kInMillimetre, kTop = 16 * kInMillimetre, kFoot = 18 * kInMillimetre;
constexpr double kColumn = kPage.x - 2 * kSide, kBottom = kPage.y - kFoot;
constexpr double kFigureLetters = 7;  ///< of a figure, in points
/// A figure takes the first of these heights at which it leaves out least: rows of a table, or the
/// numbers at its axes.
constexpr double kFigureHeights[] = {112 * kInMillimetre, 130 * kInMillimetre, 150 * kInMillimetre,
                                     170 * kInMillimetre};
/// It may be as low as this to stand on the page of its text, if it leaves out no more then. Before
/// the answers begin, what is left empty of a page is lower than the figure that comes next, or
/// than the words of a step: neither is divided.
constexpr double kLeastFigure = 78 * kInMillimetre;
constexpr double kLine = 9 * kInMillimetre;  ///< between two lines to write on
constexpr double kIndent = 22;

/// Something that stands on a page and is not divided.
struct Block {
    double height = 0;
    std::function<void(plot::Pixel at)> draw;
};
using Group = std::vector<Block>;

double height_of(const Group& group) {
    return std::accumulate(group.begin(), group.end(), 0.0,
                           [](double sum, const Block& block) { return sum + block.height; });
}

/// The pages, one after the other.
class Paper {
  public:
    explicit Paper(const std::string& title) : document_(kPage, title), title_(title) {
        begin_page();
    }

    plot::TextStyle style(plot::Face face, double size, plot::Role role = plot::Role::text) const {
        return {face, size, plot::word_color(plot::light_theme(), role)};
    }
    plot::TextStyle body() const { return style(plot::Face::regular, 14); }
    plot::TextStyle heading() const { return style(plot::Face::bold, 17); }
    plot::TextStyle small() const { return style(plot::Face::regular, 11.5, plot::Role::dim); }

    Block words(const std::string& text, const plot::TextStyle& type, double indent = 0) {
        constexpr Index kMostLines = 1000;
        auto lines = plot::wrapped(text, kColumn - indent, kMostLines, type, document_.painter());
        const double step = 1.15 * plot::rich_text_size("x", type, document_.painter()).y;
        const double height = step * to_double(std::ssize(lines));
        return {
            height, [this, lines = std::move(lines), type, indent, step](plot::Pixel at) {
                for (const std::string& line : lines) {
                    plot::draw_rich_text({at.x + indent, at.y}, line, type, document_.painter());
                    at.y += step;
                }
            }};
    }
    static Block space(double height) {
        return {height, [](plot::Pixel) {}};
    }
    /// Lines to write on.
    Block room(int lines) {
        return {kLine * lines, [this, lines](plot::Pixel at) {
                    for (int i = 1; i <= lines; ++i) {
                        const double y = at.y + kLine * i - 3;
                        document_.painter().line({at.x, y}, {at.x + kColumn, y},
                                                 plot::light_theme()[plot::Role::line], 1);
                    }
                }};
    }
    /// An answer to mark, with a box before it.
    Block choice(const std::string& text) {
        Block written = words(text, body(), kIndent);
        return {written.height + 3, [this, draw = written.draw](plot::Pixel at) {
                    document_.painter().stroke_rect({at.x + 2, at.y + 3, 12, 12},
                                                    plot::light_theme()[plot::Role::text], 1, 2);
                    draw(at);
                }};
    }
    /// As high as its words need, or lower where the page has room for all of them, too.
    Block figure(plot::Figure shown) {
        const auto kept = std::make_shared<const plot::Figure>(std::move(shown));
        const auto options = [](double height) {
            return plot::ExportOptions{.width_px = kColumn,
                                       .height_px = height,
                                       .font_pt = kFigureLetters,
                                       .ground = plot::Ground::white};
        };
        const auto words_lost = [&](double height) {
            return plot::left_out(*kept, options(height)).size();
        };
        const double whole = *std::ranges::min_element(kFigureHeights, {}, words_lost);
        const double low = std::min(left(), whole);
        const bool fits = low >= kLeastFigure && words_lost(low) <= words_lost(whole);
        const double height = fits ? low : whole;
        return {height, [this, kept, height, options](plot::Pixel at) {
                    plot::draw_picture_in(*kept, {at.x, at.y, kColumn, height}, 1, options(height),
                                          document_.painter());
                }};
    }

    /// Keeps the blocks on one page if a page has room for them.
    void place(const Group& group) {
        const double height = height_of(group);
        if (y_ + height > kBottom && height <= kBottom - kTop) {
            new_page();
        }
        for (const Block& block : group) {
            if (y_ + block.height > kBottom && y_ > kTop) {
                new_page();
            }
            block.draw({kSide, y_});
            y_ += block.height;
        }
    }
    /// Some room before what comes next; none at the end of a page.
    void leave(double height) { y_ += std::min(height, left()); }
    /// What is left of the page.
    double left() const { return kBottom - y_; }
    /// Does nothing on an empty page.
    void new_page() {
        if (y_ > kTop) {
            document_.next_page();
            begin_page();
        }
    }
    std::string finish() { return document_.finish(); }

  private:
    void begin_page() {
        y_ = kTop;
        ++number_;
        plot::Painter& painter = document_.painter();
        const std::string number = std::to_string(number_);
        const double y = kBottom + 6 * kInMillimetre;
        plot::draw_rich_text({kSide, y}, "ropescope: " + title_, small(), painter);
        const double width = plot::rich_text_size(number, small(), painter).x;
        plot::draw_rich_text({kSide + kColumn - width, y}, number, small(), painter);
    }

    plot::PdfDocument document_;
    std::string title_;
    double y_ = kTop;
    int number_ = 0;
};

char letter_of(std::size_t choice) {
    return static_cast<char>('a' + choice);
}

/// The question or what is to be done, with room for the answer.
void add_task(Group& group, const lessons::Step& step, const lessons::StepText& text,
              Paper& paper) {
    if (!step.task) {
        return;
    }
    group.push_back(Paper::space(8));
    if (!step.task->question) {
        const bool moves = !step.task->until.empty();
        group.push_back(paper.words((moves ? "In the program: " : "In the figure: ") + text.task,
                                    paper.body()));
        group.push_back(paper.room(2));
        return;
    }
    group.push_back(paper.words(text.asks, paper.style(plot::Face::bold, 14)));
    group.push_back(Paper::space(4));
    for (std::size_t i = 0; i < text.choices.size(); ++i) {
        group.push_back(paper.choice(fmt::format("{}) {}", letter_of(i), text.choices[i])));
    }
    group.push_back(paper.words("Why?", paper.small()));
    group.push_back(paper.room(2));
}

/// What was to be found out in a step.
Group answer(std::size_t number, const lessons::Step& step, const lessons::StepText& text,
             Paper& paper) {
    std::string words = text.hint;
    if (step.task->question) {
        const std::size_t right = step.task->question->right;
        words = fmt::format("{}) {}. {}", letter_of(right), text.choices[right], text.why);
    }
    return {
        paper.words(fmt::format("{}. {}", number, text.title), paper.style(plot::Face::bold, 14)),
        paper.words(words, paper.body()), Paper::space(8)};
}

/// The steps of one lesson.
class LessonOnPaper {
  public:
    LessonOnPaper(const lessons::Lesson& lesson, Engine& engine, Paper& paper)
        : lesson_(lesson), engine_(engine), paper_(paper) {}

    /// Returns the step's texts, for the answers.
    lessons::StepText place_step(std::size_t i) {
        const lessons::Step& step = lesson_.steps[i];
        lessons::StepText text = lessons::step_text(step, engine_, cache_);
        Group group;
        if (i == 0) {
            group = {
                paper_.words(fmt::format("{}. {}", lesson_.order, lesson_.title),
                             paper_.style(plot::Face::bold, 24)),
                paper_.words(lesson_.about, paper_.style(plot::Face::regular, 14, plot::Role::dim)),
                Paper::space(16)};
        }
        group.push_back(paper_.words(fmt::format("{}. {}", i + 1, text.title), paper_.heading()));
        group.push_back(Paper::space(4));
        group.push_back(paper_.words(text.text, paper_.body()));
        for (const std::string& formula : step.formulas) {
            group.push_back(Paper::space(6));
            group.push_back(paper_.words(formula, paper_.body(), kIndent));
        }
        group.push_back(Paper::space(10));
        paper_.place(group);
        Group task;
        add_task(task, step, text, paper_);
        const Block figure = figure_of(i);
        // A figure that waits for the next page lets what is to be done go before it.
        const bool waits = figure.height > paper_.left() && height_of(task) <= paper_.left();
        if (waits) {
            paper_.place(task);
        }
        paper_.place({figure});
        if (!waits) {
            paper_.place(task);
        }
        paper_.leave(24);
        return text;
    }

  private:
    Block figure_of(std::size_t i) {
        const Scene& scene = lesson_.steps[i].scene;
        const auto first = std::ranges::find(lesson_.steps, scene, &lessons::Step::scene);
        const auto same = static_cast<std::size_t>(first - lesson_.steps.begin());
        return same < i ? paper_.words(fmt::format("The figure is that of step {}.", same + 1),
                                       paper_.small())
                        : paper_.figure(figures::make_figure(scene, engine_, {.cache = &cache_}));
    }

    const lessons::Lesson& lesson_;
    Engine& engine_;
    Paper& paper_;
    figures::FigureCache cache_;
};

}  // namespace

std::string handout(std::span<const lessons::Lesson> lessons, Engine& engine,
                    const PageProgress& progress) {
    const bool one = lessons.size() == 1;
    Paper paper(one ? lessons.front().title : "a course");
    const double steps = std::accumulate(lessons.begin(), lessons.end(), 0.0,
                                         [](double sum, const lessons::Lesson& lesson) {
                                             return sum + to_double(std::ssize(lesson.steps));
                                         });
    double done = 0;
    std::vector<Group> answers;
    for (const lessons::Lesson& lesson : lessons) {
        LessonOnPaper on_paper(lesson, engine, paper);
        answers.push_back(
            {paper.words(
                 one ? "Answers" : fmt::format("Answers: {}. {}", lesson.order, lesson.title),
                 paper.heading()),
             Paper::space(8)});
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const lessons::StepText text = on_paper.place_step(i);
            if (lesson.steps[i].task) {
                answers.push_back(answer(i + 1, lesson.steps[i], text, paper));
            }
            if (progress) {
                progress(++done / steps);
            }
        }
    }
    paper.new_page();
    for (const Group& group : answers) {
        paper.place(group);
    }
    return paper.finish();
}

}  // namespace ropescope::pages
