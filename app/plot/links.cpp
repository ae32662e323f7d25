#include <algorithm>

#include "app/plot/figure.h"

namespace ropescope::plot {
namespace {

template <typename Test>
const Link* first(const Figure& figure, Test test) {
    const auto found = std::find_if(figure.links.begin(), figure.links.end(), test);
    return found == figure.links.end() ? nullptr : &*found;
}

}  // namespace

const Link* link_at(const Figure& figure, const std::string& panel, Point at) {
    return first(figure, [&](const Link& link) { return link.contains(panel, at); });
}

const Link* link_of(const Figure& figure, Link::Key key) {
    return first(figure,
                 [&](const Link& link) { return key != Link::Key::none && link.key == key; });
}

}  // namespace ropescope::plot
