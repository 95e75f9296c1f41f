//go:build since1.37

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
)

// addNewer adds what came with 1.36 and 1.37.
func addNewer(all map[string]resource) {
	all["ResourcePoolStatusRequest"] = resource{
		"resourcepoolstatusrequests", resourcepoolstatusrequest.Strategy, resourcepoolstatusrequest.StatusStrategy,
	}
	all["CSINode"] = resource{"csinodes", csinode.Strategy, csinode.StatusStrategy}
}
