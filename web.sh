#!/usr/bin/env bash
# Builds ropescope for browsers into build/web/, with a page for each lesson and view, which any web server or static
# host can serve as it is. ROPESCOPE_SITE=https://example.org/ropescope/ says where, for the cards of shared links.
#   ./web.sh          builds; the first time it fetches the toolchain, 300 MB
#   ./web.sh serve    builds, and serves build/web/ on 127.0.0.1, port 8731 or the one in PORT
set -euo pipefail
source "$(dirname "$0")/tools/setup.sh"
source "$repository/tools/web/toolchain.sh"

case "${1:-build}" in
  build | serve) ;;
  *)
    echo "ropescope: ./web.sh: unknown mode '$1'; nothing, or serve" >&2
    exit 2
    ;;
esac
build_web
install_packages build run
write_site
if [ "${1:-}" = serve ]; then
  say "http://127.0.0.1:${PORT:-8731}/ (Ctrl + C ends it)"
  exec python3 -m http.server --bind 127.0.0.1 --directory build/web "${PORT:-8731}"
fi
