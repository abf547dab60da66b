#!/usr/bin/env bash
# install_packages.sh GROUP...: installs what this machine lacks of these groups of cmake/packages.txt.
# ./dev install runs it; GAMEHUB_CACHE is set there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf 'install: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# Prints the unmet needs of the groups, one per line. Any alternative meets a need.
unmet_needs() {
  local installed group='' need alternative met
  installed=$'\n'$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null |
    sed -n 's/^installed //p')$'\n'
  while read -r need _; do
    [[ -n $need && $need != '#'* ]] || continue
    if [[ $need == '['* ]]; then
      group=${need//[\[\]]/}
      continue
    fi
    [[ " $* " == *" $group "* ]] || continue
    met=''
    for alternative in ${need//|/ }; do
      if [[ $alternative == *@* ]]; then
        command -v "${alternative%@*}" >/dev/null && met=yes
      else
        [[ $installed == *$'\n'$alternative$'\n'* ]] && met=yes
      fi
    done
    [[ -n $met ]] || printf '%s\n' "$need"
  done <packages.txt
}

as_root() {
  local sudo=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || die "installing packages needs root, and there is no sudo: run as root: $*"
    sudo=(sudo)
    [[ ${CI:-} == true ]] && sudo+=(-n)
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >&2
}

# Prints for each need the first package that apt can install; fails if a need has none.
choose_packages() {
  local need alternative chosen known
  for need in "$@"; do
    chosen=''
    for alternative in ${need//|/ }; do
      known=$(apt-cache policy "${alternative#*@}" 2>/dev/null | sed -n 's/^ *Candidate: //p')
      [[ -n $known && $known != '(none)' && -z $chosen ]] && chosen=$alternative
    done
    [[ -n $chosen ]] || { say "apt knows no package for $need" && return 1; }
    printf '%s\n' "$chosen"
  done
}

# Extracts one program from a package that would start a service if it were installed.
extract_tool() {
  local tool=${1%@*} package=${1#*@} scratch
  mkdir -p "$GAMEHUB_CACHE/tools"
  scratch=$(mktemp -d "$GAMEHUB_CACHE/tool-XXXXXX")
  (cd "$scratch" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package" >&2 &&
    dpkg-deb -x "$package"_*.deb files && mv "files/usr/bin/$tool" "$GAMEHUB_CACHE/tools/$tool") || true
  rm -rf "$scratch"
  command -v "$tool" >/dev/null ||
    die "the package $package gave no program $tool: install it another way, anywhere in PATH."
}

# The package postgresql creates a database and starts it, unless this file says otherwise. A file that is there
# is the operator's, and is not changed.
cluster_conf=/etc/postgresql-common/createcluster.conf
forbid_cluster() {
  [[ ! -e $cluster_conf ]] || return 1
  printf 'create_main_cluster = false\n' | as_root install -D -m 644 /dev/stdin "$cluster_conf"
}

# Replaces what forbid_cluster wrote by what the package has; if that was not installed, by nothing.
allow_cluster() {
  local packaged=/usr/share/postgresql-common/createcluster.conf
  if [[ -e $packaged ]]; then as_root cp "$packaged" "$cluster_conf"; else as_root rm -f "$cluster_conf"; fi
}

install_groups() {
  local unmet chosen item
  local -a needs packages=() tools=() apt_install
  unmet=$(unmet_needs "$@")
  [[ -n $unmet ]] || return 0
  mapfile -t needs <<<"$unmet"
  command -v apt-get >/dev/null ||
    die "this machine has no apt-get: install by hand the packages in cmake/packages.txt (missing: ${needs[*]})."
  say "installing ${needs[*]}"
  if ! chosen=$(choose_packages "${needs[@]}" 2>/dev/null); then
    as_root apt-get -qq update
    chosen=$(choose_packages "${needs[@]}") ||
      die "./dev install knows Debian 12 and 13: on another system, add its package's name in cmake/packages.txt."
  fi
  for item in $chosen; do
    if [[ $item == *@* ]]; then tools+=("$item"); else packages+=("$item"); fi
  done
  if [[ " ${packages[*]} " == *' postgresql '* ]] && forbid_cluster; then trap allow_cluster EXIT; fi
  if ((${#packages[@]})); then
    apt_install=(apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0
      install --no-install-recommends "${packages[@]}")
    # Old lists name packages that the archive no longer has.
    as_root "${apt_install[@]}" || { as_root apt-get -qq update && as_root "${apt_install[@]}"; } ||
      die "apt could not install ${packages[*]}: its reason is above."
  fi
  for item in "${tools[@]}"; do extract_tool "$item"; done
}

install_groups "$@"
