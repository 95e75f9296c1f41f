//go:build !since1.33

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// addClaims: 1.32 does not look at namespaces.
func addClaims(all map[string]resource) {
	all["ResourceClaim"] = resource{"resourceclaims", resourceclaim.Strategy, resourceclaim.StatusStrategy}
	all["ResourceClaimTemplate"] = resource{"resourceclaimtemplates", resourceclaimtemplate.Strategy, nil}
}
