//go:build since1.36 && !since1.37

package main

import "k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest"

// addNewer adds what came with 1.36.
func addNewer(all map[string]resource) {
	all["ResourcePoolStatusRequest"] = resource{
		"resourcepoolstatusrequests", resourcepoolstatusrequest.Strategy, resourcepoolstatusrequest.StatusStrategy,
	}
}
