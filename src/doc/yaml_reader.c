#include "doc/yaml_reader.h"

bool yaml_fail(struct yaml_reader *r, enum failure failure, uint32_t offset, const char *message)
{
    r->failure = failure;
    *r->error = (struct doc_error){ .message = message, .offset = offset, .in_yaml = true };
    return false;
}

bool yaml_fail_syntax(struct yaml_reader *r, uint32_t offset, const char *message)
{
    return yaml_fail(r, FAILURE_SYNTAX, offset, message);
}

bool yaml_fail_memory(struct yaml_reader *r, uint32_t offset)
{
    return yaml_fail(r, r->input->arena->failure, offset, failure_text(r->input->arena->failure));
}

bool yaml_fail_stricter(struct yaml_reader *r, uint32_t offset, const char *message)
{
    yaml_fail_syntax(r, offset, message);
    r->error->stricter = true;
    return false;
}

struct yaml_level *yaml_top(struct yaml_reader *r)
{
    return r->depth ? &r->levels[r->depth - 1] : NULL;
}
