package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Case is a request to the API server. OldObject is there in updates only.
type Case struct {
	ID          string          `json:"id"`
	Operation   string          `json:"op"`  // CREATE or UPDATE
	Subresource string          `json:"sub"` // "" or "status"
	Object      json.RawMessage `json:"object"`
	OldObject   json.RawMessage `json:"oldObject,omitempty"`
}

// What the API server decides.
const (
	allowed     = "allowed"
	denied      = "denied"      // with causes
	undecodable = "undecodable" // a value of a wrong type, which stops everything
	notServed   = "not-served"  // no such kind in this API version, or no such subresource
	failed      = "error"       // the question could not be answered; Error says why
)

// Cause is one reason of a denial.
type Cause struct {
	Field   string `json:"field"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Verdict is the answer to a Case.
type Verdict struct {
	ID       string   `json:"id"`
	Outcome  string   `json:"outcome"`
	Causes   []Cause  `json:"causes,omitempty"`
	Unknown  []string `json:"unknown,omitempty"`  // paths of fields that Kubernetes does not know
	Repeated []string `json:"repeated,omitempty"` // paths of members that are there twice
	Warnings []string `json:"warnings,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// readCase makes a case of a manifest, and of its older state if there is one.
func readCase(path, oldPath string, status bool) (*Case, error) {
	if status && oldPath == "" {
		return nil, errors.New("a status is only ever updated: name the older object, too")
	}
	c := &Case{Operation: "CREATE"}
	var err error
	if c.Object, err = readManifest(path); err != nil {
		return nil, err
	}
	if oldPath == "" {
		return c, nil
	}
	c.Operation = "UPDATE"
	if status {
		c.Subresource = "status"
	}
	c.OldObject, err = readManifest(oldPath)
	return c, err
}

// readManifest reads one object as kubectl does: JSON stays as it is, YAML becomes JSON.
func readManifest(path string) (json.RawMessage, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	objects, err := readDocuments(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s: %d objects; a case is about one", path, len(objects))
	}
	var head metav1.TypeMeta
	if err := json.Unmarshal(objects[0], &head); err != nil || head.APIVersion == "" || head.Kind == "" {
		return nil, fmt.Errorf("%s: not an object with apiVersion and kind", path)
	}
	return objects[0], nil
}

// readDocuments cuts a manifest at its `---` lines. Empty documents are left out.
func readDocuments(text []byte) (objects []json.RawMessage, err error) {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if !json.Valid(document) {
			if document, err = yaml.YAMLToJSON(document); err != nil {
				return nil, err
			}
		}
		if string(document) != "null" {
			objects = append(objects, document)
		}
	}
}
