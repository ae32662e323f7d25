// What the view positions says.
#include <cmath>
#include <fmt/format.h>

#include "core/positions/id_faults.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

constexpr const char* kAxes[] = {"t", "h", "w"};

/// Rows of the table that are not padding.
std::vector<std::size_t> real_tokens(const plot::Figure& figure) {
    std::vector<std::size_t> tokens;
    const auto kinds = words_of(figure, "kind");
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] != "padding") {
            tokens.push_back(i);
        }
    }
    return tokens;
}

bool has_below(const plot::Figure& figure) {
    return std::ranges::any_of(figure.data.columns,
                               [](const plot::Column& column) { return column.name == "t_below"; });
}

bool differs(const plot::Figure& figure, std::size_t token) {
    return std::ranges::any_of(kAxes, [&](const std::string& axis) {
        return column_of(figure, axis)[token] != column_of(figure, axis + "_below")[token];
    });
}

std::vector<std::size_t> differing(const plot::Figure& figure) {
    std::vector<std::size_t> tokens = real_tokens(figure);
    std::erase_if(tokens, [&](std::size_t token) { return !differs(figure, token); });
    return tokens;
}

double largest(const plot::Figure& figure) {
    double most = 0;
    for (const std::size_t token : real_tokens(figure)) {
        for (const char* axis : kAxes) {
            most = std::max(most, column_of(figure, axis)[token]);
        }
    }
    return most;
}

void reaches(const Said& s) {
    EXPECT_EQ(s.scene.positions_compare, "none");
    s.numbers({to_double(std::ssize(real_tokens(s.figure))), largest(s.figure)});
}

void some_differ(const Said& s) {
    const std::vector<std::size_t> tokens = differing(s.figure);
    ASSERT_FALSE(tokens.empty());
    s.numbers({to_double(std::ssize(tokens)), to_double(std::ssize(real_tokens(s.figure))),
               to_double(static_cast<Index>(tokens.front()))});
}

void is_not_shown(const Said& s) {
    EXPECT_EQ(s.word(0), s.scene.positions_compare);
    EXPECT_NE(find_id_fault(s.word(0)), nullptr);
    EXPECT_FALSE(has_below(s.figure));
}

/// "transformers-5" for "transformers_5".
std::string shown_version(std::string setting) {
    std::ranges::replace(setting, '_', '-');
    return setting;
}

/// A segment begins by so much above the largest position before it in its document plus 1.
void jumps(const Said& s) {
    bool found = false;
    for (const char* below : {"", "_below"}) {
        if (*below != '\0' && !has_below(s.figure)) {
            continue;
        }
        const auto document = s.column("document"), segment = s.column("segment");
        double most = -1, last_document = -1;
        for (const std::size_t token : real_tokens(s.figure)) {
            most = document[token] != last_document ? -1 : most;
            const auto name = [&](const char* axis) { return std::string(axis) + below; };
            const double jump = column_of(s.figure, name("t"))[token] - most - 1;
            found |= document[token] == last_document && jump == s.value(0);
            last_document = document[token];
            for (const char* axis : kAxes) {
                most = std::max(most, column_of(s.figure, name(axis))[token]);
            }
        }
    }
    EXPECT_TRUE(found) << "no segment begins " << s.value(0) << " above the largest position";
}

void names_a_grid(const Said& s) {
    std::string text;
    for (const test::Printed& side : s.places.numbers) {
        text += fmt::format("{}{}", text.empty() ? "" : "x", side.value);
    }
    EXPECT_NE(s.scene.positions_layout.find(text), std::string::npos) << text;
}

/// The sentence about a fault is that of the first way to make it which changes an id.
void tells_the_fault(const Said& s) {
    const IdFault* fault = find_id_fault(s.scene.positions_compare);
    ASSERT_NE(fault, nullptr);
    EXPECT_FALSE(differing(s.figure).empty());
    EXPECT_TRUE(std::ranges::any_of(fault->variations, [&](const IdVariation& variation) {
        return variation.how == s.word(0);
    })) << s.word(0);
}

void text_has_one_position(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "positions");
    const auto t = column_of(figure, "t"), h = column_of(figure, "h"), w = column_of(figure, "w");
    const auto kinds = words_of(figure, "kind");
    for (std::size_t token = 0; token < kinds.size(); ++token) {
        if (kinds[token] == "text") {
            EXPECT_EQ(t[token], h[token]);
            EXPECT_EQ(t[token], w[token]);
        }
    }
}

void rows_and_columns_are_counted(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "positions");
    const auto t = column_of(figure, "t"), h = column_of(figure, "h"), w = column_of(figure, "w");
    const auto kinds = words_of(figure, "kind");
    const auto first = static_cast<std::size_t>(std::ranges::find(kinds, "image") - kinds.begin());
    for (std::size_t i = 0; i < 6; ++i) {  // 4 x 6 patches, merged by 2 x 2
        EXPECT_EQ(t[first + i], t[first]);
        EXPECT_EQ(h[first + i], h[first] + to_double(static_cast<Index>(i / 3)));
        EXPECT_EQ(w[first + i], w[first] + to_double(static_cast<Index>(i % 3)));
    }
}

void only_transformers_5_goes_back(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "positions");
    const auto kinds = words_of(figure, "kind");
    const auto behind = static_cast<std::size_t>(
        std::ranges::find(kinds.rbegin(), kinds.rend(), "video").base() - kinds.begin());
    const auto largest_before = [&](const char* column) {
        const auto values = column_of(figure, column);
        return *std::max_element(values.begin(), values.begin() + static_cast<Index>(behind));
    };
    EXPECT_LT(column_of(figure, "t")[behind], largest_before("t"));
    EXPECT_GT(column_of(figure, "t_below")[behind], largest_before("t_below"));
}

void id_under(const Under& u) {
    const std::vector<Under::Key> row = {{"token", u.value("token")}};
    const std::size_t token = static_cast<std::size_t>(u.whole("token"));
    const std::string kind = words_of(u.figure, "kind").at(token);
    EXPECT_TRUE(u.text("segment").starts_with(kind)) << u.text("segment") << ", " << kind;
    const auto document = u.said().column("document"), segment = u.said().column("segment");
    std::size_t first = token;
    const auto kinds = words_of(u.figure, "kind");
    while (first > 0 && document[first - 1] == document[token] &&
           segment[first - 1] == segment[token] && kinds[first - 1] == kind) {
        --first;
    }
    u.is("its token", to_double(static_cast<Index>(token - first)));
    if (kind == "padding") {
        return;
    }
    for (const std::string axis : kAxes) {
        u.is(axis, u.in_table(axis, row).value());
        const bool below = std::ranges::any_of(
            u.readouts, [&](const plot::Readout& each) { return each.name == axis + " below"; });
        if (below) {
            u.is(axis + " below", u.in_table(axis + "_below", row).value());
        }
    }
}

/// The jump of the segment that begins with a token, as the report prints it: how far the token
/// lies above the largest position before it in its document plus 1.
std::string jump_text(const plot::Figure& figure, const std::string& below, std::size_t first) {
    const auto document = column_of(figure, "document");
    double most = -1;
    bool any = false;
    for (const std::size_t token : real_tokens(figure)) {
        for (const std::string axis : kAxes) {
            if (token < first && document[token] == document[first]) {
                most = std::max(most, column_of(figure, axis + below)[token]);
                any = true;
            }
        }
    }
    const double jump = column_of(figure, "t" + below)[first] - most - 1;
    return !any || jump == 0 ? "" : fmt::format("{:+}", jump);
}

/// A line of the report is a segment, with its range on each axis.
Hold segment_row(const std::string& below) {
    return [below](const Under& u) {
        const auto first = static_cast<std::size_t>(u.whole("token"));
        const Index count = u.whole("tokens");
        const std::string kind = words_of(u.figure, "kind").at(first);
        EXPECT_TRUE(u.text("segment").starts_with(kind)) << u.text("segment") << ", " << kind;
        for (const std::string axis : kAxes) {
            const auto ids = column_of(u.figure, axis + below);
            const auto begin = ids.begin() + static_cast<Index>(first);
            const auto [low, high] = std::minmax_element(begin, begin + count);
            EXPECT_EQ(u.text(axis), *low == *high ? fmt::format("{}", *low)
                                                  : fmt::format("{} to {}", *low, *high));
        }
        const bool jumps = std::ranges::any_of(
            u.readouts, [](const plot::Readout& each) { return each.name == "jump"; });
        const std::string jump = jumps ? u.text("jump") : "";
        EXPECT_EQ(jump, kind == "padding" ? "" : jump_text(u.figure, below, first));
    };
}

}  // namespace

std::vector<std::string> some_layouts() {
    return {"text 4, image 4x6, text 3, video 6x4x4 1s, text 3",
            "text 5",
            "image 2x2",
            "text 3, image 4x6, text 2 | text 2, image 6x2, text 1, decode 2",
            "padding 3, text 2, video 6x2x4 2.7s, text 3, decode 4",
            "text 2, image 4x4, text 3, padding 4, decode 2",
            "text 0, image 12x2, video 4x2x2 0.5s, text 1, image 1x2x8"};
}

namespace {

ViewClaims positions_claims() {
    return {
        "positions",
        {
            {"{} {} position {}", reaches},
            {"Above and below all tokens have the same ids",
             [](const Said& s) { EXPECT_TRUE(differing(s.figure).empty()); }},
            {"{} of {} {} another id below, from token {} on", some_differ},
            {"This layout does not show {}", is_not_shown},
            {"To show the fault takes {}",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), find_id_fault(s.scene.positions_compare)->shown_by);
             }},
            {"Positions of time, height and width in {}, as {} numbers them",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.scene.positions_family);
                 EXPECT_EQ(s.word(1), shown_version(s.scene.positions_version));
             }},
            {"Below: as {} numbers them",
             [](const Said& s) { EXPECT_EQ(s.word(0), shown_version(s.scene.positions_compare)); }},
            {"Below: {}", tells_the_fault},
            {"differs from above",
             [](const Said& s) { EXPECT_FALSE(differing(s.figure).empty()); }},
            {"jump {}", jumps},
            {"document {}",
             [](const Said& s) {
                 EXPECT_EQ(count_of(s.column("document"),
                                    [&](double each) { return each + 1 == s.value(0); }) > 0,
                           true);
             }},
            {"{} {} × {}", names_a_grid},
            {"{} {} × {} × {}", names_a_grid},
        },
        {
            {"Text has the same position on all three axes", text_has_one_position},
            {"In a block of patches time stays within a frame, height counts its rows and width "
             "its "
             "columns",
             rows_and_columns_are_counted},
            {"Make the video longer than its sides: text behind it goes back in time with "
             "transformers 5, and not with 4",
             only_transformers_5_goes_back},
        },
        {{"", id_under}},
        {{.first = "token", .row = segment_row("")},
         {.first = "token", .row = segment_row("_below"), .skipped = 1}},
        {},
        {},
        {"transformers-4", "transformers-5"}};
}

const RegisteredClaims kPositionsClaims{positions_claims};

}  // namespace

}  // namespace ropescope::figures
