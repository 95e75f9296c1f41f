// Decides, with the API server's own code, which webhook entries a request is sent to: by match conditions alone.
//
//	conditions CONFIGURATION.json < CASES
//
// CASES are JSON objects, one a line: operation, namespace, subresource, user, groups, object, old. Each is answered by a
// line: the names of the entries that match, with spaces between them, or "error: " and the reason.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/kubernetes/scheme"
)

type request struct {
	Operation, Namespace, Subresource, User string
	Groups                                  []string
	Object, Old                             map[string]any
}

// Of the Go type that an API server has; nil where it has none.
func object(content map[string]any) runtime.Object {
	if content == nil {
		return nil
	}
	typed, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(content["apiVersion"].(string), content["kind"].(string)))
	fail(err)
	fail(runtime.DefaultUnstructuredConverter.FromUnstructured(content, typed))
	return typed
}

func attributes(r request) *admission.VersionedAttributes {
	kind := schema.GroupVersionKind{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"}
	resource := schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}
	who := &user.DefaultInfo{Name: r.User, Groups: r.Groups}
	plain := admission.NewAttributesRecord(object(r.Object), object(r.Old), kind, r.Namespace, "a", resource, r.Subresource,
		admission.Operation(r.Operation), nil, false, who)
	return &admission.VersionedAttributes{Attributes: plain, VersionedObject: admission.NewLazyObject(object(r.Object)),
		VersionedOldObject: admission.NewLazyObject(object(r.Old)), VersionedKind: kind}
}

func compile(configuration v1.ValidatingWebhookConfiguration) []webhook.WebhookAccessor {
	var entries []webhook.WebhookAccessor
	for i := range configuration.Webhooks {
		entry := &configuration.Webhooks[i]
		entries = append(entries, webhook.NewValidatingWebhookAccessor(entry.Name, configuration.Name, entry))
	}
	return entries
}

func answer(entries []webhook.WebhookAccessor, compiler cel.ConditionCompiler, r request) string {
	var names []string
	for _, entry := range entries {
		result := entry.GetCompiledMatcher(compiler).Match(context.Background(), attributes(r), nil, nil)
		if result.Error != nil {
			return "error: " + strings.ReplaceAll(result.Error.Error(), "\n", " ")
		}
		if result.Matches {
			names = append(names, entry.GetName())
		}
	}
	return strings.Join(names, " ")
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var configuration v1.ValidatingWebhookConfiguration
	text, err := os.ReadFile(os.Args[1])
	fail(err)
	fail(json.Unmarshal(text, &configuration))
	entries := compile(configuration)
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r request
		fail(json.Unmarshal(lines.Bytes(), &r))
		fmt.Println(answer(entries, compiler, r))
	}
	fail(lines.Err())
}
