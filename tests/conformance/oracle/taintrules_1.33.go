//go:build since1.33 && !since1.35

package main

import "k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

// addTaintRules: the status came with 1.35.
func addTaintRules(all map[string]resource) {
	all["DeviceTaintRule"] = resource{"devicetaintrules", devicetaintrule.Strategy, nil}
}
