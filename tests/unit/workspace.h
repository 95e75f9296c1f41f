/* A worker for the tests of a file: cmocka_run_group_tests(tests, start_worker, stop_worker). */
#ifndef DRAWBRIDGE_TESTS_WORKSPACE_H
#define DRAWBRIDGE_TESTS_WORKSPACE_H

#include "check/context.h"
#include "validate/context.h"

static struct context context;
static struct workspace workspace;

static int start_workspace(void **state)
{
    (void)state;
    return context_init(&context, &memory_malloc) || workspace_init(&workspace, &context);
}

static int stop_workspace(void **state)
{
    (void)state;
    workspace_done(&workspace);
    context_done(&context);
    return 0;
}

#endif
