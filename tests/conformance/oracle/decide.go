package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// oracle answers cases with what one version of Kubernetes has registered.
type oracle struct {
	resources map[string]resource // by kind
	strict    runtime.Decoder     // says what is unknown or repeated
	internal  runtime.Decoder     // decodes, sets defaults and converts, as the API server does with a request
}

func newOracle() *oracle {
	reader := func(strict bool) runtime.Serializer {
		return k8sjson.NewSerializerWithOptions(k8sjson.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme,
			k8sjson.SerializerOptions{Strict: strict})
	}
	return &oracle{
		resources: resources(),
		strict:    reader(true),
		internal:  legacyscheme.Codecs.CodecForVersions(nil, reader(false), nil, runtime.InternalGroupVersioner),
	}
}

// decide never panics: validation code that does is part of the answer.
func (o *oracle) decide(c *Case) (verdict Verdict) {
	verdict.ID = c.ID
	defer func() {
		if reason := recover(); reason != nil {
			verdict.Outcome, verdict.Error = failed, fmt.Sprint("Kubernetes panics: ", reason)
		}
	}()
	object, gvk, err := o.internal.Decode(c.Object, nil, nil)
	if err != nil {
		verdict.Outcome, verdict.Error = undecodable, err.Error()
		if runtime.IsNotRegisteredError(err) {
			verdict.Outcome = notServed
			verdict.Error, _, _ = strings.Cut(verdict.Error, " in scheme ")
			return verdict
		}
	}
	verdict.Unknown, verdict.Repeated = o.strictErrors(c.Object)
	if err != nil {
		return verdict
	}
	resource, ok := o.resources[gvk.Kind]
	if !ok {
		verdict.Outcome, verdict.Error = failed, "the oracle has no strategy for "+gvk.String()
		return verdict
	}
	warnings := &warningRecorder{}
	ctx := warning.WithWarningRecorder(requestContext(c, resource, gvk, object.(metav1.Object)), warnings)
	switch c.Operation {
	case "CREATE":
		err = create(ctx, resource.main, object)
	case "UPDATE":
		err = o.update(ctx, c, resource, object)
	default:
		err = fmt.Errorf("op is %q, neither CREATE nor UPDATE", c.Operation)
	}
	verdict.Warnings = warnings.texts
	verdict.setOutcome(err)
	return verdict
}

// strictErrors are the paths of unknown and of repeated members.
func (o *oracle) strictErrors(object []byte) (unknown, repeated []string) {
	_, _, err := o.strict.Decode(object, nil, nil)
	found, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return nil, nil
	}
	for _, e := range found.Errors() {
		if path, ok := strings.CutPrefix(e.Error(), "unknown field "); ok {
			unknown = append(unknown, unquote(path))
		} else if path, ok := strings.CutPrefix(e.Error(), "duplicate field "); ok {
			repeated = append(repeated, unquote(path))
		}
	}
	return unknown, repeated
}

func unquote(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text
}

// requestContext is what the API server knows of a request: who asks, in which namespace, for which resource.
func requestContext(c *Case, r resource, gvk *schema.GroupVersionKind, object metav1.Object) context.Context {
	namespace := ""
	if r.main.NamespaceScoped() {
		if namespace = object.GetNamespace(); namespace == "" {
			namespace = metav1.NamespaceDefault
		}
	}
	ctx := genericapirequest.WithNamespace(context.Background(), namespace)
	ctx = genericapirequest.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, APIPrefix: "apis", APIGroup: gvk.Group, APIVersion: gvk.Version,
		Resource: r.name, Subresource: c.Subresource, Name: object.GetName(), Namespace: namespace,
	})
}

func create(ctx context.Context, strategy rest.RESTCreateUpdateStrategy, object runtime.Object) error {
	meta := object.(metav1.Object)
	rest.FillObjectMetaSystemFields(meta)
	if meta.GetGenerateName() != "" && meta.GetName() == "" {
		meta.SetName(strategy.GenerateName(meta.GetGenerateName()))
	}
	return rest.BeforeCreate(strategy, ctx, object)
}

var (
	errOldUndecodable = errors.New("the older object cannot be decoded")
	errNoStatus       = errors.New("there is no status subresource of")
)

func (o *oracle) update(ctx context.Context, c *Case, r resource, object runtime.Object) error {
	var strategy rest.RESTUpdateStrategy = r.main
	if c.Subresource == "status" {
		if strategy = r.status; strategy == nil {
			return fmt.Errorf("%w %s", errNoStatus, r.name)
		}
	}
	old, _, err := o.internal.Decode(c.OldObject, nil, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", errOldUndecodable, err)
	}
	fillStored(object.(metav1.Object), old.(metav1.Object))
	return rest.BeforeUpdate(strategy, ctx, object, old)
}

// fillStored gives the older object what every stored one has, and the new one the version that it is meant to follow.
func fillStored(meta, old metav1.Object) {
	if old.GetUID() == "" {
		old.SetUID(types.UID("11111111-1111-1111-1111-111111111111"))
	}
	if old.GetResourceVersion() == "" {
		old.SetResourceVersion("1")
	}
	if created := old.GetCreationTimestamp(); created.IsZero() {
		old.SetCreationTimestamp(metav1.NewTime(time.Unix(1_700_000_000, 0)))
	}
	if meta.GetResourceVersion() == "" {
		meta.SetResourceVersion(old.GetResourceVersion())
	}
}

// setOutcome reads the error of a strategy. Denials without causes, as of a wrong namespace, say why in Error.
func (v *Verdict) setOutcome(err error) {
	var status apierrors.APIStatus
	switch {
	case err == nil:
		v.Outcome = allowed
	case errors.Is(err, errOldUndecodable):
		v.Outcome, v.Error = undecodable, err.Error()
	case errors.Is(err, errNoStatus):
		v.Outcome, v.Error = notServed, err.Error()
	case !errors.As(err, &status):
		v.Outcome, v.Error = failed, err.Error()
	case status.Status().Reason != metav1.StatusReasonInvalid:
		v.Outcome, v.Error = denied, string(status.Status().Reason)+": "+status.Status().Message
	default:
		v.Outcome = denied
		for _, cause := range status.Status().Details.Causes {
			v.Causes = append(v.Causes, Cause{cause.Field, string(cause.Type), cause.Message})
		}
		sort.SliceStable(v.Causes, func(i, j int) bool { return v.Causes[i].Field < v.Causes[j].Field })
	}
}

type warningRecorder struct{ texts []string }

func (w *warningRecorder) AddWarning(_, text string) { w.texts = append(w.texts, text) }
