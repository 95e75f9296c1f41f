// Copies the module of the allocator, so that it visits pools by driver and name. Releases before 1.36 take them as a map of Go has them,
// and answer otherwise each time; any order is one that they may take.
//
//	order MODULE MODFILE FOLDER    MODULE: where k8s.io/dynamic-resource-allocation is; MODFILE: the go.mod that requires it.
//	                               Writes FOLDER/module, and FOLDER/go.mod and go.sum to build with it
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const sorted = `package %s

import (
	"cmp"
	"maps"
	"slices"
)

func inOrder[T any](pools map[PoolID]T) []PoolID {
	return slices.SortedFunc(maps.Keys(pools), func(a, b PoolID) int {
		return cmp.Or(cmp.Compare(a.Driver.String(), b.Driver.String()), cmp.Compare(a.Pool.String(), b.Pool.String()))
	})
}
`

var loop = regexp.MustCompile(`for poolID, (\w+) := range pools \{`)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "order:", err)
		os.Exit(2)
	}
}

// order changes the loop over pools of a variant.
func order(module, variant string) {
	folder := filepath.Join(module, "structured", "internal", variant)
	path := filepath.Join(folder, "pools_"+variant+".go")
	text, err := os.ReadFile(path)
	must(err)
	if len(loop.FindAll(text, -1)) != 1 {
		must(fmt.Errorf("%s has not one loop over pools", path))
	}
	text = loop.ReplaceAll(text, []byte("for _, poolID := range inOrder(pools) {\n\t\t$1 := pools[poolID]"))
	must(os.WriteFile(path, text, 0o644))
	must(os.WriteFile(filepath.Join(folder, "order.go"), fmt.Appendf(nil, sorted, variant), 0o644))
}

// copyTree copies what is needed to build; the module cache is read-only, the copy is not.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		must(err)
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		must(os.MkdirAll(filepath.Dir(target), 0o755))
		return os.WriteFile(target, text, 0o644)
	})
}

func main() {
	if len(os.Args) != 4 {
		must(fmt.Errorf("usage: order MODULE MODFILE FOLDER"))
	}
	folder, err := filepath.Abs(os.Args[3])
	must(err)
	module := filepath.Join(folder, "module")
	must(os.RemoveAll(module))
	must(copyTree(os.Args[1], module))
	for _, variant := range []string{"stable", "incubating", "experimental"} {
		order(module, variant)
	}
	text, err := os.ReadFile(os.Args[2])
	must(err)
	text = regexp.MustCompile(`(?m)^(\s*k8s\.io/dynamic-resource-allocation => ).*$`).ReplaceAll(text, []byte("${1}"+module))
	must(os.WriteFile(filepath.Join(folder, "go.mod"), text, 0o644))
	text, err = os.ReadFile(strings.TrimSuffix(os.Args[2], ".mod") + ".sum")
	must(err)
	must(os.WriteFile(filepath.Join(folder, "go.sum"), text, 0o644))
}
