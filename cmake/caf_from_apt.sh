#!/usr/bin/env bash
# caf_from_apt.sh VERSION FOLDER: leaves the upstream tarball of Debian's source package of CAF as FOLDER/caf.tar.gz.
# Addresses, mirrors and proxies come from this machine's apt configuration; lists and cache are in FOLDER/apt, so
# that the machine's apt state does not change.
set -euo pipefail
version=$1 folder=$2 apt=$2/apt
command -v apt-get >/dev/null || exit 1

mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/none"
# Read after the machine's settings, so these take precedence. Its hooks after an update are for its own lists.
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
signed=''
for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
  [[ -f $keyring ]] && signed="[signed-by=$keyring] " && break
done

# Prints the addresses of the archives, those that end in /debian/ first. apt prints each source, in whatever
# format it is written, as 'scheme://host/path/dists/suite/InRelease'.
archives() {
  apt-get --print-uris update 2>/dev/null | sed -n "s|^'\([^']*/\)dists/[^']*/InRelease' .*|\1|p" |
    grep -v security | sort -u | awk '/\/debian\/$/ {print; next} {rest = rest $0 "\n"} END {printf "%s", rest}'
}

while read -r archive; do
  printf 'deb-src %s%s experimental main\n' "$signed" "$archive" >"$apt/sources.list"
  apt-get -c "$apt/apt.conf" -qq update >&2 || continue
  package_version=$(apt-cache -c "$apt/apt.conf" showsrc actor-framework 2>/dev/null |
    sed -n "s/^Version: \($version-.*\)/\1/p" | head -n 1)
  [[ -n $package_version ]] || continue
  (cd "$folder" && apt-get -c "$apt/apt.conf" -qq source --tar-only --download-only \
    "actor-framework=$package_version" >&2) || continue
  mv "$folder"/actor-framework_*.orig.tar.gz "$folder/caf.tar.gz" && exit 0
done < <(archives)
exit 1
