/* Configuration of NVIDIA's GPUs and compute domains. Decoders are strict: what they do not know, they refuse. */
#include "schema/driver.h"

#define VERSION    "resource.nvidia.com/v1beta1"
#define DOCUMENTED "kubernetes-sigs/dra-driver-nvidia-gpu v25.8 api/nvidia.com/resource/v1beta1"

#define SHARING \
    PARAMETER("sharing",                                             OBJECT), \
    PARAMETER("sharing.strategy",                                    STRING,   VALUES("TimeSlicing", "MPS"), NEEDED), \
    PARAMETER("sharing.mpsConfig",                                   OBJECT,   NEEDS_ALL(NEED("sharing.strategy", "MPS"))), \
    PARAMETER("sharing.mpsConfig.defaultActiveThreadPercentage",     INTEGER,  BETWEEN(0, 100)), \
    PARAMETER("sharing.mpsConfig.defaultPinnedDeviceMemoryLimit",    QUANTITY), \
    PARAMETER("sharing.mpsConfig.defaultPerDevicePinnedMemoryLimit", ANY)

static const struct parameter gpu_rows[] = {
    SHARING,
    PARAMETER("sharing.timeSlicingConfig",          OBJECT, NEEDS_ALL(NEED("sharing.strategy", "TimeSlicing"))),
    PARAMETER("sharing.timeSlicingConfig.interval", STRING, VALUES("Default", "Short", "Medium", "Long")),
};

static const struct parameter mig_rows[] = {
    SHARING,
};

static const struct parameter vfio_rows[] = {
    PARAMETER("iommu",                 OBJECT),
    PARAMETER("iommu.backendPolicy",   STRING, VALUES("PreferIommuFD", "LegacyOnly")),
    PARAMETER("iommu.enableAPIDevice", BOOLEAN),
};

static const struct parameters gpu_tables[] = {
    CONFIGURATION(VERSION, "GpuConfig",        gpu_rows),
    CONFIGURATION(VERSION, "MigDeviceConfig",  mig_rows),
    CONFIGURATION(VERSION, "VfioDeviceConfig", vfio_rows),
};
const struct driver driver_nvidia_gpu = DRIVER_ROWS("gpu.nvidia.com", gpu_tables, DOCUMENTED);

static const struct parameter channel_rows[] = {
    PARAMETER("domainID",       STRING, NEEDED),
    PARAMETER("allocationMode", STRING, VALUES("Single", "All")),
    PARAMETER("protocol",       STRING),
};

static const struct parameter daemon_rows[] = {
    PARAMETER("domainID", STRING, NEEDED_UNLESS("mode")),
    PARAMETER("protocol", STRING),
    PARAMETER("mode",     STRING, VALUES("PerDomain", "PersistentAgent")),
};

static const struct parameters domain_tables[] = {
    CONFIGURATION(VERSION, "ComputeDomainChannelConfig", channel_rows),
    CONFIGURATION(VERSION, "ComputeDomainDaemonConfig",  daemon_rows),
};
const struct driver driver_nvidia_domain = DRIVER_ROWS("compute-domain.nvidia.com", domain_tables, DOCUMENTED);
