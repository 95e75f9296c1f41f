//go:build !since1.36

package main

// addNewer adds what came with 1.36 and later.
func addNewer(map[string]resource) {}
