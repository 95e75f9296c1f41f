// Cel says what the compiler of device selectors in a Kubernetes API server makes of CEL expressions, and what they are on devices. It links that
// compiler, which is also the evaluator of the scheduler.
//
//	cel [-new] [-devices FILE] [-times N] < expressions.jsonl > answers.jsonl
//	cel -measure SECONDS -devices FILE < expressions.jsonl
//
// A line of input is {"expression": TEXT}; a line of output {"class": CLASS, ...}, as ../../cel_print.c prints it:
//
//	ok, too-costly                    with "type" and "maxCost"
//	syntax, check, result-type        with "errors": [["LINE:COLUMN", TEXT], ...], in the order in which they are shown
//	too-long
//	panic                             the compiler panics
//	slow                              it takes more than -seconds; the program ends then
//	unstable                          it answers otherwise when it is asked again
//
// With -devices, a list of {"name", "driver", "device"} in JSON, ok and too-costly also have "eval": for each device "true COST", "false COST" or
// "error COST"; or "unstable", where it answers otherwise when it is asked again. Each evaluation has fresh copies of the devices, as some
// functions change the quantities that they are called on.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/cel-go/cel"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

type answer struct {
	Class   string      `json:"class"`
	Errors  [][2]string `json:"errors,omitempty"`
	Type    string      `json:"type,omitempty"`
	MaxCost string      `json:"maxCost,omitempty"`
	Eval    []string    `json:"eval,omitempty"`
}

type device struct {
	Driver string             `json:"driver"`
	Device resourceapi.Device `json:"device"`
}

var devices []device
var options dracel.Options

// compile is what the API server does with an expression, every feature gate on: one that is stored already, for which every function is there,
// or, with -new, one that is created or changed.
func compile(expression string) dracel.CompilationResult {
	var features dracel.Features // of each version other gates
	gates := reflect.ValueOf(&features).Elem()
	for i := 0; i < gates.NumField(); i++ {
		gates.Field(i).SetBool(true)
	}
	return dracel.GetCompiler(features).CompileCELExpression(expression, options)
}

// errorsOf are the errors of grammar and types, which a result has only as one text.
func errorsOf(environment *cel.Env, expression string) [][2]string {
	_, issues := environment.Compile(expression)
	if issues == nil {
		return nil
	}
	found := issues.Errors()
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i].Location, found[j].Location
		return a.Line() < b.Line() || a.Line() == b.Line() && a.Column() < b.Column()
	})
	var errors [][2]string
	for _, one := range found {
		errors = append(errors, [2]string{fmt.Sprintf("%d:%d", one.Location.Line(), one.Location.Column()+1), one.Message})
	}
	return errors
}

func classOf(errors [][2]string) string {
	for _, one := range errors {
		if strings.HasPrefix(one[1], "Syntax error: ") {
			return "syntax"
		}
	}
	return "check"
}

// evaluate is what the scheduler does with an expression that compiles, for each device.
func evaluate(result dracel.CompilationResult) (said []string) {
	for _, one := range devices {
		fresh := one.Device.DeepCopy()
		matches, details, err := result.DeviceMatches(context.Background(), dracel.Device{Driver: one.Driver,
			AllowMultipleAllocations: fresh.AllowMultipleAllocations, Attributes: fresh.Attributes, Capacity: fresh.Capacity})
		words, cost := strconv.FormatBool(matches), uint64(0)
		if err != nil {
			words = "error"
		}
		if details != nil && details.ActualCost() != nil {
			cost = *details.ActualCost()
		}
		said = append(said, words+" "+strconv.FormatUint(cost, 10))
	}
	return said
}

func ask(environment *cel.Env, expression string) (said answer) {
	defer func() {
		if recover() != nil {
			said = answer{Class: "panic"}
		}
	}()
	if len(expression) > resourceapi.CELSelectorExpressionMaxLength {
		return answer{Class: "too-long"}
	}
	result := compile(expression)
	if result.Error == nil {
		said = answer{Class: "ok", Type: result.OutputType.String(), MaxCost: strconv.FormatUint(result.MaxCost, 10)}
		if result.MaxCost > resourceapi.CELSelectorExpressionMaxCost {
			said.Class = "too-costly"
		}
		said.Eval = evaluate(result)
		return said
	}
	if errors := errorsOf(environment, expression); errors != nil {
		return answer{Class: classOf(errors), Errors: errors}
	}
	said = answer{Class: "check", Errors: [][2]string{{"-1:0", result.Error.Detail}}}
	if strings.HasPrefix(result.Error.Detail, "must evaluate to ") {
		said.Class = "result-type"
	}
	return said
}

func text(said answer) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(said); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// again asks several times, and says what is not alike.
func again(environment *cel.Env, expression string, times int) []byte {
	said := ask(environment, expression)
	for i := 1; i < times; i++ {
		other := ask(environment, expression)
		if len(said.Eval) == len(other.Eval) {
			for j := range said.Eval {
				if said.Eval[j] != other.Eval[j] {
					said.Eval[j], other.Eval[j] = "unstable", "unstable"
				}
			}
		}
		if !bytes.Equal(text(said), text(other)) {
			return text(answer{Class: "unstable"})
		}
	}
	return text(said)
}

func answerAll(lines *bufio.Reader, seconds, times int) {
	environment := compile("true").Environment
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked struct{ Expression string }
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		said := make(chan []byte, 1)
		go func() { said <- again(environment, asked.Expression, times) }()
		select {
		case line = <-said:
			os.Stdout.Write(line)
		case <-time.After(time.Duration(seconds) * time.Second):
			os.Stdout.Write(text(answer{Class: "slow"}))
			return
		}
	}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// perRound is the microseconds of processor time that one round takes.
func perRound(seconds float64, round func()) float64 {
	round()
	count, start := 0, processorTime()
	for processorTime()-start < time.Duration(seconds*float64(time.Second)) {
		round()
		count++
	}
	return float64((processorTime() - start).Nanoseconds()) / 1000 / float64(count)
}

// measure prints what it takes to compile one expression, and to match the first device with it.
func measure(lines *bufio.Reader, seconds float64) {
	line, err := lines.ReadBytes('\n')
	var asked struct{ Expression string }
	if err == nil {
		err = json.Unmarshal(line, &asked)
	}
	if err != nil {
		panic(err)
	}
	one := devices[0]
	device := dracel.Device{Driver: one.Driver, AllowMultipleAllocations: one.Device.AllowMultipleAllocations,
		Attributes: one.Device.Attributes, Capacity: one.Device.Capacity}
	result := compile(asked.Expression)
	compiling := perRound(seconds, func() { compile(asked.Expression) })
	matching := perRound(seconds, func() {
		if matches, _, err := result.DeviceMatches(context.Background(), device); err != nil || !matches {
			panic("the selector is not true for the device")
		}
	})
	fmt.Printf("%.3f %.3f\n", compiling, matching)
}

func main() {
	seconds := flag.Int("seconds", 20, "that an expression may take")
	measured := flag.Float64("measure", 0, "print what compiling and matching take, measured over so many `seconds` each")
	times := flag.Int("times", 2, "that each expression is asked")
	file := flag.String("devices", "", "a `file` with devices to evaluate on")
	created := flag.Bool("new", false, "expressions are created, not stored: functions that are new in this version are not there")
	flag.Parse()
	if *created {
		kind := environment.NewExpressions
		options.EnvType = &kind
	}
	if *file != "" {
		data, err := os.ReadFile(*file)
		if err == nil {
			err = json.Unmarshal(data, &devices)
		}
		if err != nil {
			panic(err)
		}
	}
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	if *measured > 0 {
		measure(lines, *measured)
	} else {
		answerAll(lines, *seconds, *times)
	}
}
