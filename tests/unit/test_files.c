/* Files read whole: what is read, what is refused, and in which words; and errors. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "unit.h"

enum { MAX = 4096 };

static char folder[] = "/tmp/drawbridge-files-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, size_t length)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < length; i++)
        fputc("ab\n"[i % 3], file);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void expect_read(const char *path, unsigned flags, uint32_t length)
{
    struct buffer buffer;
    struct error error;
    assert_true(files_read(path, MAX, flags, &buffer, &error));
    assert_int_equal(buffer.length, length);
    assert_int_equal(buffer.data[length], '\0');
    for (uint32_t i = 0; i < length; i++)
        assert_int_equal(buffer_bytes(&buffer).data[i], "ab\n"[i % 3]);
    buffer_free(&buffer);
    assert_true(!buffer.data && buffer.length == 0);
}

static void expect_refused(const char *path, unsigned flags, enum failure code, const char *words)
{
    struct buffer buffer = { NULL, 0 };
    struct error error;
    assert_false(files_read(path, MAX, flags, &buffer, &error));
    assert_null(buffer.data);
    assert_int_equal(error.code, code);
    assert_string_equal(error.text, words);
}

static void test_read(void **state)
{
    static const unsigned flags[] = { FILE_ANY, FILE_REGULAR, FILE_SECRET, FILE_REGULAR | FILE_SECRET };
    static const uint32_t lengths[] = { 0, 1, 2, 3, MAX - 1, MAX };
    (void)state;
    for (size_t i = 0; i < COUNT(flags); i++)
        for (size_t j = 0; j < COUNT(lengths); j++)
            expect_read(write_file("file", lengths[j]), flags[i], lengths[j]);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused(write_file("large", MAX + 1), FILE_ANY, FAILURE_LIMIT, "larger than 4 KiB");
    expect_refused("/dev/zero", FILE_ANY, FAILURE_LIMIT, "larger than 4 KiB");
    expect_refused(path_of("nowhere"), FILE_ANY, FAILURE_INPUT, "No such file or directory");
    expect_refused(folder, FILE_ANY, FAILURE_INPUT, "Is a directory");
    expect_refused(folder, FILE_REGULAR, FAILURE_INPUT, "it is a directory");
    expect_refused("/dev/null", FILE_REGULAR, FAILURE_INPUT, "it is not a regular file");
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    expect_refused(path_of("fifo"), FILE_REGULAR, FAILURE_INPUT, "it is not a regular file");
    expect_refused(path_of("fifo"), FILE_ANY, FAILURE_INPUT, "a FIFO that nobody writes to");
    expect_read("/dev/null", FILE_ANY, 0);
}

static void test_error(void **state)
{
    char path[2 * LIMIT_ERROR_BYTES];
    struct error error;
    (void)state;
    assert_false(error_set(&error, FAILURE_SYNTAX, "%s: %d", "a", 1));
    assert_true(error.code == FAILURE_SYNTAX && strcmp(error.text, "a: 1") == 0);
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_false(error_set(&error, FAILURE_INPUT, "%s", path));
    assert_int_equal(strlen(error.text), LIMIT_ERROR_BYTES - 1);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = { "file", "large", "fifo" };
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read), cmocka_unit_test(test_refused), cmocka_unit_test(test_error) };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
