// Walks the tree that cmark-gfm makes of a page, and changes its links, pictures and headings.
#include "app/book/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <cstdlib>
#include <memory>
#include <vector>

#include "app/plot/svg_text.h"
#include "core/base/error.h"

namespace ropescope::book {
namespace {

using Node = std::unique_ptr<cmark_node, decltype(&cmark_node_free)>;
using Parser = std::unique_ptr<cmark_parser, decltype(&cmark_parser_free)>;
using Iterator = std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)>;

Node parse(std::string_view markdown, Parser& parser) {
    cmark_syntax_extension* const tables = cmark_find_syntax_extension("table");
    if (tables == nullptr || cmark_parser_attach_syntax_extension(parser.get(), tables) == 0) {
        throw CapabilityError("docs: this cmark-gfm has no tables; install Debian's");
    }
    cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
    return {cmark_parser_finish(parser.get()), cmark_node_free};
}

std::vector<cmark_node*> nodes_of(cmark_node* root) {
    std::vector<cmark_node*> nodes;
    const Iterator iterator(cmark_iter_new(root), cmark_iter_free);
    while (cmark_iter_next(iterator.get()) != CMARK_EVENT_DONE) {
        if (cmark_iter_get_event_type(iterator.get()) == CMARK_EVENT_ENTER) {
            nodes.push_back(cmark_iter_get_node(iterator.get()));
        }
    }
    return nodes;
}

std::string words_of(cmark_node* root) {
    std::string words;
    for (cmark_node* node : nodes_of(root)) {
        const cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) {
            words += cmark_node_get_literal(node);
        } else if (type == CMARK_NODE_SOFTBREAK) {
            words += ' ';
        }
    }
    return words;
}

/// A node that is written as it is.
cmark_node* html_node(const std::string& html) {
    cmark_node* const node = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
    cmark_node_set_on_enter(node, html.c_str());
    return node;
}

/// Puts the children of a link in its place.
void unlink_words(cmark_node* link) {
    while (cmark_node* child = cmark_node_first_child(link)) {
        cmark_node_unlink(child);
        cmark_node_insert_before(link, child);
    }
    cmark_node_unlink(link);
    cmark_node_free(link);
}

void change_link(cmark_node* link, const MapLink& map_link) {
    const std::string target = map_link(cmark_node_get_url(link));
    if (target.empty()) {
        unlink_words(link);
    } else {
        cmark_node_set_url(link, target.c_str());
    }
}

void change_picture(cmark_node* picture, const PictureHtml& picture_html) {
    const std::string words = words_of(picture);
    const std::string html = picture_html(cmark_node_get_url(picture), words);
    cmark_node_replace(picture, html_node(html.empty() ? plot::escaped(words) : html));
    cmark_node_free(picture);
}

void name_heading(cmark_node* heading) {
    cmark_node_prepend_child(
        heading,
        html_node("<span id=\"" + plot::escaped(anchor_of(words_of(heading))) + "\"></span>"));
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

/// What is wider than a phone scrolls by itself. Browsers let the keyboard come to such a part, so
/// it has a name. The tags are cmark's: letters of the page are escaped.
std::string with_named_scrollers(std::string html) {
    replace_all(html, "<table>",
                "<div class=\"wide\" role=\"region\" aria-label=\"Table\"><table>");
    replace_all(html, "</table>", "</table></div>");
    replace_all(html, "<pre>", "<pre role=\"region\" aria-label=\"Example\">");
    return html;
}

}  // namespace

MarkdownPage read_markdown(std::string_view markdown, const MapLink& map_link,
                           const PictureHtml& picture_html) {
    cmark_gfm_core_extensions_ensure_registered();
    Parser parser(cmark_parser_new(CMARK_OPT_VALIDATE_UTF8), cmark_parser_free);
    const Node document = parse(markdown, parser);
    MarkdownPage page;
    for (cmark_node* node : nodes_of(document.get())) {
        const cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_HEADING) {
            page.title = page.title.empty() ? words_of(node) : page.title;
            name_heading(node);
        } else if (type == CMARK_NODE_LINK) {
            change_link(node, map_link);
        } else if (type == CMARK_NODE_IMAGE) {
            change_picture(node, picture_html);
        }
    }
    const std::unique_ptr<char, decltype(&std::free)> html(
        cmark_render_html(document.get(), CMARK_OPT_DEFAULT,
                          cmark_parser_get_syntax_extensions(parser.get())),
        std::free);
    page.html = with_named_scrollers(html.get());
    return page;
}

}  // namespace ropescope::book
