/* Searches for a match on all ways at the same time, character by character: those that are preferred come first. */
#include "cel/limits.h"
#include "cel/regexp_program.h"

struct thread {
    uint32_t instruction, start;
};

struct threads {
    const struct cel_regexp_program *program;
    struct bytes text;
    struct thread *now, *next;       /* that wait for a character, or match: at most one for each instruction */
    uint32_t now_count, next_count;
    uint32_t *stack;                 /* instructions to go to yet, at the same place of the text */
    uint64_t *seen;                  /* for each instruction: the last round in which a thread came to it */
    uint64_t round, steps;
};

/* Adds to `next` the threads to which one parts that comes to an instruction at `at`. */
static void add(struct threads *threads, struct thread thread, uint32_t at)
{
    const struct instruction *code = threads->program->code;
    uint32_t depth = 0;
    threads->stack[depth++] = thread.instruction;
    while (depth && threads->steps) {
        uint32_t number = threads->stack[--depth];
        const struct instruction *instruction = &code[number];
        threads->steps--;
        if (threads->seen[number] == threads->round)
            continue;
        threads->seen[number] = threads->round;
        if (instruction->op == INSTRUCTION_SPLIT) {
            threads->stack[depth++] = instruction->other;
            threads->stack[depth++] = instruction->next;
        } else if (instruction->op < INSTRUCTION_LINE_BEGIN) {
            threads->next[threads->next_count++] = (struct thread){ number, thread.start };
        } else if (program_holds(instruction->op, threads->text, at)) {
            threads->stack[depth++] = instruction->next;
        }
    }
}

/* Threads that wait at `at` go on, up to the first that matches. */
static void step(struct threads *threads, uint32_t at, struct cel_match *match)
{
    const struct cel_regexp_program *program = threads->program;
    uint32_t code = UINT32_MAX, after = at;
    if (at < threads->text.length)
        after = at + program_character(threads->text, at, &code);
    threads->round++;
    threads->next_count = 0;
    for (uint32_t i = 0; i < threads->now_count; i++) {
        struct thread thread = threads->now[i];
        const struct instruction *instruction = &program->code[thread.instruction];
        if (instruction->op == INSTRUCTION_MATCH) {
            *match = (struct cel_match){ .found = true, .start = thread.start, .end = at };
            break;
        }
        if (after > at && program_takes(program, instruction, code))
            add(threads, (struct thread){ instruction->next, thread.start }, after);
    }
}

static void swap(struct threads *threads)
{
    struct thread *now = threads->now;
    threads->now = threads->next;
    threads->now_count = threads->next_count;
    threads->next = now;
}

static void run(struct threads *threads, uint32_t from, struct cel_match *match)
{
    const struct cel_regexp_program *program = threads->program;
    uint32_t at = from, code;
    while (threads->steps) {
        if (threads->next_count == 0) {
            threads->round++; /* the place may be another one */
            if (match->found || (at = program_candidate(program, threads->text, at)) == UINT32_MAX)
                return;
        }
        if (!match->found && (at == 0 || !program->anchored))
            add(threads, (struct thread){ program->start, at }, at);
        swap(threads);
        step(threads, at, match);
        if (at == threads->text.length || (match->found && program->test))
            return;
        at += program_character(threads->text, at, &code);
    }
}

size_t regexp_threads_bytes(const struct cel_regexp_program *program)
{
    return program->size * (sizeof(uint64_t) + 2 * sizeof(struct thread) + 2 * sizeof(uint32_t)) + sizeof(uint32_t);
}

void regexp_run_threads(const struct cel_regexp_program *program, struct bytes text, uint32_t from, void *memory, uint64_t *steps,
                        struct cel_match *match)
{
    struct threads threads = { .program = program, .text = text, .seen = memory, .steps = *steps };
    threads.now = (struct thread *)(threads.seen + program->size);
    threads.next = threads.now + program->size;
    threads.stack = (uint32_t *)(threads.next + program->size);
    memset(threads.seen, 0, program->size * sizeof *threads.seen);
    threads.steps -= program->size < threads.steps ? program->size : threads.steps;
    run(&threads, from, match);
    *steps = threads.steps;
}
