#!/bin/sh
# Pins the modules of one version of Kubernetes: go.mod for 1.35, versions/MINOR.mod for the others, and the .sum beside it.
# Ask for a version by name; `go list -m -versions` does not show all of them.
#
#   pin.sh 1.36.3
set -eu
cd "$(dirname "$0")"
version=$1 minor=${1%.*}
file=versions/$minor.mod
[ "$minor" != 1.35 ] || file=go.mod
kubernetes=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
  printf 'module drawbridge/tests/conformance/oracle\n\n'
  grep '^go ' "$kubernetes"
  printf '\nrequire k8s.io/kubernetes v%s\n\n' "$version"
  # Kubernetes replaces its own modules by folders; here they are the published ones.
  sed -n '/^replace (/,/^)/p' "$kubernetes" | sed "s|=> \./staging/src/\(.*\)|=> \1 v0.${version#1.}|"
} > "$file"
: > "${file%.mod}.sum"
CGO_ENABLED=0 go build -trimpath -mod=mod -modfile="$file" -tags="kubernetes$minor" -o /dev/null .
