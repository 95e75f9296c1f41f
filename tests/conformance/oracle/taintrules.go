//go:build since1.35

package main

import "k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

func addTaintRules(all map[string]resource) {
	all["DeviceTaintRule"] = resource{"devicetaintrules", devicetaintrule.Strategy, devicetaintrule.StatusStrategy}
}
