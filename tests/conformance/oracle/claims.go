//go:build since1.33 && !since1.36

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

func addClaims(all map[string]resource) {
	strategy := resourceclaim.NewStrategy(namespaces{})
	all["ResourceClaim"] = resource{"resourceclaims", strategy, resourceclaim.NewStatusStrategy(strategy)}
	all["ResourceClaimTemplate"] = resource{"resourceclaimtemplates", resourceclaimtemplate.NewStrategy(namespaces{}), nil}
}
