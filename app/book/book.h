// The book (docs/) as a static site: pages of HTML that link to each other and to nothing else but
// what they cite. Sources: book.cpp, markdown.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::book {

struct BookFile {
    std::string path;  ///< below the folder of the site, "views/rotation.html"
    std::string bytes;
};

/// A picture of the window.
struct BookPicture {
    std::string view, theme;
    std::vector<std::string> settings;  ///< name=value, beside the defaults
    std::string path;                   ///< "pictures/rotation-dark.png"
};

struct Book {
    std::vector<BookFile> files = {};  ///< index.html first
    std::vector<BookPicture> pictures = {};
};

/// Every page that links lead to from docs/README.md, in the order of these links, with the files
/// that the pages point at. Pages have a picture in light and in dark colours, or its description
/// if `with_pictures` is false. Throws CapabilityError as read_markdown() does.
Book make_book(bool with_pictures);

/// A file of the repository that the book needs, by its path; compiled in.
std::optional<std::string_view> book_source(std::string_view path);

}  // namespace ropescope::book
