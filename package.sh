#!/usr/bin/env bash
# Sets up what is missing, builds, and makes a Debian package for this release of Debian in out/.
set -euo pipefail
source "$(dirname "$0")/tools/setup.sh"
install_packages build run package
build release ropescope libropescope
umask 022
(cd build/release && cpack -G DEB)
package="$(ls -t out/ropescope_*.deb | head -1)"
lintian --fail-on error "$package"
say "made $package"
