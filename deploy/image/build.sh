#!/usr/bin/env bash
# ./dev image runs this: builds deploy/image/Dockerfile with docker, podman or buildah.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'USAGE'
./dev image [OPTION...] [-- BUILDER ARG...]
  --tag NAME       of the image (localhost/gamehub:dev)
  --base IMAGE     the Debian to build on and run on (debian:bookworm-slim)
  --program FILE   use this gamehub, and the gamehub-tools in its folder, built on the same release of Debian,
                   instead of building them in a container
  --builder NAME   docker, podman or buildah (the first that works)
USAGE
}

die() {
  printf 'image: %s\n' "$*" >&2
  exit "${code:-1}"
}

tag=localhost/gamehub:dev base='' program='' builder=''
while (($#)); do
  case $1 in
    --tag | --base | --program | --builder)
      (($# > 1)) || code=2 die "$1 has no value."
      declare "${1#--}=$2"
      shift 2
      ;;
    -h | --help)
      usage
      exit
      ;;
    --)
      shift
      break
      ;;
    *) code=2 die "there is no option '$1': ./dev image --help lists them." ;;
  esac
done

if [[ -z $builder ]]; then
  for each in docker podman buildah; do
    # Docker's client may be installed without a running daemon.
    "$each" info >/dev/null 2>&1 && builder=$each && break
  done
  [[ -n $builder ]] || die "there is no docker, podman or buildah that works here: install one, such as buildah."
fi

version=$(sed -n 's/^project(gamehub VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
revision=$(git describe --always --dirty --abbrev=40 2>/dev/null || echo unknown)
arguments=(--tag "$tag" --build-arg "VERSION=$version" --build-arg "REVISION=$revision")
[[ -z $base ]] || arguments+=(--build-arg "DEBIAN=$base")
# The OCI format has no health check.
[[ $builder == docker ]] || arguments+=(--format docker)

file=deploy/image/Dockerfile
if [[ -n $program ]]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  deploy/image/program.sh "$program" "$scratch/build/program"
  # Only the last stage, which copies from a folder instead of the build stage.
  awk '/^FROM/ {stages++} !stages || stages == 2' "$file" >"$scratch/Dockerfile"
  file=$scratch/Dockerfile
  arguments+=(--build-context "build=$scratch/build")
fi
"$builder" build "${arguments[@]}" --file "$file" "$@" .
printf 'image: built %s with %s\n' "$tag" "$builder" >&2
