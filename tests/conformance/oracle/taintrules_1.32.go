//go:build !since1.33

package main

// addTaintRules: 1.32 has none.
func addTaintRules(map[string]resource) {}
