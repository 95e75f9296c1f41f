//go:build since1.36

package main

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
)

// addClaims: since 1.36 it is asked who may write which part of a claim's status.
func addClaims(all map[string]resource) {
	strategy := resourceclaim.NewStrategy(namespaces{}, allow{})
	all["ResourceClaim"] = resource{"resourceclaims", strategy, resourceclaim.NewStatusStrategy(strategy)}
	all["ResourceClaimTemplate"] = resource{"resourceclaimtemplates", resourceclaimtemplate.NewStrategy(namespaces{}), nil}
}

// allow lets everybody do everything.
type allow struct{}

func (allow) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}
