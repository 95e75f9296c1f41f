"""Objects built with lightkube, avionix and the official client, good and bad ones."""
import collections
import datetime

import drawbridge
import pytest

NOW = datetime.datetime(2026, 1, 31, 12, 30, tzinfo=datetime.timezone.utc)


def findings(obj, **options):
    return [(finding.path, finding.rule) for finding in drawbridge.validate(obj, **options).errors]


class Lightkube:
    """The same four kinds as in Avionix, with what is to be wrong as arguments."""

    def __init__(self):
        meta, self.m = pytest.importorskip("lightkube.models.meta_v1"), pytest.importorskip("lightkube.models.storage_v1")
        self.meta = meta.ObjectMeta

    def driver(self, name="disk.csi.acme.dev", modes=("Persistent",)):
        return self.m.CSIDriver(metadata=self.meta(name=name), spec=self.m.CSIDriverSpec(attachRequired=True, volumeLifecycleModes=list(modes)))

    def node(self, node_id="i-1", keys=("acme.dev/zone",)):
        driver = self.m.CSINodeDriver(name="disk.csi.acme.dev", nodeID=node_id, topologyKeys=list(keys), allocatable=self.m.VolumeNodeResources(count=3))
        return self.m.CSINode(metadata=self.meta(name="node-1"), spec=self.m.CSINodeSpec(drivers=[driver]))

    def storage_class(self, provisioner="disk.csi.acme.dev", reclaim="Delete"):
        return self.m.StorageClass(metadata=self.meta(name="fast"), provisioner=provisioner, reclaimPolicy=reclaim, volumeBindingMode="Immediate")

    def attachment(self, node="node-1", volume="pv-1"):
        source = self.m.VolumeAttachmentSource(persistentVolumeName=volume)
        return self.m.VolumeAttachment(metadata=self.meta(name="csi-1"), spec=self.m.VolumeAttachmentSpec(attacher="disk.csi.acme.dev", nodeName=node, source=source))


class Avionix:
    def __init__(self):
        meta, self.m = pytest.importorskip("avionix.kube.meta"), pytest.importorskip("avionix.kube.storage")
        self.meta = meta.ObjectMeta

    def driver(self, name="disk.csi.acme.dev", modes=("Persistent",)):
        return self.m.CSIDriver(self.meta(name=name), self.m.CSIDriverSpec(attach_required=True, volume_lifecycle_modes=list(modes)))

    def node(self, node_id="i-1", keys=("acme.dev/zone",)):
        driver = self.m.CSINodeDriver("disk.csi.acme.dev", node_id, self.m.VolumeNodeResources(count=3), list(keys))
        return self.m.CSINode(self.meta(name="node-1"), self.m.CSINodeSpec([driver]))

    def storage_class(self, provisioner="disk.csi.acme.dev", reclaim="Delete"):
        return self.m.StorageClass(self.meta(name="fast"), provisioner, reclaim_policy=reclaim, volume_binding_mode="Immediate")

    def attachment(self, node="node-1", volume="pv-1"):
        source = self.m.VolumeAttachmentSource(persistent_volume_name=volume)
        return self.m.VolumeAttachment(self.meta(name="csi-1"), self.m.VolumeAttachmentSpec("disk.csi.acme.dev", source, node))


class Client:
    def __init__(self):
        self.m = pytest.importorskip("kubernetes.client")
        self.meta = lambda name: self.m.V1ObjectMeta(name=name)

    def driver(self, name="disk.csi.acme.dev", modes=("Persistent",)):
        return self.m.V1CSIDriver(metadata=self.meta(name), spec=self.m.V1CSIDriverSpec(attach_required=True, volume_lifecycle_modes=list(modes)))

    def node(self, node_id="i-1", keys=("acme.dev/zone",)):
        driver = self.m.V1CSINodeDriver(name="disk.csi.acme.dev", node_id=node_id, topology_keys=list(keys), allocatable=self.m.V1VolumeNodeResources(count=3))
        return self.m.V1CSINode(metadata=self.meta("node-1"), spec=self.m.V1CSINodeSpec(drivers=[driver]))

    def storage_class(self, provisioner="disk.csi.acme.dev", reclaim="Delete"):
        return self.m.V1StorageClass(metadata=self.meta("fast"), provisioner=provisioner, reclaim_policy=reclaim, volume_binding_mode="Immediate")

    def attachment(self, node="node-1", volume="pv-1"):
        source = self.m.V1VolumeAttachmentSource(persistent_volume_name=volume)
        return self.m.V1VolumeAttachment(metadata=self.meta("csi-1"), spec=self.m.V1VolumeAttachmentSpec(attacher="disk.csi.acme.dev", node_name=node, source=source))


@pytest.fixture(params=[Lightkube, Avionix, Client])
def models(request):
    return request.param()


GOOD = ["driver", "node", "storage_class", "attachment"]
BAD = [
    ("driver", {"name": "disk_csi"}, [("metadata.name", "dns-subdomain")]),
    ("driver", {"modes": ("Ephemeral", "Eternal")}, [("spec.volumeLifecycleModes", "enum")]),
    ("node", {"node_id": "i" * 257}, [("spec.drivers[0].nodeID", "max-bytes")]),
    ("node", {"keys": ("acme.dev/zone", "acme.dev/zone")}, [("spec.drivers[0]", "unique")]),
    ("storage_class", {"provisioner": ""}, [("provisioner", "required")]),
    ("storage_class", {"reclaim": "Retian"}, [("reclaimPolicy", "enum")]),
    ("attachment", {"node": "node_1"}, [("spec.nodeName", "dns-subdomain")]),
    ("attachment", {"volume": None}, [("spec.source", "exactly-one-of")]),
]


@pytest.mark.parametrize("kind", GOOD)
def test_good(models, kind):
    report = drawbridge.assert_valid(getattr(models, kind)())
    assert (report.errors, report.validated, report.skipped) == ((), 1, 0)


@pytest.mark.parametrize("kind, wrong, want", BAD)
def test_bad(models, kind, wrong, want):
    assert findings(getattr(models, kind)(**wrong)) == want
    with pytest.raises(drawbridge.ValidationError):
        drawbridge.assert_valid(getattr(models, kind)(**wrong))


def test_update(models):
    assert findings(models.storage_class(reclaim="Retain"), old=models.storage_class()) == [("reclaimPolicy", "immutable")]


def test_together(models):
    report = drawbridge.validate([models.driver(), models.storage_class(reclaim="x"), models.attachment()])
    assert report.validated == 3
    assert [(finding.kind, finding.name, finding.line) for finding in report] == [("StorageClass", "fast", 2)]


def test_lightkube_resources():
    resources = pytest.importorskip("lightkube.resources.storage_v1")
    models = Lightkube()
    driver = models.driver(name="disk_csi")
    report = drawbridge.validate(resources.CSIDriver(metadata=driver.metadata, spec=driver.spec))
    assert {(finding.group, finding.version, finding.kind) for finding in report} == {("storage.k8s.io", "v1", "CSIDriver")}


def test_lightkube_resources_that_do_not_say_what_they_are():
    resource = collections.namedtuple("ResourceDef", "group version kind")("storage.k8s.io", "v1", "CSIDriver")

    class Driver:
        _api_info = collections.namedtuple("ApiInfo", "resource")(resource)

        def to_dict(self):
            return {"metadata": {"name": "a"}, "spec": {"fsGroupPolicy": "Files"}}
    assert findings(Driver()) == [("spec.fsGroupPolicy", "enum")]


def pod_of_lightkube():
    meta, core = pytest.importorskip("lightkube.models.meta_v1"), pytest.importorskip("lightkube.models.core_v1")
    return core.Pod(metadata=meta.ObjectMeta(generateName="a-"), spec=core.PodSpec(containers=[], volumes=[core.Volume(name="vol")]))


def pod_of_client():
    client = pytest.importorskip("kubernetes.client")
    return client.V1Pod(metadata=client.V1ObjectMeta(generate_name="a-"), spec=client.V1PodSpec(containers=[], volumes=[client.V1Volume(name="vol")]))


@pytest.mark.parametrize("pod", [pod_of_lightkube, pod_of_client])
def test_pods_by_role(pod):
    assert findings(pod(), validate_as="recycler-pod-template") == [("spec.volumes[0]", "exactly-one-of")]
    assert (drawbridge.validate(pod()).validated, findings(pod())) == (1, [])


def test_nodes_of_lightkube():
    core = pytest.importorskip("lightkube.models.core_v1")
    node = core.Node(status=core.NodeStatus(capacity={"attachable-volumes-gce-pd": "0.5", "cpu": "0.5"}))
    for obj in node, core.NodeList(items=[node]):
        assert [(finding.path, finding.rule) for finding in drawbridge.validate(obj)] == [("status.capacity[attachable-volumes-gce-pd]", "integer")]


def test_lightkube_lists():
    models = Lightkube()
    report = drawbridge.validate(models.m.CSIDriverList(items=[models.driver(), models.driver(name="disk_csi")]))
    assert report.validated == 2 and {finding.name for finding in report} == {"disk_csi"}


def test_lightkube_times():
    models = Lightkube()
    driver = models.driver()
    driver.metadata.creationTimestamp = NOW
    drawbridge.assert_valid(driver)


def test_lightkube_models_that_do_not_say_what_they_are():
    """So they were before lightkube 1.0."""
    class CSIDriver:
        apiVersion = kind = None

        def to_dict(self):
            return {"metadata": {"name": "a"}, "spec": {"fsGroupPolicy": "Files"}}
    CSIDriver.__module__ = "lightkube.models.storage_v1"
    assert findings(CSIDriver()) == findings(type("Own", (CSIDriver,), {})()) == [("spec.fsGroupPolicy", "enum")]


def test_subclasses():
    models = Avionix()

    class Fast(models.m.StorageClass):
        def __init__(self):
            super().__init__(models.meta(name="fast"), "Provis!oner")
    assert findings(Fast()) == [("provisioner", "qualified-name-any-case")]

    class Own(Lightkube().m.CSIDriver):
        pass
    assert drawbridge.validate(Own(metadata=Lightkube().meta(name="a"), spec=Lightkube().m.CSIDriverSpec())).validated == 1


def test_client_times():
    models = Client()
    driver = models.driver()
    driver.metadata.creation_timestamp = NOW
    drawbridge.assert_valid(driver)


def test_client_models_without_pydantic():
    """So they were before kubernetes 34: names of Python in to_dict()."""
    class V1CSIDriver:
        attribute_map = {"api_version": "apiVersion", "kind": "kind", "metadata": "metadata", "spec": "spec"}
        api_version = kind = None
        metadata = {"name": "a"}

        class spec:
            attribute_map = {"fs_group_policy": "fsGroupPolicy", "attach_required": "attachRequired"}
            fs_group_policy = "Files"
            attach_required = None
        spec = spec()

        def to_dict(self):
            raise AssertionError("this has the wrong names")
    V1CSIDriver.__module__ = "kubernetes.client.models.v1_csi_driver"
    assert findings(V1CSIDriver()) == [("spec.fsGroupPolicy", "enum")]


def test_parts_are_no_objects(models):
    with pytest.raises(ValueError, match="CSIDriverSpec has no apiVersion"):
        drawbridge.validate(models.driver().spec)


def test_models_inside_of_dicts(models):
    driver = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a"}, "spec": models.driver(modes=("x",)).spec}
    assert findings(driver) == [("spec.volumeLifecycleModes", "enum")]
