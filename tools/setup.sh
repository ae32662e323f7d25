# Sourced by run.sh and test.sh: installs what is missing, configures and builds.

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$repository"

# say TEXT: what happens now, apart from the output of the tools.
say() { printf '== %s\n' "$*"; }

# packages_of SECTION...: the packages that tools/packages.txt lists in those sections for this release.
packages_of() {
  local section release
  release="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
  for section in "$@"; do
    sed -n "/^\[$section\]/,/^\[/{/^\[/d;/^#/d;p}" "$repository/tools/packages.txt"
  done | tr -s ' \n' '\n' | sed "/^$/d; s/@$release\$//; /@/d"
}

# missing_of PACKAGE...: those that are not installed.
missing_of() {
  comm -23 <(printf '%s\n' "$@" | sort) \
    <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
      sed -n 's/ installed$//p' | sort -u)
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

apt_install() {
  as_root apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# install_packages SECTION...: makes sure that the packages of those sections are there.
install_packages() {
  [ -z "${ROPESCOPE_SKIP_INSTALL:-}" ] || return 0
  local wanted missing
  mapfile -t wanted < <(packages_of "$@")
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "ropescope: this system has no apt; install what these Debian packages hold, then run again" \
      "with ROPESCOPE_SKIP_INSTALL=1: ${wanted[*]}" >&2
    exit 3
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "ropescope: packages are missing and there is neither root nor sudo to install them:" \
      "${missing[*]}" >&2
    exit 3
  fi
  say "installing ${missing[*]}"
  # The package lists are fetched only where they do not know a package, or are too old to install.
  if ! apt-cache show "${missing[@]}" >/dev/null 2>&1; then
    as_root apt-get update -q
  fi
  apt_install "${missing[@]}" || { as_root apt-get update -q && apt_install "${missing[@]}"; }
}

# build PRESET [TARGET...]: configures what is not configured and builds incrementally. A build
# folder that was made at another place (a moved clone) is configured afresh.
build() {
  local preset="$1"
  shift
  local cache="build/$preset/CMakeCache.txt"
  if [ -f "$cache" ] && ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$cache"; then
    rm -rf "build/$preset"
  fi
  say "building preset $preset"
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
