package main

import (
	"go/ast"
	"slices"
	"strings"
)

// printGates prints the gates that were named, with their stages, as kube_features.go has them: a map from gates to lists of
//
//	{Version: version.MustParse("1.34"), Default: true, PreRelease: featuregate.Beta}
//
// and another from gates to those that they need.
func printGates(sources *sources, named map[string]bool) {
	usedGates(sources, named)
	stages, needs := map[string]string{}, map[string][]string{}
	for _, file := range sources.load("k8s.io/kubernetes/pkg/features").files {
		ast.Inspect(file, func(node ast.Node) bool {
			if pair, ok := node.(*ast.KeyValueExpr); ok {
				readPair(pair, stages, needs)
			}
			return true
		})
	}
	names := []string{}
	for name := range stages {
		named[name] = named[name] || strings.HasPrefix(name, "DRA") // some of these decide whether there is a kind at all
	}
	for name := range named {
		if !named[name] {
			continue
		}
		names = append(names, name)
	}
	for i := 0; i < len(names); i++ { // grows by the gates that are needed
		for _, needed := range needs[names[i]] {
			if !slices.Contains(names, needed) {
				names = append(names, needed)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		slices.Sort(needs[name])
		if stages[name] != "" {
			line("gate", name, stages[name], strings.Join(needs[name], ","))
		}
	}
}

func readPair(pair *ast.KeyValueExpr, stages map[string]string, needs map[string][]string) {
	name, ok := pair.Key.(*ast.Ident)
	list, isList := pair.Value.(*ast.CompositeLit)
	if !ok || !isList {
		return
	}
	texts := []string{}
	for _, element := range list.Elts {
		if stage, ok := element.(*ast.CompositeLit); ok {
			texts = append(texts, stageText(stage))
		} else if needed := lastName(element); needed != "" {
			needs[name.Name] = append(needs[name.Name], needed)
		}
	}
	if len(texts) > 0 {
		stages[name.Name] = strings.Join(texts, ", ")
	}
}

// stageText is "1.34 beta on", with " locked" if nobody can change it, and " if 1.37" if it holds only for API servers that need not go back to
// a version before that one.
func stageText(stage *ast.CompositeLit) string {
	version, phase, on, locked, compatible := "", "", " off", "", ""
	for _, element := range stage.Elts {
		pair := element.(*ast.KeyValueExpr)
		switch value := lastName(pair.Value); pair.Key.(*ast.Ident).Name {
		case "Version":
			version = strings.Join(literals(pair.Value), "")
		case "PreRelease":
			phase = " " + strings.ToLower(value)
		case "Default":
			if value == "true" {
				on = " on"
			}
		case "LockToDefault":
			if value == "true" {
				locked = " locked"
			}
		case "MinCompatibilityVersion":
			compatible = " if " + strings.Join(literals(pair.Value), "")
		}
	}
	return version + phase + on + locked + compatible
}

// lastName is X of X and of package.X.
func lastName(node ast.Expr) string {
	switch typed := node.(type) {
	case *ast.Ident:
		return typed.Name
	case *ast.SelectorExpr:
		return typed.Sel.Name
	}
	return ""
}
