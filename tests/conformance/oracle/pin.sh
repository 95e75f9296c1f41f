#!/bin/sh
# Pins the modules of one version of Kubernetes: go.mod for 1.35, versions/MINOR.mod for the others, and the .sum beside it.
# Ask for a version by name; `go list -m -versions` does not show all of them. Sources are built with the tags since1.33 to that of the
# version, so that those of the newest one serve the next one, too.
#
#   pin.sh 1.36.3
set -eu
cd "$(dirname "$0")"
case ${1-} in 1.[3-9][0-9].[0-9]*) ;; *) echo "pin.sh: '${1-}' is no version of Kubernetes such as 1.37.1" >&2; exit 2 ;; esac
version=$1 minor=$(echo "$1" | cut -d . -f 1,2)
file=versions/$minor.mod
[ "$minor" != 1.35 ] || file=go.mod
answer=$(go mod download -json "k8s.io/kubernetes@v$version") || { printf '%s\n' "$answer" | sed -n 's/.*"Error": "\(.*\)"/pin.sh: \1/p' >&2; exit 2; }
kubernetes=$(printf '%s\n' "$answer" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
new=versions/new.mod
trap 'rm -f "$new" "${new%.mod}.sum"' EXIT
{
  printf 'module drawbridge/tests/conformance/oracle\n\n'
  grep '^go ' "$kubernetes"
  printf '\nrequire k8s.io/kubernetes v%s\n\n' "$version"
  # Kubernetes replaces its own modules by folders; here they are the published ones.
  sed -n '/^replace (/,/^)/p' "$kubernetes" | sed "s|=> \./staging/src/\(.*\)|=> \1 v0.${version#1.}|"
} > "$new"
: > "${new%.mod}.sum"
programs=.
[ "$file" != go.mod ] || programs=./...
CGO_ENABLED=0 go list -deps -mod=mod -modfile="$new" -tags="$(seq -s , -f 'since1.%g' 33 "${minor#1.}")" $programs > /dev/null
mv "$new" "$file"
mv "${new%.mod}.sum" "${file%.mod}.sum"
