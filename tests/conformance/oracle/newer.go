//go:build !kubernetes1.36 && !kubernetes1.37

package main

// addNewer adds what came with 1.36 and later.
func addNewer(map[string]resource) {}
