// Follows the links from the first page on.
#include "app/book/book.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "app/book/markdown.h"
#include "app/plot/svg_text.h"
#include "core/base/embedded.h"
#include "core/base/parse_list.h"

namespace ropescope::book {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirst = "docs/README.md", kPictures = "docs/pictures/",
                           kName = "The book of ropescope";
constexpr std::array<std::string_view, 2> kThemes = {"light", "dark"};

/// Where a file of the repository lies in the site: what is not in docs/ has a folder of its own.
std::string site_path(const std::string& source) {
    fs::path path =
        source.starts_with("docs/") ? fs::path(source.substr(5)) : fs::path("repository") / source;
    if (path.extension() == ".md") {
        path.replace_filename(path.filename() == "README.md" ? "index.html"
                                                             : path.stem().string() + ".html");
    }
    return path.string();
}

/// The link from one file of the site to another.
std::string link_to(const std::string& to, const std::string& from) {
    return fs::path(to).lexically_relative(fs::path(from).parent_path()).string();
}

struct Page {
    std::string source, path;
    MarkdownPage content = {};
};

class Maker {
  public:
    explicit Maker(bool with_pictures) : with_pictures_(with_pictures) {}

    Book make() {
        pages_.push_back({std::string(kFirst), site_path(std::string(kFirst))});
        for (std::size_t i = 0; i < pages_.size(); ++i) {  // grows by the pages that it links to
            const std::string source = pages_[i].source;
            pages_[i].content = read(source);
        }
        for (std::size_t i = 0; i < pages_.size(); ++i) {
            book_.files.insert(book_.files.begin() + static_cast<std::ptrdiff_t>(i),
                               {pages_[i].path, html_of(i)});
        }
        book_.files.push_back(
            {"book.css", fmt::format("{}{}", *embedded_file("assets/pages/page.css"),
                                     *embedded_file("assets/pages/book.css"))});
        return std::move(book_);
    }

  private:
    MarkdownPage read(const std::string& source) {
        return read_markdown(
            *book_source(source), [&](const std::string& target) { return follow(target, source); },
            [&](const std::string& target, const std::string& words) {
                return picture(target, words, source);
            });
    }

    /// The path in the repository that a link of a page leads to.
    static std::string resolved(const std::string& target, const std::string& source) {
        return (fs::path(source).parent_path() / target).lexically_normal().string();
    }

    std::string follow(const std::string& target, const std::string& source) {
        if (target.starts_with("#") || target.find("://") != std::string::npos) {
            return target;
        }
        const std::size_t hash = std::min(target.find('#'), target.size());
        const std::string to = resolved(target.substr(0, hash), source);
        if (!book_source(to)) {
            return "";
        }
        add(to);
        return link_to(site_path(to), site_path(source)) + target.substr(hash);
    }

    void add(const std::string& source) {
        if (!seen_.insert(source).second) {
            return;
        }
        if (source.ends_with(".md")) {
            pages_.push_back({source, site_path(source)});
        } else {
            book_.files.push_back({site_path(source), std::string(*book_source(source))});
        }
    }

    std::string picture(const std::string& target, const std::string& words,
                        const std::string& source) {
        const std::string path = resolved(target, source);
        if (!with_pictures_ || !path.starts_with(kPictures)) {
            return "";
        }
        // VIEW-THEME.png: a page is read in either colours, whatever it shows on GitHub.
        const std::string stem = fs::path(path).stem().string();
        const std::string view = stem.substr(0, stem.rfind('-'));
        std::array<std::string, 2> links;
        for (std::size_t i = 0; i < kThemes.size(); ++i) {
            const std::string file = fmt::format("pictures/{}-{}.png", view, kThemes[i]);
            links[i] = link_to(file, site_path(source));
            if (seen_.insert(file).second) {
                book_.pictures.push_back({view, std::string(kThemes[i]), settings_of(view), file});
            }
        }
        return fmt::format(
            "<picture><source media=\"(prefers-color-scheme: light)\" srcset=\"{}\"><img "
            "src=\"{}\" "
            "alt=\"{}\" loading=\"lazy\"></picture>",
            links[0], links[1], plot::escaped(words));
    }

    static std::vector<std::string> settings_of(std::string_view view) {
        std::vector<std::string> settings;
        for (const std::string_view line :
             split(*book_source("docs/pictures/settings.txt"), '\n')) {
            if (line.starts_with(view) && line.substr(view.size()).starts_with(' ')) {
                settings.emplace_back(line.substr(view.size() + 1));
            }
        }
        return settings;
    }

    /// A link to page i, if there is one.
    std::string neighbour(std::size_t i, std::string_view name, const std::string& from) const {
        return i < pages_.size()
                   ? fmt::format("<a rel=\"{}\" href=\"{}\">{}: {}</a>", name,
                                 link_to(pages_[i].path, from), name == "prev" ? "Before" : "Next",
                                 plot::escaped(pages_[i].content.title))
                   : "";
    }

    std::string html_of(std::size_t i) const {
        const Page& page = pages_[i];
        const std::string home = link_to(pages_.front().path, page.path);
        const std::string top =
            i == 0 ? ""
                   : fmt::format("<nav class=\"top\"><a href=\"{}\">{}</a></nav>", home, kName);
        const std::string title =
            i == 0 ? std::string(kName) : fmt::format("{} · {}", page.content.title, kName);
        return fmt::format(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"generator\" content=\"ropescope " ROPESCOPE_VERSION
            "\">\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"{}\">\n"
            "<title>{}</title>\n</head>\n<body class=\"book\">\n{}<main>\n{}</main>\n"
            "<nav class=\"turn\" aria-label=\"Pages before and behind\">{}{}</nav>\n</body>\n"
            "</html>\n",
            link_to("book.css", page.path), plot::escaped(title), top, page.content.html,
            i > 0 ? neighbour(i - 1, "prev", page.path) : "", neighbour(i + 1, "next", page.path));
    }

    bool with_pictures_;
    Book book_;
    std::vector<Page> pages_;
    std::set<std::string> seen_ = {std::string(kFirst)};
};

}  // namespace

Book make_book(bool with_pictures) {
    return Maker(with_pictures).make();
}

// The names of headings.

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char letter : heading) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == ' ') {
            anchor += '-';
        } else if (std::isalnum(byte) != 0 || letter == '-' || letter == '_' || byte >= 0x80) {
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : letter);
        }
    }
    return anchor;
}

}  // namespace ropescope::book
