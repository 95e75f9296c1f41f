// Oracle says what a Kubernetes API server decides about an object. It links the API server's own code (decoding, defaults, conversion,
// registry strategies), so there is no server to start. ../README.md says how to use it through make.
//
//	oracle [-gates A=true,B=false] < cases.jsonl > verdicts.jsonl
//	oracle -read new.yaml [-old old.yaml] [-status] > case.jsonl
//	oracle -version
//
// The version of Kubernetes is the one in the module file that it was built with; pin.sh makes these files.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"k8s.io/klog/v2"
)

func main() {
	gates := flag.String("gates", everyGate, "feature gates; those that this version does not have are left out, empty leaves its defaults")
	read := flag.String("read", "", "print the manifest in this `file` as a case")
	old := flag.String("old", "", "with -read: the `file` with the older object, which makes the case an update")
	version := flag.Bool("version", false, "print the version of Kubernetes")
	status := flag.Bool("status", false, "with -read and -old: the update goes to the status subresource")
	flag.Parse()
	if *version {
		fmt.Println(kubernetesVersion())
		return
	}
	klog.SetSlogLogger(slog.New(slog.DiscardHandler)) // the API server's remarks to its developers
	if err := run(*gates, *read, *old, *status); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: "+err.Error())
		os.Exit(2)
	}
}

// kubernetesVersion is that of the module, as in 1.35.4.
func kubernetesVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return "unknown"
}

func run(gates, read, old string, status bool) error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if read != "" {
		c, err := readCase(read, old, status)
		if err != nil {
			return err
		}
		return encoder.Encode(c)
	}
	if err := setGates(gates); err != nil {
		return err
	}
	return decideLines(os.Stdin, encoder)
}

// decideLines reads a case from each line and writes its verdict, in the same order. A line is as long as its objects are.
func decideLines(in io.Reader, encoder *json.Encoder) error {
	oracle, lines := newOracle(), bufio.NewReaderSize(in, 1<<20)
	for number := 1; ; number++ {
		line, end := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var c Case
			if err := json.Unmarshal(line, &c); err != nil {
				return fmt.Errorf("line %d is no case: %w", number, err)
			}
			if err := encoder.Encode(oracle.decide(&c)); err != nil {
				return err
			}
		}
		if errors.Is(end, io.EOF) {
			return nil
		} else if end != nil {
			return end
		}
	}
}
