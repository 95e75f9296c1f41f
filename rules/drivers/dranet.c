/* Configuration of network interfaces by DRANET, which has no kind. */
#include "schema/driver.h"

#define MTU BETWEEN(68, 2147483647)

static const struct parameter rows[] = {
    PARAMETER("profile",                       STRING),
    PARAMETER("interface",                     OBJECT),
    PARAMETER("interface.name",                STRING, PATTERN("^[^/ ]{1,15}$")),
    PARAMETER("interface.type",                STRING, VALUES("", "Passthrough", "IPVLAN")),
    PARAMETER("interface.addressing",          STRING, VALUES("", "Static", "DHCP", "Unnumbered")),
    PARAMETER("interface.addresses",           STRING, IN_LIST, PATTERN("/[0-9]{1,3}$")),
    PARAMETER("interface.dhcp",                BOOLEAN),
    PARAMETER("interface.mtu",                 INTEGER, MTU),
    PARAMETER("interface.hardwareAddr",        STRING),
    PARAMETER("interface.gsoMaxSize",          INTEGER),
    PARAMETER("interface.groMaxSize",          INTEGER),
    PARAMETER("interface.gsoIPv4MaxSize",      INTEGER),
    PARAMETER("interface.groIPv4MaxSize",      INTEGER),
    PARAMETER("interface.disableEbpfPrograms", BOOLEAN),
    PARAMETER("interface.forwarding",          BOOLEAN),
    PARAMETER("interface.arpIgnore",           INTEGER, BETWEEN(0, 8)),
    PARAMETER("interface.arpAnnounce",         INTEGER, BETWEEN(0, 2)),
    PARAMETER("interface.vrf",                 OBJECT),
    PARAMETER("interface.vrf.name",            STRING),
    PARAMETER("interface.vrf.table",           INTEGER),
    PARAMETER("interface.ipvlan",              OBJECT),
    PARAMETER("interface.ipvlan.mode",         STRING, VALUES("", "L2", "l2", "l3", "l3s")),
    PARAMETER("interface.ipvlan.flag",         STRING, VALUES("", "Bridge", "bridge", "private", "vepa")),
    PARAMETER("interface.ipvlan.addressing",   OBJECT),
    PARAMETER("interface.ipvlan.addressing.type",         STRING, NEEDED),
    PARAMETER("interface.ipvlan.copyRoutesFromParent",    BOOLEAN),
    PARAMETER("interface.ipvlan.copyNeighborsFromParent", BOOLEAN),
    PARAMETER("subInterface",                  ANY), /* in some versions, in place of interface.type */
    PARAMETER("routes",                        OBJECT, IN_LIST),
    PARAMETER("routes.destination",            STRING),
    PARAMETER("routes.gateway",                STRING),
    PARAMETER("routes.source",                 STRING),
    PARAMETER("routes.scope",                  INTEGER, BETWEEN(0, 255)),
    PARAMETER("routes.table",                  INTEGER),
    PARAMETER("rules",                         OBJECT, IN_LIST, NEEDS_ALL(NEED("interface.vrf", ""))),
    PARAMETER("rules.priority",                INTEGER),
    PARAMETER("rules.source",                  STRING),
    PARAMETER("rules.destination",             STRING),
    PARAMETER("rules.table",                   INTEGER),
    PARAMETER("neighbors",                     OBJECT, IN_LIST),
    PARAMETER("neighbors.destination",         STRING),
    PARAMETER("neighbors.hardwareAddr",        STRING),
    PARAMETER("ethtool",                       OBJECT),
    PARAMETER("ethtool.features",              ANY),
    PARAMETER("ethtool.privateFlags",          ANY),
};

static const struct parameters tables[] = { CONFIGURATION(NULL, NULL, rows) };
const struct driver driver_dranet = DRIVER_ROWS("dra.net", tables, "kubernetes-sigs/dranet main pkg/apis/types.go");
