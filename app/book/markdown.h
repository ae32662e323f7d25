// A Markdown page as HTML: CommonMark with GitHub's tables, headings that links can name. Sources:
// markdown.cpp, or markdown_missing.cpp where cmark-gfm is not installed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ropescope::book {

/// The HTML for the target of a picture, given its description; empty leaves the description alone.
using PictureHtml = std::function<std::string(const std::string& target, const std::string& text)>;
/// Where a link of the page leads now; empty if nowhere, which leaves the words of the link.
using MapLink = std::function<std::string(const std::string& target)>;

struct MarkdownPage {
    std::string title;  ///< its first heading
    std::string html;
};

/// Raw HTML in the page is left out. Throws CapabilityError if the program was built without
/// cmark-gfm.
MarkdownPage read_markdown(std::string_view markdown, const MapLink& map_link,
                           const PictureHtml& picture_html);

/// What a link names a heading by, as GitHub makes it: small letters, spaces as hyphens, no other
/// punctuation than these and underscores.
std::string anchor_of(std::string_view heading);

}  // namespace ropescope::book
