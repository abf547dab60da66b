#!/usr/bin/env bash
# program.sh GAMEHUB FOLDER: puts into the folder what the image takes of a build: the program without its symbols,
# and the Debian packages of the libraries that it is linked to.
set -euo pipefail

mkdir -p "$2"
strip -o "$2/gamehub" "$1"
chmod 0755 "$2/gamehub"
libraries=$(ldd "$1" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p')
for library in $libraries; do
  # Folders of libraries are links on some Debians, and a package knows its files by one of both names.
  for path in "$library" "/usr$library" "${library#/usr}"; do
    if owner=$(dpkg -S "$path" 2>/dev/null); then break; fi
  done
  printf '%s\n' "${owner%%:*}"
done | sort -u >"$2/packages"
echo ca-certificates >>"$2/packages"
