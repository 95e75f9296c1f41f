#include "review/written.h"

#include "review/limits.h"

/* The name follows the entry, and the JSON the name. */
struct written_entry {
    struct written_entry *next;          /* in its bucket */
    struct written_entry *newer, *older; /* by use */
    uint64_t hash;
    uint32_t name_length, length;
    char text[];
};

static size_t size_of(const struct written_entry *entry)
{
    return sizeof *entry + entry->name_length + entry->length;
}

void written_init(struct written *written, const struct memory *memory, struct map_key key, size_t limit)
{
    *written = (struct written){ .memory = memory, .key = key, .limit = limit };
}

void written_done(struct written *written)
{
    while (written->newest) {
        struct written_entry *entry = written->newest;
        written->newest = entry->older;
        written->memory->release(entry, written->memory->data);
    }
    written->memory->release(written->buckets, written->memory->data);
    written->buckets = NULL;
}

static struct written_entry **bucket_of(const struct written *written, uint64_t hash)
{
    return &written->buckets[hash % LIMIT_WRITTEN_BUCKETS];
}

/* Where the entry of that name hangs in its bucket: a NULL when there is none. */
static struct written_entry **link_of(const struct written *written, struct bytes name, uint64_t hash)
{
    struct written_entry **link = bucket_of(written, hash);
    while (*link && !((*link)->hash == hash && bytes_equal((struct bytes){ (*link)->text, (*link)->name_length }, name)))
        link = &(*link)->next;
    return link;
}

static void unuse(struct written *written, struct written_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &written->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &written->oldest) = entry->newer;
}

static void use(struct written *written, struct written_entry *entry)
{
    entry->newer = NULL;
    entry->older = written->newest;
    *(entry->older ? &entry->older->newer : &written->oldest) = entry;
    written->newest = entry;
}

static void drop(struct written *written, struct written_entry **link)
{
    struct written_entry *entry = *link;
    *link = entry->next;
    unuse(written, entry);
    written->held -= size_of(entry);
    written->memory->release(entry, written->memory->data);
}

struct bytes written_find(struct written *written, struct bytes name)
{
    struct written_entry *entry = written->buckets ? *link_of(written, name, map_hash(name, written->key)) : NULL;
    if (!entry)
        return (struct bytes){ NULL, 0 };
    unuse(written, entry);
    use(written, entry);
    return (struct bytes){ entry->text + entry->name_length, entry->length };
}

void written_forget(struct written *written, struct bytes name)
{
    struct written_entry **link = written->buckets ? link_of(written, name, map_hash(name, written->key)) : NULL;
    if (link && *link)
        drop(written, link);
}

static bool make_buckets(struct written *written)
{
    size_t bytes = LIMIT_WRITTEN_BUCKETS * sizeof(struct written_entry *);
    if (written->buckets)
        return true;
    written->buckets = written->memory->allocate(bytes, written->memory->data);
    if (written->buckets)
        memset(written->buckets, 0, bytes);
    return written->buckets != NULL;
}

/* Makes room by dropping what was not used for longest. */
static bool make_room(struct written *written, size_t size)
{
    while (written->oldest && size <= written->limit && written->held > written->limit - size) {
        const struct written_entry *oldest = written->oldest;
        drop(written, link_of(written, (struct bytes){ oldest->text, oldest->name_length }, oldest->hash));
    }
    return size <= written->limit;
}

enum failure written_keep(struct written *written, struct bytes name, struct bytes json)
{
    size_t size = sizeof(struct written_entry) + name.length + json.length;
    written_forget(written, name);
    if (!make_room(written, size))
        return FAILURE_NONE;
    struct written_entry *entry = make_buckets(written) ? written->memory->allocate(size, written->memory->data) : NULL;
    if (!entry)
        return FAILURE_MEMORY;
    uint64_t hash = map_hash(name, written->key);
    struct written_entry **bucket = bucket_of(written, hash);
    *entry = (struct written_entry){ .next = *bucket, .hash = hash, .name_length = name.length, .length = json.length };
    memcpy(entry->text, name.data, name.length);
    memcpy(entry->text + name.length, json.data, json.length);
    *bucket = entry;
    use(written, entry);
    written->held += size;
    return FAILURE_NONE;
}
