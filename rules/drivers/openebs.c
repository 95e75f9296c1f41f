/* OpenEBS: the replicated engine, and the local one on LVM. */
#include "schema/driver.h"

#define YES_NO VALUES("yes", "no")

static const struct parameter mayastor_rows[] = {
    PARAMETER("repl",                      INTEGER, BETWEEN(1, 255)),
    PARAMETER("protocol",                  STRING,  VALUES("nvmf")),
    PARAMETER("ioTimeout",                 INTEGER, INSTEAD("leave it out: it is a setting of the driver")),
    PARAMETER("nvmeCtrlLossTmo",           INTEGER),
    PARAMETER("nvmeKeepAliveTmo",          INTEGER),
    PARAMETER("nvmeNrIoQueues",            INTEGER),
    PARAMETER("nvmeIoTimeout",             STRING),
    PARAMETER("thin",                      BOOLEAN),
    PARAMETER("local",                     BOOLEAN, INSTEAD("leave it out: it breaks since 2.0")),
    PARAMETER("stsAffinityGroup",          BOOLEAN),
    PARAMETER("cloneFsIdAsVolumeId",       BOOLEAN),
    PARAMETER("fsId",                      STRING),
    PARAMETER("formatOptions",             STRING),
    PARAMETER("overrideGlobalFormatOpts",  BOOLEAN),
    PARAMETER("maxSnapshots",              INTEGER),
    PARAMETER("snapshotRestorePolicy",     STRING,  VALUES("strict", "bestEffort"), CAME_WITH("v4.6")),
    PARAMETER("encrypted",                 BOOLEAN),
    PARAMETER("rwxBlock",                  BOOLEAN, CAME_WITH("v4.5")),
    PARAMETER("poolClusterSize",           STRING),
    PARAMETER("allowedTopologies",         STRING),
    PARAMETER("poolAffinityTopologyLabel", STRING,  CAME_WITH("v4.1")),
    PARAMETER("poolAffinityTopologyKey",   STRING),
    PARAMETER("poolHasTopologyKey",        STRING,  CAME_WITH("v4.1")),
    PARAMETER("nodeAffinityTopologyLabel", STRING,  CAME_WITH("v4.1")),
    PARAMETER("nodeHasTopologyKey",        STRING,  CAME_WITH("v4.1")),
    PARAMETER("nodeSpreadTopologyKey",     STRING,  CAME_WITH("v4.1")),
};

static const struct parameter mayastor_snapshot_rows[] = {
    PARAMETER("quiesceFs", STRING, VALUES("freeze", "none")),
};

static const struct parameters mayastor_tables[] = {
    PARAMETERS_OF("StorageClass",        mayastor_rows),
    PARAMETERS_OF("VolumeSnapshotClass", mayastor_snapshot_rows),
};
const struct driver driver_openebs_mayastor =
    DRIVER_ROWS("io.openebs.csi-mayastor", mayastor_tables, "openebs.io/docs 4.6 rs-storage-class-parameters");

static const struct parameter lvm_rows[] = {
    PARAMETER("storage",       STRING, VALUES("lvm")),
    PARAMETER("volgroup",      STRING, NEEDED_UNLESS("vgpattern")),
    PARAMETER("vgpattern",     STRING),
    PARAMETER("shared",        STRING, YES_NO),
    PARAMETER("thinProvision", STRING, YES_NO),
    PARAMETER("scheduler",     STRING, VALUES("SpaceWeighted", "CapacityWeighted", "VolumeWeighted")),
    PARAMETER("formatOptions", STRING),
};

static const struct parameters lvm_tables[] = { PARAMETERS_OF("StorageClass", lvm_rows, IGNORES_CASE) };
const struct driver driver_openebs_lvm = DRIVER_ROWS("local.csi.openebs.io", lvm_tables, "openebs/lvm-localpv v1.7 docs/storageclasses.md");
