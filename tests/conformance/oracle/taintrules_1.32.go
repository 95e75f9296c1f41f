//go:build kubernetes1.32

package main

// addTaintRules: 1.32 has none.
func addTaintRules(map[string]resource) {}
