#!/usr/bin/env bash
# Gets CAF 0.18.7 (core only, static) for one variant, release, asan or tsan, and prints the prefix that
# holds it: the one line on standard output; what it is doing goes to standard error. Debian's stable
# releases carry 0.17.6, so it is built from source once per compiler and set of flags, into a cache
# outside the build tree. The first of these that works is taken:
#   1. a CAF 0.18.7 that is here already: in CAF_ROOT, CMAKE_PREFIX_PATH, /usr/local or /usr (release only:
#      a sanitizer that cannot see into CAF reports faults that are none);
#   2. the cached build under GAMEHUB_CACHE (default: XDG_CACHE_HOME/gamehub, ~/.cache/gamehub);
#   3. a tarball given as GAMEHUB_CAF_TARBALL, or the one kept from an earlier run;
#   4. Debian's source package, through this machine's own apt configuration, of which nothing is touched;
#   5. the release tarball from CAF's own site.
set -euo pipefail

readonly version=0.18.7
readonly sha256=d5c3abe8fd67a729aab1baeece10367637d903ba335f4c79378bcadfbcd34552
readonly release_url=https://github.com/actor-framework/actor-framework/archive/refs/tags/$version.tar.gz

say() { printf 'caf: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# Prints the first prefix that holds exactly this version as a CMake package.
find_installed() {
  local prefix config
  local -a prefixes=("${CAF_ROOT:-}")
  IFS=: read -ra more <<<"${CMAKE_PREFIX_PATH:-}"
  prefixes+=("${more[@]}" /usr/local /usr)
  for prefix in "${prefixes[@]}"; do
    [[ -n $prefix ]] || continue
    for config in "$prefix"/lib*/cmake/CAF/CAFConfigVersion.cmake "$prefix"/lib/*/cmake/CAF/CAFConfigVersion.cmake; do
      if [[ -f $config ]] && grep -qF "PACKAGE_VERSION \"$version\"" "$config"; then
        printf '%s\n' "$prefix"
        return 0
      fi
    done
  done
  return 1
}

is_genuine() { [[ -f $1 ]] && printf '%s  %s\n' "$sha256" "$1" | sha256sum --check --status; }

# Prints the addresses of the archives that this machine's apt knows, the likely ones first. Needs no lists.
machine_archives() {
  apt-get --print-uris update 2>/dev/null | sed -n "s|^'\([^']*/\)dists/[^']*/InRelease' .*|\1|p" |
    grep -v security | sort -u | awk '/\/debian\/$/ {print; next} {rest = rest $0 "\n"} END {printf "%s", rest}'
}

# Leaves the archive's source tarball in $1. Sources, lists and cache are this function's own, in $1/apt;
# only where the archive is and how to reach it (proxy, mirror) comes from the machine.
fetch_from_apt() {
  local into=$1 apt=$1/apt keyring='' archive package_version
  command -v apt-get >/dev/null || return 1
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/none"
  for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp} ''; do
    [[ -f $keyring ]] && break
  done
  # A space would end the name in a list of sources; these names hold none.
  [[ -n $keyring ]] && keyring="[signed-by=$keyring] "
  # Read after the machine's own settings, so these win. Hooks that run after an update are for the
  # machine's lists and not for ours.
  cat >"$apt/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "$apt/none";
Acquire::Languages "none";
APT::Sandbox::User "$(id -un)";
CONF
  # However a source is written, apt makes such an address of it: 'scheme://host/path/dists/suite/InRelease'.
  while read -r archive; do
    say "looking for the source package of $version in the machine's archive"
    printf 'deb-src %s%s experimental main\n' "$keyring" "$archive" >"$apt/sources.list"
    apt-get -c "$apt/apt.conf" -qq update >&2 || continue
    package_version=$(apt-cache -c "$apt/apt.conf" showsrc actor-framework 2>/dev/null |
      sed -n "s/^Version: \($version-.*\)/\1/p" | head -n 1)
    [[ -n $package_version ]] || continue
    (cd "$into" && apt-get -c "$apt/apt.conf" -qq source --tar-only --download-only \
      "actor-framework=$package_version" >&2) || continue
    mv "$into"/actor-framework_*.orig.tar.gz "$into/caf.tar.gz" && return 0
  done < <(machine_archives)
  return 1
}

fetch_from_site() {
  say "fetching the release tarball from CAF's own site"
  if command -v curl >/dev/null; then
    curl -fsSL --retry 2 --connect-timeout 20 --max-time 300 -o "$1/caf.tar.gz" "$release_url" >&2
  elif command -v wget >/dev/null; then
    wget -q --timeout=60 --tries=3 -O "$1/caf.tar.gz" "$release_url" >&2
  else
    return 1
  fi
}

# Prints the path of a tarball whose checksum is right; $1 is a scratch folder.
get_tarball() {
  local kept=$cache/sources/actor-framework-$version.tar.gz
  if [[ -n ${GAMEHUB_CAF_TARBALL:-} ]]; then
    is_genuine "$GAMEHUB_CAF_TARBALL" ||
      die "GAMEHUB_CAF_TARBALL=$GAMEHUB_CAF_TARBALL is not CAF's $version release tarball (SHA256 $sha256): give that one, or unset it."
    printf '%s\n' "$GAMEHUB_CAF_TARBALL"
    return
  fi
  if ! is_genuine "$kept"; then
    mkdir -p "$cache/sources"
    { fetch_from_apt "$1" && is_genuine "$1/caf.tar.gz"; } ||
      { fetch_from_site "$1" && is_genuine "$1/caf.tar.gz"; } ||
      die "neither apt nor CAF's site gave the $version tarball with SHA256 $sha256: download $release_url elsewhere and put it at $kept, or set GAMEHUB_CAF_TARBALL to its path."
    mv "$1/caf.tar.gz" "$kept.$$" && mv "$kept.$$" "$kept"
  fi
  printf '%s\n' "$kept"
}

# Unpacks, builds and installs into $prefix, which appears at once and whole. One source of CAF forgets
# <cstdint>, which g++ 14 minds.
build() {
  local scratch=$1 tarball launcher=()
  tarball=$(get_tarball "$scratch")
  mkdir "$scratch/source"
  tar -xzf "$tarball" -C "$scratch/source" --strip-components=1
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  command -v ninja >/dev/null && launcher+=(-G Ninja)
  say "building $variant with ${GAMEHUB_JOBS:-$(nproc)} jobs: some minutes, once"
  {
    cmake -S "$scratch/source" -B "$scratch/build" "${launcher[@]}" \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 \
      -DCMAKE_CXX_FLAGS="$flags -include cstdint" -DCMAKE_CXX_FLAGS_RELEASE="$optimize" -DBUILD_SHARED_LIBS=OFF \
      -DCAF_ENABLE_EXAMPLES=OFF -DCAF_ENABLE_TESTING=OFF -DCAF_ENABLE_TOOLS=OFF \
      -DCAF_ENABLE_OPENSSL_MODULE=OFF -DCAF_ENABLE_IO_MODULE=OFF \
      -DCMAKE_INSTALL_PREFIX="$scratch/prefix" &&
      cmake --build "$scratch/build" --parallel "${GAMEHUB_JOBS:-$(nproc)}" --target install
  } >"$scratch/log" 2>&1 || {
    mv "$scratch/log" "$prefix.log"
    grep -iE '\berror\b' "$prefix.log" | head -n 5 >&2
    die "CAF $version did not build as $variant: the whole log is $prefix.log, and the compiler that CXX names (now $compiler) must know C++20."
  }
  mv -T "$scratch/prefix" "$prefix"
  rm -f "$prefix.log"
}

variant=${1:-release}
case $variant in
  release) optimize='-O2 -DNDEBUG' flags='' ;;
  asan) optimize='-O1 -g' flags='-fsanitize=address,undefined -fno-omit-frame-pointer' ;;
  tsan) optimize='-O1 -g' flags='-fsanitize=thread -fno-omit-frame-pointer' ;;
  *) say "there is no variant '$variant': the variants are release, asan and tsan." && exit 2 ;;
esac
readonly variant optimize flags

if [[ $variant == release ]] && find_installed; then exit 0; fi

cache=${GAMEHUB_CACHE:-}
[[ -n $cache ]] || { [[ -n ${XDG_CACHE_HOME:-} ]] && cache=$XDG_CACHE_HOME/gamehub; } ||
  { [[ -n ${HOME:-} ]] && cache=$HOME/.cache/gamehub; } ||
  die "no place for the build of CAF: neither GAMEHUB_CACHE nor HOME is set, so set GAMEHUB_CACHE to a folder that may be written."
{ mkdir -p "$cache" 2>/dev/null && [[ -w $cache ]]; } ||
  die "the cache $cache cannot be written: set GAMEHUB_CACHE to a folder that can."
cache=$(cd "$cache" && pwd)

compiler=${CXX:-g++}
compiler_identity=$({ "$compiler" --version && "$compiler" -dumpmachine; } 2>/dev/null) ||
  die "there is no C++ compiler '$compiler': run ./dev install, or set CXX."
command -v cmake >/dev/null || die "there is no cmake: run ./dev install."
hash=$(printf '%s\n' "$compiler_identity" "$flags" "$optimize" | sha256sum | cut -c1-10)
prefix=$cache/caf-$version-$variant-$hash
readonly cache compiler prefix

if [[ ! -d $prefix ]]; then
  # One builds, and who comes meanwhile waits and then finds it built. The system drops the lock with its
  # holder, however that ends.
  exec 9>"$prefix.lock"
  flock -n 9 || { say "another build of $variant is under way: waiting for it" && flock 9; }
  if [[ ! -d $prefix ]]; then
    # A name that stays the same lets ccache know the sources again; the lock keeps others out of it.
    scratch=$prefix.building
    rm -rf "$scratch"
    mkdir "$scratch"
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
    build "$scratch"
  fi
fi
printf '%s\n' "$prefix"
