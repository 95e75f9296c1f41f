/* Kubernetes' own types in expressions: quantities, versions, addresses, URLs, formats. The verdicts of the tables were asked of Kubernetes
 * 1.35.4; of what is an error there, the words are ours, as near to its own as the reader needs. */
#include "unit.h"
#include "unit_arena.h"

#include "cel/evaluate.h"
#include "cel/limits.h"
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"
#include "schema/cel.h"
#include "value/limits.h"

struct row {
    const char *expression, *result; /* true, false, or why it fails */
};

/* ---- evaluating ---- */

enum { VERSION = 35 };

/* A device with a version and two capacities. */
static struct cel_value make_device(struct arena *of)
{
    struct cel_device device;
    struct cel_value value;
    cel_device_init(&device, of, bytes_of("gpu.acme.dev"));
    cel_device_add_version(&device, bytes_of("driverVersion"), bytes_of("1.2.3-rc.1+b5"));
    cel_device_add_capacity(&device, bytes_of("memory"), bytes_of("40Gi"));
    cel_device_add_capacity(&device, bytes_of("big"), bytes_of("1.5Gi"));
    assert_null(device.fault);
    assert_int_equal(cel_device_value(&device, false, VERSION, &value), FAILURE_NONE);
    return value;
}

static const struct cel_program *compile(const char *text)
{
    static struct cel_expression expression;
    const struct cel_program *program = NULL;
    assert_int_equal(cel_compile(bytes_of(text), &cel_device_library, cel_environment(VERSION), &arena, &expression), FAILURE_NONE);
    if (expression.class == CEL_GOOD || expression.class == CEL_TOO_COSTLY)
        assert_int_equal(cel_program_new(&expression, &cel_device_library, VERSION, &arena, &program), FAILURE_NONE);
    EXPECT(program != NULL, "%s: class %d", text, expression.class);
    return program;
}

static const char *evaluate(const struct cel_program *program, const struct cel_value *device, struct arena *own)
{
    struct cel_result result;
    arena_clear(own);
    assert_int_equal(cel_evaluate(program, device, own, &result), FAILURE_NONE);
    if (result.value.type == CEL_ERROR)
        return result.value.fault.words;
    return result.value.boolean ? "true" : "false";
}

static void check_rows(const struct row *rows, size_t count)
{
    struct arena own, input;
    arena_init(&own, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    arena_init(&input, &memory_malloc, LIMIT_ARENA_BYTES);
    struct cel_value device = make_device(&input);
    for (size_t i = 0; i < count; i++) {
        const struct cel_program *program = compile(rows[i].expression);
        for (int round = 0; program && round < 2; round++) { /* what one evaluation changes, the next does not see */
            const char *result = evaluate(program, &device, &own);
            EXPECT(strcmp(result, rows[i].result) == 0, "%s: %s", rows[i].expression, result);
        }
        arena_clear(&arena);
    }
    arena_done(&own);
    arena_done(&input);
    assert_rows();
}

static const struct row quantities[] = {
    { "string(quantity(\"83e22\").add(quantity(\"99Ei\")).asApproximateFloat()) == \"8.300092233720368e+23\"", "true" },
    { "string(quantity(\"73e22\").sub(quantity(\"99Ei\")).asApproximateFloat()) == \"7.299907766279632e+23\"", "true" },
    { "quantity(\"40Gi\") == quantity(\"42949672960\")", "true" },
    { "quantity(\"0.1n\") == quantity(\"1n\")", "true" },
    { "quantity(\"1e4294967299\") == quantity(\"1e3\")", "true" },
    { "quantity(\"99999999999999999999999999Gi\") == quantity(\"9223372036854775807\")", "true" },
    { "isQuantity(\"+\")", "true" },
    { "isQuantity(\"-.\")", "true" },
    { "isQuantity(\"e3\")", "true" },
    { "isQuantity(\"\")", "false" },
    { "isQuantity(\"1K\")", "false" },
    { "isQuantity(\" 1\")", "false" },
    { "isQuantity(\"1\\u00a0\")", "false" },
    { "isQuantity(\"Pi\")", "false" },
    { "quantity(\"\").isInteger()", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$': \"\"" },
    { "quantity(\"1K\").isInteger()", "unable to parse quantity's suffix: \"1K\"" },
    { "quantity(\"Pi\").isInteger()", "unable to parse numeric part of quantity: \"Pi\"" },
    { "quantity(\"9223372036854775807\").isInteger()", "false" },
    { "quantity(\"999999999999999999\").isInteger()", "true" },
    { "quantity(\"1.0\").isInteger()", "false" },
    { "quantity(\"2000m\").isInteger()", "false" },
    { "quantity(\"99999Gi\").isInteger()", "true" },
    { "quantity(\"999999Gi\").isInteger()", "false" },
    { "quantity(\"0e400\").isInteger()", "true" },
    { "quantity(\"9E\").asInteger() == 9000000000000000000", "true" },
    { "quantity(\"1Pi\").asInteger() > 0", "cannot convert value to integer" },
    { "quantity(\"-1Ki\").asInteger() == -1024", "true" },
    { "quantity(\"3m\").asApproximateFloat() == 0.003", "true" },
    { "quantity(\"0.9223372036854775807\").asApproximateFloat() == 0.922337204", "false" },
    { "quantity(\"1Ei\").asApproximateFloat() == 1152921504606846976.0", "true" },
    { "quantity(\"-1.5Ki\").asApproximateFloat() == -1536.0", "true" },
    { "quantity(\"99Ei\").asApproximateFloat() == 9223372036854775807.0", "true" },
    { "quantity(\"1e400\").asApproximateFloat() == double(\"inf\")", "true" },
    { "quantity(\"1e-9\").asApproximateFloat() == 1e-9", "true" },
    { "quantity(\"7\").add(quantity(\"1e300\")).asApproximateFloat() == 1e300", "true" },
    { "sign(quantity(\"-1n\")) == -1", "true" },
    { "sign(quantity(\"0Ei\")) == 0", "true" },
    { "sign(quantity(\"1.5Ki\")) == 1", "true" },
    { "quantity(\"200M\").compareTo(quantity(\"0.2G\")) == 0", "true" },
    { "quantity(\"50M\").compareTo(quantity(\"50Mi\")) == -1", "true" },
    { "quantity(\"-50Mi\").isLessThan(quantity(\"-50M\"))", "true" },
    { "quantity(\"1E\").isGreaterThan(quantity(\"1e-9\"))", "true" },
    { "quantity(\"9223372036854775807\").compareTo(quantity(\"9223372036854775806.5\")) == 1", "true" },
    { "device.capacity[\"gpu.acme.dev\"].memory.isInteger()", "true" },
    { "device.capacity[\"gpu.acme.dev\"].memory.isGreaterThan(quantity(\"1.5Gi\")) && device.capacity[\"gpu.acme.dev\"].memory.isInteger()", "false" },
    { "quantity(\"1.5Gi\").isLessThan(device.capacity[\"gpu.acme.dev\"].memory) && device.capacity[\"gpu.acme.dev\"].memory.isInteger()", "true" },
    { "device.capacity[\"gpu.acme.dev\"].memory == quantity(\"42949672960.0\") && device.capacity[\"gpu.acme.dev\"].memory.isInteger()", "true" },
    { "cel.bind(q, quantity(\"1.5Ki\"), q.add(1) == quantity(\"1537\") && q == quantity(\"1537\"))", "true" },
    { "cel.bind(q, quantity(\"1Ki\"), q.add(1) == quantity(\"1025\") && q == quantity(\"1024\"))", "true" },
    { "cel.bind(q, quantity(\"1.5Ki\"), cel.bind(r, q.add(1), r.add(1) == quantity(\"1538\") && q == quantity(\"1538\") && r.compareTo(q) == 0))", "true" },
    { "cel.bind(q, quantity(\"1.5Ki\"), cel.bind(r, q.sub(q), r.compareTo(quantity(\"0\")) == 0 && sign(q) == 0))", "true" },
    { "cel.bind(q, quantity(\"5\"), q.isLessThan(quantity(\"10.0\")) && q.isInteger())", "true" },
    { "cel.bind(q, quantity(\"5\"), q.isLessThan(quantity(\"1234567890123456789\")) && q.isInteger())", "false" },
    { "device.capacity[\"gpu.acme.dev\"].memory.isLessThan(quantity(\"1234567890123456789\")) && device.capacity[\"gpu.acme.dev\"].memory.add(1) == quantity(\"42949672961\") && device.capacity[\"gpu.acme.dev\"].memory == quantity(\"42949672961\")", "true" },
    { "quantity(\"0.0\").add(5).asInteger() == 5", "true" },
    { "quantity(\"5\").add(quantity(\"0m\")).asInteger() == 5", "true" },
    { "quantity(\"1.0\").add(quantity(\"0\")).isInteger()", "false" },
    { "quantity(\"1\").sub(-9223372036854775808).asInteger() == -9223372036854775807", "true" },
    { "quantity(\"1m\").sub(-9223372036854775808).isInteger()", "false" },
    { "quantity(\"9E\").add(9000000000000000000).isInteger()", "false" },
    { "quantity(\"9E\").add(9000000000000000000) == quantity(\"18E\")", "true" },
    { "quantity(\"1500m\").add(quantity(\"500m\")) == quantity(\"2\")", "true" },
    { "quantity(\"2\") == quantity(\"1\").add(1)", "no such overload" },
    { "quantity(\"2\") != quantity(\"2\").add(0)", "true" },
    { "quantity(\"1\").add(1) == quantity(\"2\")", "true" },
    { "quantity(\"2\") in [quantity(\"1\").add(1)]", "false" },
    { "quantity(\"1\").add(1) in [quantity(\"2\")]", "true" },
    { "dyn(quantity(\"1\")) == dyn(1)", "no such overload" },
    { "dyn(1) == dyn(quantity(\"1\"))", "false" },
    { "type(quantity(\"1\").add(1)) == type(quantity(\"1\"))", "true" },
    { "device.attributes[\"gpu.acme.dev\"].driverVersion.compareTo(quantity(\"1\")) == 0", "no such overload" },
};

static const struct row versions[] = {
    { "isSemver(\"1.2.3-rc.1+b.01\")", "true" },
    { "isSemver(\"01.2.3\")", "false" },
    { "isSemver(\"1.2.3-01\")", "false" },
    { "isSemver(\"1.2.3-\")", "false" },
    { "isSemver(\"1.2.3+\")", "false" },
    { "isSemver(\"1.2.18446744073709551616\")", "false" },
    { "isSemver(\"v1.2.3\")", "false" },
    { "isSemver(\"v1.2.3\", true)", "true" },
    { "isSemver(\"v1.2-a\", true)", "false" },
    { "isSemver(\"1.2.03-alpha.1+001\", true)", "true" },
    { "isSemver(\"00.0\", true)", "true" },
    { "semver(\"1.2\").major() == 1", "No Major.Minor.Patch elements found: \"1.2\"" },
    { "semver(\"\").major() == 1", "Version string empty: \"\"" },
    { "semver(\"1.x.3\").major() == 1", "Invalid character(s) found in minor number: \"1.x.3\"" },
    { "semver(\"1.2.3-a..b\").major() == 1", "Prerelease is empty: \"1.2.3-a..b\"" },
    { "semver(\"1.2.3-a+b_\").major() == 1", "Invalid character(s) found in build meta data: \"1.2.3-a+b_\"" },
    { "semver(\"v01.2\", true) == semver(\"1.2.0\")", "true" },
    { "semver(\"1.2.3+a\") == semver(\"1.2.3+b\")", "true" },
    { "semver(\"1.2.3-a\") == semver(\"1.2.3\")", "false" },
    { "semver(\"18446744073709551615.0.0\").major() == -1", "true" },
    { "semver(\"1.20.3\").minor() * 100 + semver(\"1.20.3\").patch() == 2003", "true" },
    { "semver(\"1.0.0-1\").isLessThan(semver(\"1.0.0-a\"))", "true" },
    { "semver(\"1.0.0-2\").isLessThan(semver(\"1.0.0-10\"))", "true" },
    { "semver(\"1.0.0-a.1\").isLessThan(semver(\"1.0.0-a\"))", "false" },
    { "semver(\"1.0.0-a\").compareTo(semver(\"1.0.0-a.1\")) == -1", "true" },
    { "semver(\"1.0.0\").isGreaterThan(semver(\"1.0.0-zz\"))", "true" },
    { "semver(\"1.10.0\").compareTo(semver(\"1.9.9\")) == 1", "true" },
    { "device.attributes[\"gpu.acme.dev\"].driverVersion.compareTo(semver(\"1.2.3\")) == -1", "true" },
    { "device.attributes[\"gpu.acme.dev\"].driverVersion == semver(\"1.2.3-rc.1+other\")", "true" },
    { "device.attributes[\"gpu.acme.dev\"].driverVersion == \"1.2.3\"", "no such overload" },
    { "device.attributes[\"gpu.acme.dev\"].driverVersion.isInteger()", "no such overload" },
};

static const struct row addresses[] = {
    { "isIP(\"::ffff:1.2.3.4\")", "false" },
    { "isIP(\"1:2:3:4:5:6:7::8\")", "false" },
    { "isIP(\"fe80::1%eth0\")", "false" },
    { "isIP(\"1.2.3.4\\u0000\")", "false" },
    { "ip.isCanonical(\"2001:DB8::1\")", "false" },
    { "ip.isCanonical(\"2001:db8::1\")", "true" },
    { "ip.isCanonical(\"x\")", "IP Address parse error during conversion from string: \"x\"" },
    { "ip(\"1.2.3\").family() == 4", "IP Address parse error during conversion from string: \"1.2.3\"" },
    { "ip(\"::1.2.3.4\").family() == 6", "true" },
    { "string(ip(\"1:0:0:2:0:0:0:3\")) == \"1:0:0:2::3\"", "true" },
    { "string(ip(\"::1.2.3.4\")) == \"::102:304\"", "true" },
    { "ip(\"0.0.0.0\").isUnspecified() && ip(\"::\").isUnspecified() && !ip(\"::1\").isUnspecified()", "true" },
    { "ip(\"127.255.0.1\").isLoopback() && ip(\"::1\").isLoopback() && !ip(\"128.0.0.1\").isLoopback()", "true" },
    { "ip(\"224.0.0.255\").isLinkLocalMulticast() && ip(\"ff12::1\").isLinkLocalMulticast() && !ip(\"224.0.1.0\").isLinkLocalMulticast()", "true" },
    { "ip(\"169.254.0.1\").isLinkLocalUnicast() && ip(\"febf::1\").isLinkLocalUnicast() && !ip(\"fec0::1\").isLinkLocalUnicast()", "true" },
    { "ip(\"10.0.0.1\").isGlobalUnicast() && ip(\"fc00::1\").isGlobalUnicast()", "true" },
    { "ip(\"255.255.255.255\").isGlobalUnicast() || ip(\"239.1.1.1\").isGlobalUnicast() || ip(\"169.254.0.1\").isGlobalUnicast() || ip(\"::\").isGlobalUnicast()", "false" },
    { "cidr(\"10.1.2.3/8\") == cidr(\"10.0.0.0/8\")", "false" },
    { "cidr(\"10.1.2.3/8\").masked() == cidr(\"10.0.0.0/8\")", "true" },
    { "string(cidr(\"2001:DB8:ffff::1/33\").masked()) == \"2001:db8:8000::/33\"", "true" },
    { "string(cidr(\"1.2.3.4/0\")) == \"1.2.3.4/0\"", "true" },
    { "cidr(\"10.0.0.0/8\").prefixLength() == 8", "true" },
    { "cidr(\"10.0.0.1/8\").ip() == ip(\"10.0.0.1\")", "true" },
    { "cidr(\"10.0.0.0/8\").containsIP(\"10.255.0.1\")", "true" },
    { "cidr(\"10.0.0.0/9\").containsIP(ip(\"10.128.0.1\"))", "false" },
    { "cidr(\"10.0.0.0/8\").containsIP(\"bad\")", "IP Address parse error during conversion from string: \"bad\"" },
    { "cidr(\"10.0.0.0/8\").containsIP(\"::1\")", "false" },
    { "cidr(\"0.0.0.0/0\").containsIP(\"::1\")", "false" },
    { "cidr(\"10.0.0.0/8\").containsCIDR(\"10.1.0.0/16\")", "true" },
    { "cidr(\"10.1.0.0/16\").containsCIDR(\"10.0.0.0/8\")", "false" },
    { "cidr(\"10.0.0.0/8\").containsCIDR(cidr(\"10.0.0.1/8\"))", "true" },
    { "cidr(\"10.0.0.0/8\").containsCIDR(\"10.0.0.0/33\")", "network address parse error during conversion from string: \"10.0.0.0/33\"" },
    { "isCIDR(\"10.0.0.0/08\")", "false" },
    { "isCIDR(\"10.0.0.0\")", "false" },
    { "isCIDR(\"::ffff:1.2.3.4/100\")", "false" },
    { "cidr(\"::1\").prefixLength() == 1", "network address parse error during conversion from string: \"::1\"" },
};

static const struct row urls[] = {
    { "isURL(\"http://a#b\")", "false" },
    { "isURL(\"http://a/#b\")", "true" },
    { "isURL(\"http://a/?%zz\")", "true" },
    { "isURL(\"http://a/%zz\")", "false" },
    { "isURL(\"http://a:80:90/\")", "true" },
    { "isURL(\"http://[::1%25en0]:80/\")", "true" },
    { "isURL(\"http://[1.2.3.4]/\")", "false" },
    { "isURL(\"http://u ser@a/\")", "false" },
    { "isURL(\"//a b\")", "true" },
    { "isURL(\"a\")", "false" },
    { "isURL(\"\")", "false" },
    { "isURL(\"*\")", "true" },
    { "url(\"HTTPS://A.B:1/p q?x=1&x=2\").getEscapedPath() == \"/p%20q\"", "true" },
    { "url(\"HTTPS://A.B:1/\").getScheme() == \"https\"", "true" },
    { "url(\"https://A.B:1/\").getHost() == \"A.B:1\"", "true" },
    { "url(\"https://A.B:1/\").getHostname() == \"A.B\"", "true" },
    { "url(\"https://[::1]:80/\").getHostname() == \"::1\"", "true" },
    { "url(\"https://[::1]:80/\").getPort() == \"80\"", "true" },
    { "url(\"https://a/\").getPort() == \"\"", "true" },
    { "url(\"https://%C3%A9.b/\").getHost() == \"\\u00e9.b\"", "true" },
    { "url(\"mailto:a@b\").getEscapedPath() == \"\"", "true" },
    { "url(\"/a%2Fb*c'(d)\").getEscapedPath() == \"/a%2Fb*c'(d)\"", "true" },
    { "url(\"/a%2Fb^\").getEscapedPath() == \"/a/b%5E\"", "true" },
    { "url(\"https://a/p?x=1&y=%20z&x=+3&;=4&%zz=5&=6\").getQuery() == {\"x\": [\"1\", \" 3\"], \"y\": [\" z\"], \"\": [\"6\"]}", "true" },
    { "url(\"https://a/p?\").getQuery() == {}", "true" },
    { "url(\"https://a/p?x\").getQuery() == {\"x\": [\"\"]}", "true" },
    { "url(\"https://a/p#x=1\").getQuery() == {}", "true" },
    { "url(\"https://a/b%20c\") == url(\"https://a/b c\")", "true" },
    { "url(\"https://u:p%40@a/?#f\") == url(\"HTTPS://u:p%40@a/?#f\")", "true" },
    { "url(\"https://a\") == url(\"https://a/\")", "false" },
    { "url(\"a\").getHost() == \"\"", "URL parse error during conversion from string: parse \"a\": invalid URI for request" },
    { "url(\"https://a b/\").getHost() == \"\"", "URL parse error during conversion from string: parse \"https://a b/\": invalid character \" \" in host name" },
    { "url(\"https://a:b/\").getHost() == \"\"", "URL parse error during conversion from string: parse \"https://a:b/\": invalid port \":b\" after host" },
    { "url(\"/#%zz\").getHost() == \"\"", "URL parse error during conversion from string: parse \"/#%zz\": invalid URL escape \"%zz\"" },
    { "url(\"//a b/\").getHost() == \"\"", "URL parse error during conversion from string: parse \"//a b/\": invalid character \" \" in host name" },
};

static const struct row formats[] = {
    { "format.dns1123Label().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value() == [\"must be no more than 63 characters\"]", "true" },
    { "format.dns1035Label().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value() == [\"must be no more than 63 characters\"]", "true" },
    { "format.labelValue().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value() == [\"must be no more than 63 bytes\"]", "true" },
    { "format.qualifiedName().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value() == [\"name part must be no more than 63 bytes\"]", "true" },
    { "format.dns1123Subdomain().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value() == [\"must be no more than 253 characters\"]", "true" },
    { "format.qualifiedName().validate(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b\").value() == [\"prefix part must be no more than 253 bytes\"]", "true" },
    { "format.uri().validate(\"http://[1.2.3.4]\").value() == [\"parse \\\"http://[1.2.3.4]\\\": invalid IP-literal\"]", "true" },
    { "format.dns1123Label().validate(\"my-name\").hasValue()", "false" },
    { "format.dns1123Label().validate(\"a.b\").value() == [\"must not contain dots\"]", "true" },
    { "format.dns1123Label().validate(\"A\" + \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\").value().size() == 2", "true" },
    { "format.dns1123Label().validate(\"-\").value() == [\"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\"]", "true" },
    { "format.dns1123LabelPrefix().validate(\"a-\").hasValue()", "false" },
    { "format.dns1123LabelPrefix().validate(\"-\").hasValue()", "true" },
    { "format.dns1035Label().validate(\"1a\").value() == [\"a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\"]", "true" },
    { "format.dns1035LabelPrefix().validate(\"a1-\").hasValue()", "false" },
    { "format.dns1123Subdomain().validate(\"a..b\").value() == [\"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\"]", "true" },
    { "format.dns1123SubdomainPrefix().validate(\"a.-\").hasValue()", "false" },
    { "format.labelValue().validate(\"\").hasValue()", "false" },
    { "format.labelValue().validate(\"a b\").value() == [\"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\"]", "true" },
    { "format.qualifiedName().validate(\"A.b/C_d\").value()[0] == \"prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\"", "true" },
    { "format.qualifiedName().validate(\"/\").value() == [\"prefix part must be non-empty\", \"name part must be non-empty\", \"name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\"]", "true" },
    { "format.qualifiedName().validate(\"a/b/c\").value() == [\"a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')\"]", "true" },
    { "format.uri().validate(\"a\").value() == [\"parse \\\"a\\\": invalid URI for request\"]", "true" },
    { "format.uri().validate(\"http://a:b\").value() == [\"parse \\\"http://a:b\\\": invalid port \\\":b\\\" after host\"]", "true" },
    { "format.uri().validate(\"http://a b\").value() == [\"parse \\\"http://a b\\\": invalid character \\\" \\\" in host name\"]", "true" },
    { "format.uri().validate(\"/a\").hasValue()", "false" },
    { "format.uuid().validate(\"123e4567E89B12D3-a456-426614174000\").hasValue()", "false" },
    { "format.uuid().validate(\"123e4567-e89b-12d3-a456-42661417400\").value() == [\"does not match the UUID format\"]", "true" },
    { "format.byte().validate(\"aGk=\").hasValue()", "false" },
    { "format.byte().validate(\"\").value() == [\"invalid base64\"]", "true" },
    { "format.date().validate(\"2024-02-29\").hasValue()", "false" },
    { "format.date().validate(\"2023-02-29\").value() == [\"invalid date\"]", "true" },
    { "format.datetime().validate(\"2024-02-29t23:59:59é1z\").hasValue()", "false" },
    { "format.datetime().validate(\"2024-02-29T24:00:00Z\").value() == [\"invalid datetime\"]", "true" },
    { "format.datetime().validate(\"2024-02-29T00:00:00\").hasValue()", "true" },
    { "format.named(\"uuid\").value() == format.uuid()", "true" },
    { "format.named(\"UUID\").hasValue()", "false" },
    { "format.byte() == format.date()", "false" },
    { "dyn(format.byte()) == dyn(\"byte\")", "no such overload" },
    { "cel.bind(o, optional.of(format.byte()), o.value() == format.byte())", "true" },
};

/* A capacity of the input that is big: it is changed by add() in the evaluation, and as it was in the next. */
static const struct row own_rows[] = {
    { "device.capacity[\"gpu.acme.dev\"].big.add(1) == quantity(\"1610612737\") && device.capacity[\"gpu.acme.dev\"].big == quantity(\"1610612737\")", "true" },
    { "device.capacity[\"gpu.acme.dev\"].big.add(1).add(1) == device.capacity[\"gpu.acme.dev\"].big && device.capacity[\"gpu.acme.dev\"].big == quantity(\"1610612738\")", "true" },
    { "device.capacity[\"gpu.acme.dev\"].big.sub(quantity(\"1Gi\")).isGreaterThan(quantity(\"0.5Gi\"))", "false" },
    { "device.capacity[\"gpu.acme.dev\"].big == quantity(\"1.5Gi\")", "true" },
};

static void test_quantities(void **state)
{
    (void)state;
    check_rows(quantities, COUNT(quantities));
}

static void test_versions(void **state)
{
    (void)state;
    check_rows(versions, COUNT(versions));
}

static void test_addresses(void **state)
{
    (void)state;
    check_rows(addresses, COUNT(addresses));
}

static void test_urls(void **state)
{
    (void)state;
    check_rows(urls, COUNT(urls));
}

static void test_formats(void **state)
{
    (void)state;
    check_rows(formats, COUNT(formats));
}

static void test_changes_of_the_input(void **state)
{
    (void)state;
    check_rows(own_rows, COUNT(own_rows));
}

/* ---- as people write them ---- */

static const char *printed(const struct cel_value *value)
{
    struct text text;
    text_init(&text, &arena);
    cel_value_print(&text, value, 1000);
    return text_end(&text);
}

static struct cel_value call(struct cel_evaluation *evaluation, cel_implementation *function, struct cel_value a, struct cel_value b)
{
    const struct cel_value arguments[] = { a, b };
    return function(&(struct cel_invocation){ .evaluation = evaluation, .arguments = arguments, .count = 2 });
}

/* The canonical form of sums, as Kubernetes writes it, but that it forgets the exponent of large decimals. */
static void test_printed_sums(void **state)
{
    static const struct { const char *a, *b, *sum; } rows[] = {
        { "40Gi", "0", "40Gi" }, { "1Gi", "1Gi", "2Gi" }, { "512Mi", "512Mi", "1Gi" }, { "1Gi", "1", "1073741825" }, { "1Ki", "-1", "1023" },
        { "1Ki", "-1Ki", "0" }, { "0", "1Gi", "1Gi" }, { "1.5Ki", "0", "1536" }, { "1500m", "500m", "2" }, { "1500m", "1m", "1501m" },
        { "1k", "1", "1001" }, { "999k", "1k", "1M" }, { "1e3", "1e3", "2e3" }, { "1e30", "0", "1e30" }, { "1n", "1n", "2n" },
        { "-1Gi", "-1Gi", "-2Gi" }, { "9E", "9E", "18E" }, { "1E", "1E", "2E" }, { "10", "90", "100" }, { "1e-9", "0", "1e-9" }, { "15e-1", "0", "1500e-3" },
        { "1000E", "0", "1e21" },
    };
    struct cel_evaluation evaluation = { .arena = &arena };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cel_value none = cel_boolean(false);
        struct cel_value a = call(&evaluation, call_quantity, cel_string(bytes_of(rows[i].a)), none);
        struct cel_value b = call(&evaluation, call_quantity, cel_string(bytes_of(rows[i].b)), none);
        EXPECT(strcmp(printed(&a), rows[i].a) == 0, "%s: %s", rows[i].a, printed(&a));
        struct cel_value sum = call(&evaluation, call_quantity_add, a, b);
        EXPECT(strcmp(printed(&sum), rows[i].sum) == 0, "%s + %s: %s", rows[i].a, rows[i].b, printed(&sum));
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_printed_objects(void **state)
{
    static const struct { cel_implementation *function; const char *text, *shown; } rows[] = {
        { call_semver, "1.2.3-rc.1+b5", "1.2.3-rc.1+b5" }, { call_ip, "2001:DB8::0:1", "2001:db8::1" }, { call_ip, "1.2.3.4", "1.2.3.4" },
        { call_cidr, "2001:DB8::0:1/9", "2001:db8::1/9" }, { call_cidr, "1.2.3.4/0", "1.2.3.4/0" }, { call_url, "HTTPS://A/b c?", "https://A/b%20c?" },
        { call_url, "mailto:a", "mailto:a" }, { call_url, "x:/a", "x:/a" }, { call_url, "x:///a", "x:///a" }, { call_url, "/a:b", "/a:b" }, { call_url, "*", "*" },
        { call_url, "http://u:p@h:1/#f g", "http://u:p@h:1/#f%20g" }, { call_url, "http://[fe80::1%25%65n0]/", "http://[fe80::1%25en0]/" },
    };
    struct cel_evaluation evaluation = { .arena = &arena };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cel_value argument = cel_string(bytes_of(rows[i].text));
        struct cel_value value = rows[i].function(&(struct cel_invocation){ .evaluation = &evaluation, .arguments = &argument, .count = 1 });
        EXPECT(strcmp(printed(&value), rows[i].shown) == 0, "%s: %s", rows[i].text, printed(&value));
    }
    arena_clear(&arena);
    assert_rows();
}

/* ---- bounds ---- */

#define TEN(body) "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(i, " body ")"

static void test_limits(void **state)
{
    static const struct row rows[] = {
        { "quantity(\"1e8000\").add(1).isInteger()", "false" },
        { "quantity(\"1e20000\").add(1).isInteger()", "the sum of the quantities has too many digits" },
        { "isQuantity(\"1e1000001\")", "false" },
        { TEN(TEN(TEN(TEN("quantity(\"1e16000\").add(1) == quantity(\"1e16000\").add(1) || true")))), "the evaluation takes too long" },
    };
    double before = cpu_seconds();
    (void)state;
    check_rows(rows, COUNT(rows));
    assert_true(cpu_seconds() - before < 2 * slowness());
}

/* A version and a URL at their bound, and beyond. */
static void test_long_texts(void **state)
{
    struct cel_evaluation evaluation = { .arena = &arena };
    (void)state;
    for (unsigned over = 0; over < 2; over++) {
        struct bytes version = repeated("1", LIMIT_SEMVER_BYTES - 6 + over, ""), url = repeated("/", LIMIT_URL_BYTES + over, "");
        const char *error;
        char *text = malloc(LIMIT_SEMVER_BYTES + 2);
        assert_non_null(text);
        sprintf(text, "1.2.3-a%.*s", (int)version.length - 1, version.data);
        EXPECT((semver_object(&arena, bytes_of(text), false, &error) != NULL) == !over, "%u", over);
        struct cel_invocation is_url = { .evaluation = &evaluation, .arguments = &(struct cel_value){ .type = CEL_STRING, .text = url }, .count = 1 };
        EXPECT(call_is_url(&is_url).boolean == !over, "%u", over);
        free(text);
        free_copy(version);
        free_copy(url);
    }
    arena_clear(&arena);
    assert_rows();
}

/* Every expression, with every allocation of its evaluation failing in turn. */
static void test_memory(void **state)
{
    static const char *const texts[] = {
        "device.capacity[\"gpu.acme.dev\"].memory.compareTo(quantity(\"1.5Gi\")) == device.capacity[\"gpu.acme.dev\"].big.add(1).compareTo(quantity(\"1m\"))",
        "quantity(\"1.5Gi\").add(quantity(\"7m\")).asApproximateFloat() > 1.0",
        "semver(\"v1\", true).major() == 1 && isSemver(\"1\", true) && isQuantity(\"1.5Gi\")",
        "cidr(\"1.2.3.4/8\").masked().ip() == ip(\"1.0.0.0\")",
        "url(\"http://u:p%20@a/%20?a=%20&a=b&c=d\").getQuery().size() == 2 && url(\"HTTP://[::1%25a]/%ff#x\").getEscapedPath() == \"/%FF\"",
        "format.qualifiedName().validate(\"/\").value().size() == 3 && format.uri().validate(\"a\").hasValue()",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct cel_value device = make_device(&arena);
        const struct cel_program *program = compile(texts[i]);
        size_t good = 0;
        for (size_t limit = 0; limit < 4000; limit += 8) {
            struct arena own;
            struct cel_result result;
            arena_init(&own, &memory_malloc, limit);
            assert_int_equal(cel_evaluate(program, &device, &own, &result), FAILURE_NONE);
            if (result.value.type == CEL_ERROR)
                EXPECT(strcmp(result.value.fault.words, "the evaluation needs too much memory") == 0, "%s: %s", texts[i], result.value.fault.words);
            else
                good++;
            arena_done(&own);
        }
        EXPECT(good > 0, "%s", texts[i]);
        arena_clear(&arena);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_urls),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_changes_of_the_input),
        cmocka_unit_test(test_printed_sums),
        cmocka_unit_test(test_printed_objects),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("cel_objects", tests, start_arena, end_arena);
}
