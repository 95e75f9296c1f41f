/* Kubernetes' own example of a driver, which the end-to-end tests use. */
#include "schema/driver.h"

static const struct parameter class_rows[] = {
    PARAMETER("kind", STRING),
};

static const struct parameters tables[] = { PARAMETERS_OF("StorageClass", class_rows) };
const struct driver driver_host_path =
    DRIVER_ROWS("hostpath.csi.k8s.io", tables, "kubernetes-csi/csi-driver-host-path v1.17 pkg/hostpath/controllerserver.go");
