#!/usr/bin/env bash
# program.sh GAMEHUB FOLDER: copies what the image takes of a build into the folder: the program and gamehub-tools from
# the same folder, without their symbols, the names of the Debian packages of the libraries that they are linked to, and
# the certificates of authorities for TLS (not their package, which brings the openssl command and 2 MiB).
set -euo pipefail

mkdir -p "$2"
tools=$(dirname "$1")/gamehub-tools
if [[ ! -x $tools ]]; then
  printf 'image: there is no %s: build it with ./dev build release gamehub gamehub-tools.\n' "$tools" >&2
  exit 1
fi
for program in "$1" "$tools"; do
  name=gamehub
  [[ $program != "$tools" ]] || name=gamehub-tools
  strip -o "$2/$name" "$program"
  chmod 0755 "$2/$name"
done
libraries=$(ldd "$1" "$tools" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u)
for library in $libraries; do
  # On some releases of Debian the folders of libraries are symbolic links, and a package lists only one of the names.
  for path in "$library" "/usr$library" "${library#/usr}"; do
    if owner=$(dpkg -S "$path" 2>/dev/null); then break; fi
  done
  printf '%s\n' "${owner%%:*}"
done | sort -u >"$2/packages"
install -m 0644 /etc/ssl/certs/ca-certificates.crt "$2/authorities.crt"
