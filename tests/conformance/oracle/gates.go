package main

import (
	"fmt"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/kubernetes/pkg/features"
)

// everyGate turns on all gates that decide which fields of the kinds here exist, in whichever version has them: the cases are about fields,
// not about what is on by default.
const everyGate = "DRAAdminAccess=true," +
	"DRAConsumableCapacity=true," +
	"DRADerivedAttributes=true," +
	"DRADeviceBindingConditions=true," +
	"DRADeviceCompatibilityGroups=true," +
	"DRADeviceTaintRules=true," +
	"DRADeviceTaints=true," +
	"DRAExtendedResource=true," +
	"DRAFractionalCapacityRange=true," +
	"DRAListTypeAttributes=true," +
	"DRANodeAllocatableResources=true," +
	"DRAOptionalNodeOperations=true," +
	"DRAPartitionableDevices=true," +
	"DRAPartitionableDevicesType=true," +
	"DRAPrioritizedList=true," +
	"DRAResourceClaimDeviceStatus=true," +
	"DRAResourcePoolStatus=true," +
	"CSIVolumeHealth=true," +
	"MutableCSINodeAllocatableCount=true," +
	"VolumeLimitScaling=true"

// setGates sets the gates of a list that this version of Kubernetes has.
func setGates(list string) error {
	known, kept := utilfeature.DefaultMutableFeatureGate.GetAll(), []string{}
	for _, gate := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		name, _, ok := strings.Cut(gate, "=")
		if !ok {
			return fmt.Errorf("gate %q is not NAME=true or NAME=false", gate)
		}
		if _, ok := known[featuregate.Feature(name)]; ok {
			kept = append(kept, gate)
		}
	}
	return utilfeature.DefaultMutableFeatureGate.Set(strings.Join(kept, ","))
}
