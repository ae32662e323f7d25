// The book as a site: all pages are in it, and every link and picture leads somewhere.
#include "app/book/book.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

#include "app/book/markdown.h"
#include "app/figures/view.h"
#include "tests/support/paths.h"

namespace ropescope::book {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> found(const std::string& text, const std::string& what) {
    const std::regex expression(what);
    return {std::sregex_token_iterator(text.begin(), text.end(), expression, 1),
            std::sregex_token_iterator()};
}

const Book& site() {
    static const Book book = make_book(true);
    return book;
}

const BookFile* file_at(const std::string& path) {
    const auto file = std::ranges::find(site().files, path, &BookFile::path);
    return file == site().files.end() ? nullptr : &*file;
}

MarkdownPage as_html(const std::string& markdown) {
    return read_markdown(
        markdown, [](const std::string& target) { return target == "a.md" ? "a.html" : ""; },
        [](const std::string&, const std::string& words) {
            return words == "drawn" ? "<b></b>" : "";
        });
}

TEST(Markdown, LinksPicturesAndHeadingsAreChanged) {
    const MarkdownPage page = as_html(
        "# A `cos` and B\n[in](a.md) [out](b.md \"title\") ![drawn](x.png) ![told & "
        "said](y.png)\n");
    EXPECT_EQ(page.title, "A cos and B");
    EXPECT_THAT(page.html, HasSubstr("<h1><span id=\"a-cos-and-b\"></span>A <code>cos</code>"));
    EXPECT_THAT(page.html, HasSubstr("<a href=\"a.html\">in</a> out <b></b> told &amp; said"));
}

TEST(Markdown, HasTablesAndNoHtmlOfItsOwn) {
    EXPECT_THAT(as_html("| a | b |\n|---|---|\n| 1 | `x\\|y` |\n").html,
                HasSubstr("<td><code>x|y</code></td>"));
    EXPECT_THAT(as_html("| a |\n|---|\n| `<table>` |\n").html,
                HasSubstr("<div class=\"wide\" role=\"region\" aria-label=\"Table\"><table>"));
    EXPECT_THAT(as_html("`<pre>`\n").html, HasSubstr("<code>&lt;pre&gt;</code>"));
    EXPECT_THAT(as_html("<script>alert(1)</script>\n").html, Not(HasSubstr("<script")));
}

TEST(Markdown, AnchorsAreThoseOfGitHub) {
    EXPECT_EQ(anchor_of("The views"), "the-views");
    EXPECT_EQ(anchor_of("rope_scaling, and `factor`?"), "rope_scaling-and-factor");
    EXPECT_EQ(anchor_of("Θ is 1"), "Θ-is-1");
}

TEST(Book, HasEveryPageOfTheDocuments) {
    const fs::path docs = fs::path(test::source_dir()) / "docs";
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(docs)) {
        if (entry.path().extension() == ".md") {
            const fs::path below = fs::relative(entry.path(), docs);
            fs::path html = below;
            html.replace_filename(
                below.filename() == "README.md" ? "index.html" : below.stem().string() + ".html");
            const BookFile* const file = file_at(html.string());
            ASSERT_NE(file, nullptr) << html << ": no page of the book links to it";
            EXPECT_THAT(file->bytes, HasSubstr("book of ropescope</title>")) << html;
        }
    }
    EXPECT_EQ(site().files.front().path, "index.html");
}

TEST(Book, EveryLinkLeadsSomewhere) {
    std::size_t links = 0;
    for (const BookFile& file : site().files) {
        if (!file.path.ends_with(".html")) {
            continue;
        }
        for (const std::string& link : found(file.bytes, "href=\"([^\"]*)\"")) {
            if (link.starts_with("http") || link == "data:,") {
                continue;
            }
            ++links;
            const std::size_t hash = std::min(link.find('#'), link.size());
            const std::string path =
                hash == 0 ? file.path
                          : (fs::path(file.path).parent_path() / link.substr(0, hash))
                                .lexically_normal()
                                .string();
            const BookFile* const target = file_at(path);
            ASSERT_NE(target, nullptr) << file.path << " links to " << link;
            if (hash < link.size()) {
                EXPECT_THAT(target->bytes, HasSubstr("id=\"" + link.substr(hash + 1) + "\""))
                    << file.path << " links to " << link;
            }
        }
        EXPECT_THAT(file.bytes, Not(HasSubstr("src=\"http"))) << file.path;
    }
    EXPECT_GT(links, 300U);
}

TEST(Book, LinksToFilesAreKeptAndThoseToFoldersDropped) {
    EXPECT_THAT(file_at("library.html")->bytes,
                HasSubstr("<a href=\"repository/library/ropescope.h\">"));
    EXPECT_THAT(file_at("lessons.html")->bytes, Not(HasSubstr("assets/lessons\"")));
}

TEST(Book, HasAPictureOfEachViewInBothColours) {
    for (const figures::View& view : figures::views()) {
        const auto of_view = std::ranges::count(site().pictures, view.id, &BookPicture::view);
        EXPECT_EQ(of_view, 2) << view.id;
        EXPECT_THAT(file_at("views/" + view.id + ".html")->bytes,
                    HasSubstr("<img src=\"../pictures/" + view.id + "-dark.png\" alt=\""));
    }
    const auto attention = std::ranges::find(site().pictures, "attention", &BookPicture::view);
    EXPECT_THAT(attention->settings, testing::ElementsAre("attention_table=bf16"));
}

TEST(Book, IsReadFromFrontToBack) {
    const BookFile& first = site().files.front();
    EXPECT_THAT(first.bytes, Not(HasSubstr("rel=\"prev\"")));
    EXPECT_THAT(first.bytes, HasSubstr("<a rel=\"next\" href=\"quick-start.html\">"));
    EXPECT_THAT(file_at("quick-start.html")->bytes,
                HasSubstr("<a rel=\"prev\" href=\"index.html\">"));
    EXPECT_THAT(file_at("mathematics/rotation.html")->bytes, HasSubstr("href=\"../index.html\""));
}

TEST(Book, WithoutPicturesItHasTheirDescriptions) {
    const Book book = make_book(false);
    EXPECT_TRUE(book.pictures.empty());
    EXPECT_EQ(book.files.size(), site().files.size());
    for (const BookFile& file : book.files) {
        EXPECT_THAT(file.bytes, Not(HasSubstr("<img"))) << file.path;
    }
}

}  // namespace
}  // namespace ropescope::book
