# Sourced by web.sh: gets Emscripten and the sources of the libraries that the page is linked with.
#
# Debian 13 has an Emscripten that compiles this program, and there it is installed like any other package.
# The one of Debian 12 has a standard library without ranges, so on Debian 12 the packages of Debian 13 are
# downloaded with an apt configuration of their own, checked by apt against Debian's keys, and unpacked
# below build/web-toolchain; nothing of the system's own configuration or packages changes. Clang comes
# from Debian 12. What needs the newer C library is started through that library's own loader.
#
# The libraries come as Debian's source packages: those of Debian 12, for whose ImGui the page's input is written.

toolchain="$repository/build/web-toolchain"
emscripten_version="3.1.69+dfsg-3"
binaryen_version="120-4"
libraries=(imgui fmtlib freetype libzip zlib)

# no_toolchain TEXT: ends the script because the toolchain cannot be had.
no_toolchain() {
  echo "ropescope: ./web.sh: $1" >&2
  exit 3
}

# release_name: the name of this Debian release.
release_name() { (. /etc/os-release && echo "${VERSION_CODENAME:-}"); }

# write_apt_configuration: an apt that knows the packages and sources of Debian 13 and the sources of this
# release, at the mirror that this machine has its own packages from.
write_apt_configuration() {
  local keys="/usr/share/keyrings/debian-archive-keyring.gpg" mirror
  mirror="$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s/^Debian $(release_name) //p" | sort -u | head -n 1)"
  [ -n "$mirror" ] || no_toolchain "the apt of this machine names no mirror of Debian's $(release_name);$(
    ) give it one in /etc/apt/sources.list and run apt-get update"
  mkdir -p "$toolchain"/apt/{lists/partial,cache/archives/partial} "$toolchain/downloads"
  cat >"$toolchain/apt/sources.list" <<LIST
deb [signed-by=$keys] $mirror trixie main
deb-src [signed-by=$keys] $mirror bookworm main
LIST
  # The status of the system's packages stays out, so that versions of this release are no hindrance.
  cat >"$toolchain/apt/apt.conf" <<CONF
Dir::State "$toolchain/apt";
Dir::State::lists "$toolchain/apt/lists";
Dir::State::status "/dev/null";
Dir::Cache "$toolchain/apt/cache";
Dir::Etc::sourcelist "$toolchain/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Sandbox::User "";
APT::Install-Recommends "false";
CONF
}

# own_apt ARGUMENT...: apt-get with that configuration, in the folder of the downloads.
own_apt() { (cd "$toolchain/downloads" && APT_CONFIG="$toolchain/apt/apt.conf" apt-get -q "$@"); }

# fetch_source NAME: unpacks this source package of Debian 12.
fetch_source() {
  mkdir -p "$toolchain/sources"
  own_apt source --download-only "$1/bookworm" >/dev/null
  dpkg-source --no-check -x "$toolchain/downloads/$1"_*.dsc "$toolchain/sources/$1" >/dev/null
  rm -f "$toolchain/sources/$1"_*.tar.*
}

# wrap_binaryen: a script for each of its programs, which starts it with Debian 13's C library.
wrap_binaryen() {
  local root="$toolchain/root" libraries="$toolchain/root/usr/lib/x86_64-linux-gnu" program
  mkdir -p "$toolchain/binaryen/bin"
  ln -sfn "$root/usr/lib" "$toolchain/binaryen/lib"
  for program in "$root"/usr/bin/wasm-* "$root"/usr/bin/wasm2js; do
    [ -x "$program" ] || continue
    cat >"$toolchain/binaryen/bin/$(basename "$program")" <<SCRIPT
#!/bin/sh
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "$program" "\$@"
SCRIPT
    chmod +x "$toolchain/binaryen/bin/$(basename "$program")"
  done
}

# fetch_emscripten: Debian 13's Emscripten on Debian 12.
fetch_emscripten() {
  [ "$(dpkg --print-architecture)" = amd64 ] ||
    no_toolchain "on Debian 12 Emscripten is only put together for amd64, this is" \
      "$(dpkg --print-architecture); use Debian 13, where it is a package"
  own_apt download "emscripten=$emscripten_version" "binaryen=$binaryen_version" libc6 libgcc-s1 libstdc++6
  rm -rf "$toolchain/root"
  local package
  for package in "$toolchain"/downloads/{emscripten,binaryen,libc6,libgcc-s1,libstdc++6}_*.deb; do
    dpkg-deb -x "$package" "$toolchain/root"
  done
  wrap_binaryen
  local config="$toolchain/root/usr/share/emscripten/.emscripten"
  sed "s#^BINARYEN_ROOT.*#BINARYEN_ROOT = '$toolchain/binaryen'#" "$config" >"$toolchain/emscripten.config"
  # Node looks for acorn, with which the linker reads JavaScript, beside the program.
  ln -sfn /usr/share/nodejs "$toolchain/root/usr/share/emscripten/node_modules"
}

# prepare_toolchain: fetches what is missing and sets EM_CONFIG and PATH.
prepare_toolchain() {
  local stamp="$toolchain/complete" wanted name
  install_packages web
  wanted="$(release_name) $emscripten_version $binaryen_version ${libraries[*]} $repository"
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$toolchain"
    write_apt_configuration
    say "fetching Emscripten and the sources of ${libraries[*]} (once)"
    own_apt update >/dev/null ||
      no_toolchain "the mirror of this machine's apt has no Debian 12 and 13 (bookworm and trixie)"
    [ "$(release_name)" != bookworm ] || fetch_emscripten
    for name in "${libraries[@]}"; do fetch_source "$name"; done
    rm -rf "$toolchain"/downloads "$toolchain"/apt
    echo "$wanted" >"$stamp"
  fi
  if [ "$(release_name)" = bookworm ]; then
    export EM_CONFIG="$toolchain/emscripten.config"
    emscripten="$toolchain/root/usr/share/emscripten"
    wasm_opt="$toolchain/binaryen/bin/wasm-opt"
  else
    emscripten=/usr/share/emscripten
    wasm_opt=wasm-opt
  fi
}

# build_web: configures what is not configured, builds, and puts the page into build/web.
build_web() {
  local objects="build/web-objects"
  prepare_toolchain
  if [ -f "$objects/CMakeCache.txt" ] &&
    ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$objects/CMakeCache.txt"; then
    rm -rf "$objects"
  fi
  # Each time, so that new settings reach a folder that is configured already. For size: -Oz, linked as one program.
  cmake -S . -B "$objects" -G Ninja -DCMAKE_BUILD_TYPE=Release -DROPESCOPE_TOGETHER=ON --log-level=WARNING \
    -DCMAKE_CXX_FLAGS_RELEASE="-Oz -flto -DNDEBUG" -DCMAKE_C_FLAGS_RELEASE="-Oz -flto -DNDEBUG" \
    -DCMAKE_TOOLCHAIN_FILE="$emscripten/cmake/Modules/Platform/Emscripten.cmake"
  say "building the page"
  CCACHE_SLOPPINESS=pch_defines,time_macros cmake --build "$objects"
  rm -rf build/web
  mkdir -p build/web
  cp "$objects/ropescope.js" app/web/page/* build/web/
  # Two forms of one program, see app/web/page/page.js: Emscripten links the older form of exceptions.
  cp "$objects/ropescope.wasm" build/web/ropescope-older.wasm
  "$wasm_opt" --all-features --translate-to-exnref -Oz build/web/ropescope-older.wasm -o build/web/ropescope.wasm
  # The loading bar compares what has come with the size of the unpacked module. The version of all files together is in
  # the addresses of each, so that a cache never mixes those of two versions.
  local version
  version="$(cat build/web/* | sha256sum | head -c 12)"
  sed -i -e "s/<html /<html data-version=\"$version\" data-wasm-bytes=\"$(stat -c %s build/web/ropescope.wasm)\" /" \
    -e "s/\(src\|href\)=\"\([a-z]*[.]\(js\|css\|wasm\)\)\"/\1=\"\2?v=$version\"/" build/web/app.html
  say "the page is in build/web/: $(compressed_size build/web) bytes compressed, without the older form"
  local fetched
  for fetched in assets/demo-*/model.safetensors assets/demo-*/held_out.json; do
    install -m 644 -D "$fetched" "build/web/$fetched"
  done
}

# write_site OPTION...: the pages of lessons and views around the app.
write_site() {
  build release ropescope
  build/release/ropescope site -o build/web ${ROPESCOPE_SITE:+--address "$ROPESCOPE_SITE"} "$@"
}

# compressed_size FOLDER: the bytes of its files, each compressed by gzip.
compressed_size() {
  local total=0 file
  for file in "$1"/*; do
    case "$file" in *-older.wasm) continue ;; esac
    total=$((total + $(gzip -9 -c "$file" | wc -c)))
  done
  echo "$total"
}
