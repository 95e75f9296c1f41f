// Make_api reads what one version of Kubernetes says about its storage and device kinds in its sources: ../api_table.py says what is kept of it.
//
//	go run main.go API APIMACHINERY KUBERNETES
//
// with the folders of these modules. It prints lines of three columns and a fourth with feature gates:
//
//	storage.k8s.io/v1 CSIDriver    .                    csidrivers                     a kind that is served, and /status
//	storage.k8s.io/v1 CSIDriver    spec.attachRequired  *boolean                       a field: its type in JSON, * where Go has a pointer
//	gate                           DRAAdminAccess       1.32 alpha off, 1.34 beta on   a gate that these kinds name or ask for
//
// The fields of every metadata are those of `meta/v1 ObjectMeta`. It needs the standard library alone, and builds nothing of Kubernetes.
package main

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var groups = []string{"resource", "storage"}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: make_api API APIMACHINERY KUBERNETES")
		os.Exit(2)
	}
	sources := newSources(map[string]string{"k8s.io/api": os.Args[1], "k8s.io/apimachinery": os.Args[2], "k8s.io/kubernetes": os.Args[3]})
	named := map[string]bool{}
	for _, group := range groups {
		printGroup(sources, group, named)
	}
	meta := sources.load("k8s.io/apimachinery/pkg/apis/meta/v1")
	printer := fieldPrinter{sources: sources, kind: "meta/v1 ObjectMeta", named: named}
	printer.printStruct(meta, meta.types["ObjectMeta"].Type.(*ast.StructType), "", nil)
	printGates(sources, named)
}

// printGroup prints the kinds of a group that API servers serve, with their fields.
func printGroup(sources *sources, group string, named map[string]bool) {
	for _, served := range servedResources(sources, group) {
		pack := sources.load("k8s.io/api/" + group + "/" + served.version)
		for _, name := range pack.names {
			structure, ok := pack.types[name].Type.(*ast.StructType)
			if !ok || plural(name) != served.resource {
				continue
			}
			printer := fieldPrinter{sources: sources, kind: group + ".k8s.io/" + served.version + " " + name, named: named}
			line(printer.kind, ".", served.resource+served.status, "")
			printer.printStruct(pack, structure, "", []string{name})
		}
	}
}

type servedResource struct{ version, resource, status string }

// servedResources reads pkg/registry/GROUP/rest: in the function v1Storage, `if resource := "csidrivers"; …` adds that resource to the
// version, and `resource+"/status"` its status.
func servedResources(sources *sources, group string) (found []servedResource) {
	pack := sources.load("k8s.io/kubernetes/pkg/registry/" + group + "/rest")
	function := regexp.MustCompile(`^(v\d\w*)Storage$`)
	for _, file := range pack.files {
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok || !function.MatchString(f.Name.Name) {
				continue
			}
			version := function.FindStringSubmatch(f.Name.Name)[1]
			ast.Inspect(f.Body, func(node ast.Node) bool {
				if condition, ok := node.(*ast.IfStmt); ok {
					if texts := literals(condition); len(texts) > 0 && !strings.HasPrefix(texts[0], "/") {
						found = append(found, servedResource{version, texts[0], strings.Join(texts[1:], "")})
					}
				}
				return true
			})
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].version < found[j].version })
	return found
}

// plural is the resource of a kind, as Kubernetes forms it.
func plural(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

func line(columns ...string) { fmt.Println(strings.Join(columns, "\t")) }

// usedGates adds the gates that the code of the groups asks for, as features.X, and those that comments name.
func usedGates(sources *sources, named map[string]bool) {
	asked := regexp.MustCompile(`\bfeatures\.(\w+)|\+featureGate=(\w+)`)
	for _, group := range groups {
		for _, folder := range []string{"k8s.io/api", "k8s.io/kubernetes/pkg/apis", "k8s.io/kubernetes/pkg/registry"} {
			module := strings.Join(strings.SplitN(folder, "/", 3)[:2], "/")
			root := filepath.Join(sources.folders[module], strings.TrimPrefix(folder, module), group)
			filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
					text, _ := os.ReadFile(path)
					for _, match := range asked.FindAllStringSubmatch(string(text), -1) {
						named[match[1]+match[2]] = true
					}
				}
				return nil
			})
		}
	}
}
