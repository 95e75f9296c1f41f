/* Prints what the tables say of storage and device kinds, in the lines of api.tsv (see api_table.py) with the first and last minor, 0 for no bound:
 *
 *     storage.k8s.io/v1 CSIDriver <TAB> . <TAB> csidrivers <TAB> <TAB> 0 <TAB> 0
 *     storage.k8s.io/v1 CSIDriver <TAB> spec.attachRequired <TAB> *boolean <TAB> gate <TAB> since <TAB> until
 *     gate <TAB> name <TAB> alpha 35 beta 35 on 35 ga 36 locked 36 <TAB> needed,gates <TAB> 0 <TAB> 0
 *
 * A field has the bounds of those above it, too. */
#include <stdio.h>
#include <string.h>

#include "schema/gate.h"
#include "schema/kind.h"
#include "schema/shape.h"

enum { MAX_PATH = 512 };

static void print_shape(const struct kind *kind, const char *path, const struct shape *shape, struct versions versions);

static void print_start(const struct kind *kind, const char *path)
{
    printf("%s/%s %s\t%s\t", kind->group.data, kind->version.data, kind->kind.data, path);
}

static void print_end(const char *gate, struct versions versions)
{
    printf("\t%s\t%u\t%u\n", gate ? gate : "", (unsigned)versions.since, (unsigned)versions.until);
}

static const char *type_name(const struct shape *shape)
{
    static const char *const names[] = {
#define SHAPE_ROW(id, name, ...) [SHAPE_##id] = (name),
        SHAPE_ROWS(SHAPE_ROW)
#undef SHAPE_ROW
    };
    return names[shape->type];
}

/* A list of a list is [][]. Of a list or map, POINTER says that an empty one differs from none: Go has no pointer there, either. */
static void print_type(const struct field *field)
{
    const struct shape *shape = field->shape;
    printf("%s", field->pointer && !field->empty_is_unset && !shape->of ? "*" : "");
    for (; shape->of; shape = shape->of)
        printf("%s", shape->type == SHAPE_LIST ? "[]" : "{}");
    printf("%s", type_name(shape));
}

static struct versions both(struct versions one, struct versions other)
{
    return (struct versions){
        .since = one.since > other.since ? one.since : other.since,
        .until = !one.until || (other.until && other.until < one.until) ? other.until : one.until,
    };
}

static void print_field(const struct kind *kind, const char *path, const struct field *field, struct versions versions)
{
    char below[MAX_PATH];
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name.data);
    versions = both(both(versions, field->versions), (struct versions){ .since = field->status_since });
    print_start(kind, below);
    print_type(field);
    print_end(field->gate, versions);
    print_shape(kind, below, field->shape, versions);
}

/* Recursion is as deep as shapes nest. */
static void print_shape(const struct kind *kind, const char *path, const struct shape *shape, struct versions versions)
{
    char below[MAX_PATH];
    for (uint16_t i = 0; i < shape->field_count; i++)
        print_field(kind, path, &shape->fields[i], versions);
    snprintf(below, sizeof below, "%s%s", path, shape->type == SHAPE_LIST ? "[]" : "{}");
    if (shape->of)
        print_shape(kind, below, shape->of, versions);
}

/* Who writes the status stands in the first row of a kind. */
static bool has_status(const struct kind *kind)
{
    for (size_t i = 0; i < kind_count; i++)
        if (kind_same(&kinds[i], kind) && kinds[i].status_written.by != WRITER_NONE)
            return true;
    return false;
}

static void print_kind(const struct kind *kind)
{
    print_start(kind, ".");
    printf("%s%s", kind->resource.data, has_status(kind) ? "/status" : "");
    print_end(NULL, kind->served);
    print_shape(kind, "", kind->shape, kind->served);
}

static void print_gate(const struct gate *gate)
{
    printf("gate\t%s\talpha %u beta %u on %u ga %u locked %u\t", gate->name, (unsigned)gate->alpha, (unsigned)gate->beta, (unsigned)gate->on,
           (unsigned)gate->ga, (unsigned)gate->locked);
    for (const char *const *needed = gate->needs; *needed; needed++)
        printf("%s%s", needed == gate->needs ? "" : ",", *needed);
    printf("\t0\t0\n");
}

int main(void)
{
    for (size_t i = 0; i < kind_count; i++)
        if (!strcmp(kinds[i].group.data, "resource.k8s.io") || !strcmp(kinds[i].group.data, "storage.k8s.io"))
            print_kind(&kinds[i]);
    for (size_t i = 0; i < gate_count; i++)
        print_gate(&gates[i]);
    return fflush(stdout) ? 2 : 0;
}
