"""Clusters with devices and claims that chance makes, for the allocator: small, and with much that comes near to fitting.

Quantities are as an API server stores them. What newer versions of Kubernetes know, older ones ignore.
"""
import random

DRIVERS = ("gpu.acme.dev", "nic.acme.dev")
GATES = ("DRAAdminAccess", "DRAConsumableCapacity", "DRADeviceTaints", "DRAPartitionableDevices", "DRAPrioritizedList")
BINDING = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
RARE_GATES = ("DRAListTypeAttributes", "DRAFractionalCapacityRange", "DRADerivedAttributes", "DRAOptionalNodeOperations", "DRADeviceCompatibilityGroups")
AMOUNTS = ("0", "1", "2", "3", "8", "500m", "1500m", "1Ki", "1Gi", "1536Mi", "4Gi", "16Gi", "1e3", "100k", "9223372036854775807")
PLENTY = ("80Gi",) * 20
STEPS = ("1", "2", "3", "500m", "250m", "1Gi")
EXPRESSIONS = ("true", "false", "device.driver == 'gpu.acme.dev'", "device.attributes['gpu.acme.dev'].socket == 0", "'size' in device.attributes[device.driver]",
               "device.attributes[device.driver].?model.orValue('a') == 'a'", "device.capacity[device.driver].memory.compareTo(quantity('4Gi')) >= 0")
DERIVED = ("device.driver", "1", "device.attributes[device.driver].socket", "device.attributes[device.driver].?model.orValue('none')", "['a', 'b']", "[1, 2]",
           "semver('1.2.3')", "'socket' in device.attributes[device.driver]")
CONSTRAINED = ("gpu.acme.dev/socket", "nic.acme.dev/socket", "gpu.acme.dev/model", "acme.dev/root", "acme.dev/derived")
TOLERATIONS = ({"operator": "Exists"}, {"key": "broken", "operator": "Exists"}, {"key": "old", "operator": "Equal", "value": "yes", "effect": "NoSchedule"})


class Maker:
    def __init__(self, seed, minor):
        self.random = random.Random(seed)
        self.rare_gates = RARE_GATES if minor >= 37 else RARE_GATES[:minor - 35]
        self.lists = self.derives = False

    def one(self, choices):
        return self.random.choice(choices)

    def some(self, choices, least=1):
        return self.random.sample(choices, self.random.randint(least, len(choices)))

    def chance(self, probability):
        return self.random.random() < probability

    # ---- devices ----

    def attribute(self):
        plain = ({"int": self.random.randint(0, 2)}, {"string": self.one("abc")}, {"bool": True}, {"version": self.one(("1.2.3", "1.10.0"))})
        lists = ({"ints": [self.random.randint(0, 3) for _ in range(2)]}, {"strings": self.some("abc")}, {"bools": [True]}, {"versions": ["1.2.3"]})
        return self.one(lists if self.lists and self.chance(0.4) else plain)

    def policy(self):
        made = {"default": self.one(AMOUNTS)}
        if self.chance(0.3):
            return dict(made, validValues=[self.one(AMOUNTS) for _ in range(3)])
        made["validRange"] = {"min": self.one(AMOUNTS)}
        if self.chance(0.4):
            made["validRange"]["max"] = self.one(AMOUNTS)
        if self.chance(0.6):
            made["validRange"]["step"] = self.one(STEPS)
        return made

    def taint(self):
        return {"key": self.one(("broken", "old")), "value": self.one(("", "yes")), "effect": self.one(("NoSchedule", "NoExecute", "None")),
                "timeAdded": "2026-01-02T03:04:05Z"}

    def device(self, driver, number, counter_sets):
        attributes = {"socket": {"int": self.random.randint(0, 1)}, "acme.dev/root": {"string": self.one("xy")}}
        for name in ("socket", driver + "/model", "size"):
            if self.chance(0.4):
                attributes[name] = self.attribute()
        if driver + "/socket" in attributes:
            attributes.pop("socket", None)
        made = {"name": f"dev-{number}", "attributes": attributes}
        if self.chance(0.8):
            made["capacity"] = {name: {"value": self.one(AMOUNTS + PLENTY)} for name in self.one((("memory",), ("memory", "cores")))}
        if made.get("capacity") and self.chance(0.4):
            made["allowMultipleAllocations"] = True
            if self.chance(0.7):
                self.one(list(made["capacity"].values()))["requestPolicy"] = self.policy()
        if self.chance(0.15):
            made["taints"] = [self.taint()]
        if self.chance(0.1):
            made["bindingConditions"], made["bindsToNode"] = ["ready"], self.chance(0.5)
        if counter_sets and self.chance(0.8):
            made["consumesCounters"] = [self.consumption(a) for a in self.some(counter_sets) if a["counters"]][:2]
        return made

    def consumption(self, counter_set):
        made = {"counterSet": counter_set["name"], "counters": {name: {"value": self.one(AMOUNTS[:6])} for name in self.some(list(counter_set["counters"]))}}
        if self.groups and self.chance(0.7):
            made["compatibilityGroups"] = self.some("abc")[:2]
        return made

    # ---- slices ----

    def place(self, spec, nodes, at=None):
        where = self.random.random()
        if where < 0.4:
            spec["nodeName"] = at or self.one(nodes)
        elif where < 0.8:
            spec["allNodes"] = True
        else:
            spec["nodeSelector"] = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": self.some("12")}]}]}
        return spec

    def pool(self, driver, name, nodes, number):
        """The slices of a pool: sometimes one is missing, old, or of another node."""
        count, generation, first = self.one((1, 1, 2)), self.random.randint(0, 2), 0
        counter_sets = [{"name": f"set-{i}", "counters": {key: {"value": self.one(("3", "8", "4Gi"))} for key in ("memory", "slots")}}
                        for i in range(self.one((0, 0, 1, 2)))]
        made = []
        for i in range(count + bool(counter_sets)):
            spec = {"driver": driver, "pool": {"name": name, "generation": generation, "resourceSliceCount": count + bool(counter_sets)}}
            if i == count:
                self.place(spec, nodes, name)["sharedCounters"] = counter_sets
            else:
                spec["devices"] = [self.device(driver, first + j, counter_sets) for j in range(self.random.randint(2, 6))]
                first += len(spec["devices"])
                if self.chance(0.15):
                    spec["perDeviceNodeSelection"] = True
                    for device in spec["devices"]:
                        self.place(device, nodes)
                else:
                    self.place(spec, nodes, name)
            if self.skips and self.chance(0.5):
                spec["skipNodeOperations"] = ["*"]
            if self.chance(0.05):
                spec["pool"][self.one(("generation", "resourceSliceCount"))] += 1
            if not self.chance(0.03):
                made.append({"metadata": {"name": f"{self.one('abc')}-{number}-{i}"}, "spec": spec})
        return made

    # ---- claims ----

    def ask(self, exact):
        made = {"deviceClassName": self.one(("any", "gpu", "nic")), "allocationMode": "ExactCount", "count": self.one((1, 1, 1, 2, 3))}
        if self.chance(0.15):
            made.pop("count")
            made["allocationMode"] = "All"
        if self.chance(0.3):
            made["selectors"] = [{"cel": {"expression": self.one(EXPRESSIONS if self.chance(0.3) else EXPRESSIONS[:1] + EXPRESSIONS[4:6])}}]
        if self.chance(0.25):
            made["capacity"] = {"requests": {self.one(("memory", "memory", "cores")): self.one(AMOUNTS)}}
        if self.chance(0.3):
            made["tolerations"] = [self.one(TOLERATIONS)]
        if exact and self.chance(0.1):
            made["adminAccess"] = True
        if self.derives and self.chance(0.6):
            made["derivedAttributes"] = [{"name": self.one(CONSTRAINED[-2:]), "expression": self.one(DERIVED)}]
        return made

    def claim(self, number):
        requests, names = [], []
        for i in range(self.one((1, 1, 1, 2, 3))):
            name = f"r{i}"
            names.append(name)
            if self.chance(0.25):
                choices = [dict(self.ask(False), name=f"s{j}") for j in range(self.random.randint(1, 3))]
                requests.append({"name": name, "firstAvailable": choices})
                names += [f"{name}/{choice['name']}" for choice in choices]
            else:
                requests.append({"name": name, "exactly": self.ask(True)})
        devices = {"requests": requests}
        for member, probability in (("constraints", 0.3), ("config", 0.2)):
            if self.chance(probability):
                devices[member] = [self.constraint(names) if member == "constraints" else
                                   {"requests": self.some(names), "opaque": {"driver": DRIVERS[0], "parameters": {"number": number}}}]
        return {"metadata": {"name": f"claim-{number}", "namespace": "default"}, "spec": {"devices": devices}}

    def constraint(self, names):
        made = {self.one(("matchAttribute", "distinctAttribute")): self.one(CONSTRAINED)}
        if self.chance(0.4):
            made["requests"] = self.some(names)
        return made

    def held(self, slices, number):
        a_slice = self.one(slices)["spec"]
        device = self.one(a_slice.get("devices") or [{"name": "gone"}])
        result = {"request": "r0", "driver": a_slice["driver"], "pool": a_slice["pool"]["name"], "device": device["name"]}
        if device.get("allowMultipleAllocations"):
            result["shareID"] = f"00000000-0000-0000-0000-{number:012}"
            if self.chance(0.7):
                result["consumedCapacity"] = {name: self.one(AMOUNTS) for name in device["capacity"]}
        return {"metadata": {"name": f"held-{number}", "namespace": "default"}, "spec": {}, "status": {"allocation": {"devices": {"results": [result]}}}}

    # ---- the whole ----

    def world(self, number):
        gates = [gate for gate in GATES if self.chance(0.85)] + (list(BINDING) if self.chance(0.8) else []) + [gate for gate in self.rare_gates if self.chance(0.15)]
        self.lists = RARE_GATES[0] in gates
        self.derives, self.skips, self.groups = (self.chance(0.9 if gate in gates else 0.05) for gate in RARE_GATES[2:])
        names = [f"node-{i}" for i in range(self.random.randint(1, 3))]
        nodes = [{"metadata": {"name": name, "labels": {"zone": self.one("12")}}, "status": {"declaredFeatures": self.some(["DRAOptionalNodeOperations"], 0)}}
                 for name in names]
        slices = [made for i in range(self.random.randint(1, 4)) for made in self.pool(self.one(DRIVERS), self.one(names + ["fabric"]), names, i)]
        classes = [{"metadata": {"name": "any"}, "spec": {}}] + [
            {"metadata": {"name": driver[:3]}, "spec": {"selectors": [{"cel": {"expression": f"device.driver == '{driver}'"}}],
                                                       "config": [{"opaque": {"driver": driver, "parameters": {"from": "class"}}}]}} for driver in DRIVERS]
        return {"id": f"world-{number}", "features": gates, "nodes": nodes, "slices": slices, "classes": classes,
                "claims": [self.claim(i) for i in range(self.one((1, 1, 1, 2)))],
                "allocatedClaims": [self.held(slices, i) for i in range(self.one((0, 0, 1, 3)))] if slices else []}
