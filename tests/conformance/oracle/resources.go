package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/registry/rest"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// resource is what the API server registers for a kind.
type resource struct {
	name   string
	main   rest.RESTCreateUpdateStrategy
	status rest.RESTUpdateStrategy // nil without a status subresource
}

// resources is what every version has. What differs is added by functions of which each version has one: claims, taintRules and others.
func resources() map[string]resource {
	all := map[string]resource{
		"CSIDriver":             {"csidrivers", csidriver.Strategy, nil},
		"CSINode":               {"csinodes", csinode.Strategy, nil},
		"CSIStorageCapacity":    {"csistoragecapacities", csistoragecapacity.Strategy, nil},
		"DeviceClass":           {"deviceclasses", deviceclass.Strategy, nil},
		"ResourceSlice":         {"resourceslices", resourceslice.Strategy, nil},
		"StorageClass":          {"storageclasses", storageclass.Strategy, nil},
		"VolumeAttachment":      {"volumeattachments", volumeattachment.Strategy, volumeattachment.StatusStrategy},
		"VolumeAttributesClass": {"volumeattributesclasses", volumeattributesclass.Strategy, nil},
	}
	addClaims(all)
	addTaintRules(all)
	addNewer(all)
	return all
}

// namespaces has every namespace, and each allows admin access: a case is about an object, not about the namespace around it.
type namespaces struct {
	corev1client.NamespaceInterface
}

func (namespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	labels := map[string]string{"resource.kubernetes.io/admin-access": "true"}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, nil
}
