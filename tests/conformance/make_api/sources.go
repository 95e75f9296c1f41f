package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// sources are packages of modules, read when they are first asked for.
type sources struct {
	folders map[string]string // of modules
	files   *token.FileSet
	packs   map[string]*pack
}

type pack struct {
	path  string
	names []string // of types, sorted
	types map[string]*ast.TypeSpec
	in    map[string]*ast.File // which file declares a type
	files []*ast.File
}

func newSources(folders map[string]string) *sources {
	return &sources{folders: folders, files: token.NewFileSet(), packs: map[string]*pack{}}
}

// load reads a package by its path. A package that is not there ends the program: the layout of Kubernetes has changed.
func (s *sources) load(path string) *pack {
	if loaded, ok := s.packs[path]; ok {
		return loaded
	}
	module := strings.Join(strings.SplitN(path, "/", 3)[:2], "/")
	paths, _ := filepath.Glob(filepath.Join(s.folders[module], strings.TrimPrefix(path, module), "*.go"))
	loaded := &pack{path: path, types: map[string]*ast.TypeSpec{}, in: map[string]*ast.File{}}
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(filepath.Base(name), "zz_") || strings.HasSuffix(name, ".pb.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, name, nil, parser.ParseComments)
		if err != nil {
			fail("%v", err)
		}
		loaded.add(file)
	}
	if len(loaded.files) == 0 {
		fail("no package %s in %q", path, s.folders[module])
	}
	sort.Strings(loaded.names)
	s.packs[path] = loaded
	return loaded
}

func (p *pack) add(file *ast.File) {
	p.files = append(p.files, file)
	for _, declared := range file.Decls {
		general, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			if named, ok := spec.(*ast.TypeSpec); ok {
				p.names = append(p.names, named.Name.Name)
				p.types[named.Name.Name], p.in[named.Name.Name] = named, file
			}
		}
	}
}

// imported is the path of the package that a file calls by that name; without a name of its own, it is the last part of the path.
func imported(file *ast.File, name string) string {
	for _, used := range file.Imports {
		path, _ := strconv.Unquote(used.Path.Value)
		if used.Name != nil && used.Name.Name == name || used.Name == nil && filepath.Base(path) == name {
			return path
		}
	}
	fail("nothing is imported as %s", name)
	return ""
}

// literals are the texts within a node, in their order.
func literals(node ast.Node) (texts []string) {
	ast.Inspect(node, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "make_api: "+format+"\n", arguments...)
	os.Exit(1)
}
