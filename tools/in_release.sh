#!/usr/bin/env bash
# Runs a command in a bare root of a Debian release, on a copy of the files that git knows here.
#   tools/in_release.sh trixie ./test.sh     the suite on Debian 13
#   tools/in_release.sh bookworm ./run.sh    pictures on Debian 12
# The root is made by debootstrap in build/roots/RELEASE (or in $ROPESCOPE_ROOTS) and kept, with what
# was installed and built there. It needs root rights, because a root is entered by chroot.
set -euo pipefail
cd "$(dirname "$0")/.."
release="${1:?give a release of Debian, for example trixie, and a command}"
shift
[ $# -gt 0 ] || { echo "ropescope: tools/in_release.sh: give a command to run in $release" >&2; exit 2; }
if [ "$(id -u)" != 0 ]; then
  echo "ropescope: tools/in_release.sh: a root is entered by chroot; run it as root (sudo)" >&2
  exit 3
fi
source tools/setup.sh
install_packages release
root="${ROPESCOPE_ROOTS:-$repository/build/roots}/$release"

# The mirror that this machine installs from.
mirror="$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' \
  /etc/apt/sources.list.d/* /etc/apt/sources.list 2>/dev/null | grep -m 1 . || true)"

if [ ! -f "$root/.ready" ]; then
  say "making a root of $release in $root"
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include=ca-certificates "$release" "$root" \
    "${mirror:-http://deb.debian.org/debian}" >&2
  touch "$root/.ready"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
# How apt reaches the mirror. What a package of this machine put there, the package puts there itself.
for setting in /etc/apt/apt.conf.d/*; do
  dpkg-query -S "$setting" >/dev/null 2>&1 || cp "$setting" "$root/etc/apt/apt.conf.d/"
done

# Only files whose contents differ are written, so that nothing is compiled twice.
folder="$root/ropescope"
mkdir -p "$folder"
git ls-files -z --cached | while IFS= read -r -d '' file; do
  [ -e "$file" ] || continue
  cmp -s "$file" "$folder/$file" || { mkdir -p "$folder/$(dirname "$file")" && cp -p "$file" "$folder/$file"; }
done
(cd "$folder" && find . -path ./build -prune -o -path ./out -prune -o -path ./.git -prune -o -type f -print |
  sed 's|^\./||' | sort) | comm -23 - <(git ls-files | sort) | while IFS= read -r file; do
  rm -f "$folder/$file"  # it is no longer in the repository
done

# A mount namespace of its own takes its mounts along when the command ends.
exec unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
  root="$1"; shift
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  exec chroot "$root" env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
    bash -euo pipefail -c "cd /ropescope && exec \"\$@\"" run "$@"' enter "$root" "$@"
