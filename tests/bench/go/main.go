// A validating webhook as lean as Kubernetes' own code lets one write it: encoding/json for the review, the scheme's codec for
// the objects (decoded, defaulted, made internal), the hand-written validators, nothing else. The peer of `make bench`.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"

	admission "k8s.io/api/admission/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	resourcerules "k8s.io/kubernetes/pkg/apis/resource/validation"
	"k8s.io/kubernetes/pkg/apis/storage"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	storagerules "k8s.io/kubernetes/pkg/apis/storage/validation"
)

const mostBytes = 8 << 20 // of a body, as drawbridge takes them

var codec = legacyscheme.Codecs.CodecForVersions(nil,
	serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme, serializer.SerializerOptions{}),
	nil, runtime.InternalGroupVersioner)

// decode returns nil without an error for no object.
func decode(raw runtime.RawExtension) (runtime.Object, error) {
	if len(raw.Raw) == 0 {
		return nil, nil
	}
	object, _, err := codec.Decode(raw.Raw, nil, nil)
	return object, err
}

// validateNew runs what Kubernetes runs when an object is created; kinds without validators here are allowed.
func validateNew(object runtime.Object) field.ErrorList {
	switch object := object.(type) {
	case *storage.CSIDriver:
		return storagerules.ValidateCSIDriver(object)
	case *storage.StorageClass:
		return storagerules.ValidateStorageClass(object)
	case *resource.DeviceClass:
		return resourcerules.ValidateDeviceClass(object)
	case *resource.ResourceClaim:
		return resourcerules.ValidateResourceClaim(object)
	case *resource.ResourceSlice:
		return resourcerules.ValidateResourceSlice(object)
	}
	return nil
}

// validateChange does the same for an update; nil, false when old and new are of different kinds.
func validateChange(object, before runtime.Object) (field.ErrorList, bool) {
	switch object := object.(type) {
	case *storage.CSIDriver:
		if before, ok := before.(*storage.CSIDriver); ok {
			return storagerules.ValidateCSIDriverUpdate(object, before), true
		}
	case *storage.StorageClass:
		if before, ok := before.(*storage.StorageClass); ok {
			return storagerules.ValidateStorageClassUpdate(object, before), true
		}
	case *resource.DeviceClass:
		if before, ok := before.(*resource.DeviceClass); ok {
			return resourcerules.ValidateDeviceClassUpdate(object, before), true
		}
	case *resource.ResourceClaim:
		if before, ok := before.(*resource.ResourceClaim); ok {
			return resourcerules.ValidateResourceClaimUpdate(object, before), true
		}
	case *resource.ResourceSlice:
		if before, ok := before.(*resource.ResourceSlice); ok {
			return resourcerules.ValidateResourceSliceUpdate(object, before), true
		}
	default:
		return nil, true
	}
	return nil, false
}

func validate(request *admission.AdmissionRequest) (field.ErrorList, error) {
	object, err := decode(request.Object)
	if err != nil || object == nil {
		return nil, err
	}
	if request.Operation != admission.Update {
		return validateNew(object), nil
	}
	before, err := decode(request.OldObject)
	if err != nil {
		return nil, err
	}
	errors, ok := validateChange(object, before)
	if !ok {
		return nil, fmt.Errorf("object and oldObject are of different kinds")
	}
	return errors, nil
}

func refusal(request *admission.AdmissionRequest, errors field.ErrorList) *meta.Status {
	status := &meta.Status{Status: meta.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: meta.StatusReasonInvalid,
		Message: errors.ToAggregate().Error(), Details: &meta.StatusDetails{Group: request.Kind.Group, Kind: request.Kind.Kind, Name: request.Name}}
	for _, err := range errors {
		status.Details.Causes = append(status.Details.Causes, meta.StatusCause{Type: meta.CauseType(err.Type), Message: err.ErrorBody(), Field: err.Field})
	}
	return status
}

func answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var review admission.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil || review.Request == nil {
		http.Error(w, "not an AdmissionReview", http.StatusBadRequest)
		return
	}
	response := &admission.AdmissionResponse{UID: review.Request.UID}
	if errors, err := validate(review.Request); err != nil {
		response.Result = &meta.Status{Status: meta.StatusFailure, Code: http.StatusBadRequest, Message: err.Error()}
	} else if len(errors) > 0 {
		response.Result = refusal(review.Request, errors)
	} else {
		response.Allowed = true
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(&admission.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
}

func main() {
	address := flag.String("listen", "127.0.0.1:0", "HOST:PORT")
	certificate := flag.String("cert", "", "certificate chain, PEM")
	key := flag.String("key", "", "its private key, PEM")
	flag.Parse()
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening https=%s\n", listener.Addr())
	http.HandleFunc("POST /validate", answer)
	log.Fatal(http.ServeTLS(listener, http.DefaultServeMux, *certificate, *key))
}
