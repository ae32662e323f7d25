// The site around the app of a browser: a first page, a page for each lesson and each view, and the
// pictures that a shared link shows. Plain files, which any host serves.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/pages/page.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

struct SiteOptions {
    /// Where the site will be found: "https://example.org/ropescope/". Cards need whole addresses;
    /// without it they are relative, which not every reader of cards follows.
    std::string address;
    /// The id of the one lesson or view whose pages are made, beside the first page; empty: all.
    std::string only;
};

/// Receives each file by its path below the folder of the site.
using KeepFile = std::function<void(const std::string& path, std::string_view bytes)>;

/// Makes every file: index.html, lessons/*.html with lessons/films/*.js, views/*.html with
/// views/films/*.js, cards/*.png. The page of the app is app.html. Throws InputError if `only` is
/// neither a lesson nor a view.
void make_site(const SiteOptions& options, Engine& engine, const KeepFile& keep,
               const PageProgress& progress = {});

}  // namespace ropescope::pages
