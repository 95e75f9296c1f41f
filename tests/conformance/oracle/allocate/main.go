// What Kubernetes' own device allocator answers, for the comparison with `drawbridge allocate --worlds`: reads worlds as lines of JSON and
// writes an answer to each, in the form of src/allocate/line.h. A world is a cluster as the scheduler knows it; gates are by name.
//
// What differs between the versions of Kubernetes is looked up by name while it runs, so that one text is for all of them. Pools are
// visited in order, which is what order.go is for.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/klog/v2"
)

type world struct {
	ID              string
	Features        []string
	Nodes           []*core.Node
	Claims          []*resource.ResourceClaim
	AllocatedClaims []*resource.ResourceClaim
	Classes         classes
	Slices          []*resource.ResourceSlice
}

type nodeAnswer struct {
	Node    string                      `json:"node"`
	OK      bool                        `json:"ok"`
	Results []resource.AllocationResult `json:"results,omitempty"`
	Error   string                      `json:"error,omitempty"`
	OnNode  bool                        `json:"onNode,omitempty"`
	Panic   bool                        `json:"panic,omitempty"`
	Timeout bool                        `json:"timeout,omitempty"`
	Calls   int64                       `json:"calls"`
}

type answer struct {
	ID      string       `json:"id"`
	Variant string       `json:"variant"`
	Error   string       `json:"error,omitempty"`
	Nodes   []nodeAnswer `json:"nodes"`
}

type classes []*resource.DeviceClass

func (list classes) List() ([]*resource.DeviceClass, error) { return list, nil }

func (list classes) Get(name string) (*resource.DeviceClass, error) {
	at := slices.IndexFunc(list, func(class *resource.DeviceClass) bool { return class.Name == name })
	if at < 0 {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: resource.GroupName, Resource: "deviceclass"}, name)
	}
	return list[at], nil
}

// switches names the fields of the allocator's features by the gates that must be on for them. Fields that a version has not are left out.
var switches = map[string][]string{
	"AdminAccess":             {"DRAAdminAccess"},
	"CompatibilityGroups":     {"DRADeviceCompatibilityGroups"},
	"ConsumableCapacity":      {"DRAConsumableCapacity"},
	"DerivedAttributes":       {"DRADerivedAttributes"},
	"DeviceBindingAndStatus":  {"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"},
	"DeviceTaints":            {"DRADeviceTaints"},
	"FractionalCapacityRange": {"DRAFractionalCapacityRange"},
	"ListTypeAttributes":      {"DRAListTypeAttributes"},
	"OptionalNodeOperations":  {"DRAOptionalNodeOperations"},
	"PartitionableDevices":    {"DRAPartitionableDevices"},
	"PrioritizedList":         {"DRAPrioritizedList"},
}

// set switches the field of that name on, if there is one.
func set(features any, name string, on bool) {
	if field := reflect.ValueOf(features).Elem().FieldByName(name); field.IsValid() {
		field.SetBool(on)
	}
}

func featuresOf(gates []string) (features structured.Features, expressions cel.Features) {
	on := sets.New(gates...)
	for field, needed := range switches {
		set(&features, field, on.HasAll(needed...))
	}
	set(&expressions, "EnableConsumableCapacity", on.Has("DRAConsumableCapacity"))
	set(&expressions, "EnableListTypeAttributes", on.Has("DRAListTypeAttributes"))
	return features, expressions
}

// stateOf gathers what is allocated as the scheduler does.
func stateOf(claims []*resource.ResourceClaim, shares bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			device := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			switch {
			case result.AdminAccess != nil && *result.AdminAccess:
			case !shares || result.ShareID == nil:
				state.AllocatedDevices.Insert(device)
			default:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(device, result.ShareID))
				if result.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, result.ConsumedCapacity))
				}
			}
		}
	}
	return state
}

// call calls a method that the interface does not have; not valid: there is none.
func call(allocator structured.Allocator, method string) reflect.Value {
	found := reflect.ValueOf(allocator).MethodByName(method)
	if !found.IsValid() {
		return found
	}
	return reflect.Indirect(found.Call(nil)[0])
}

// callsOf is how often the allocator has searched; -1: it does not count.
func callsOf(allocator structured.Allocator) int64 {
	statistics := call(allocator, "GetStats")
	if !statistics.IsValid() {
		return -1
	}
	return statistics.FieldByName("NumAllocateOneInvocations").Int()
}

// variantOf is the last part of the path of the package that the allocator is from.
func variantOf(allocator structured.Allocator) string {
	path := reflect.Indirect(reflect.ValueOf(allocator)).Type().PkgPath()
	return path[strings.LastIndex(path, "/")+1:]
}

// numberShares gives shares names in the order in which they appear; they are drawn by chance.
func numberShares(results []resource.AllocationResult) {
	number := 0
	for i := range results {
		for j := range results[i].Devices.Results {
			if result := &results[i].Devices.Results[j]; result.ShareID != nil {
				name := types.UID(fmt.Sprintf("share-%d", number))
				result.ShareID = &name
				number++
			}
		}
	}
}

func try(allocator structured.Allocator, node *core.Node, claims []*resource.ResourceClaim, patience time.Duration) (answer nodeAnswer) {
	answer.Node = node.Name
	before := callsOf(allocator)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			answer = nodeAnswer{Node: node.Name, Panic: true, Error: fmt.Sprint(reason)}
		}
		answer.Calls = -1
		if before >= 0 {
			answer.Calls = callsOf(allocator) - before
		}
	}()
	results, err := allocator.Allocate(ctx, node, claims)
	if err != nil {
		answer.Error = err.Error()
		answer.OnNode = errors.Is(err, structured.ErrFailedAllocationOnNode)
		answer.Timeout = errors.Is(err, context.DeadlineExceeded)
	} else if len(claims) > 0 && len(results) == len(claims) {
		numberShares(results)
		answer.OK, answer.Results = true, results
	}
	return answer
}

func solve(line []byte, patience time.Duration) answer {
	var given world
	if err := json.Unmarshal(line, &given); err != nil {
		return answer{Error: err.Error()}
	}
	features, expressions := featuresOf(given.Features)
	slices.SortStableFunc(given.Slices, func(a, b *resource.ResourceSlice) int { return strings.Compare(a.Name, b.Name) })
	allocator, err := structured.NewAllocator(context.Background(), features, stateOf(given.AllocatedClaims, features.ConsumableCapacity),
		given.Classes, given.Slices, cel.NewCache(100, expressions))
	if err != nil {
		return answer{ID: given.ID, Error: err.Error()}
	}
	said := answer{ID: given.ID, Variant: variantOf(allocator)}
	for _, node := range given.Nodes {
		said.Nodes = append(said.Nodes, try(allocator, node, given.Claims, patience))
	}
	return said
}

func main() {
	patience := flag.Duration("patience", 2*time.Second, "how long one node may take")
	flag.Parse()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if failure := out.Encode(solve(line, *patience)); failure != nil {
				fmt.Fprintln(os.Stderr, failure)
				os.Exit(2)
			}
		}
		if err != nil {
			return
		}
	}
}
