/* Names of certificates as Go compares them: with the name that a client asked for, and with a CA's name constraints.
 * Source: Go 1.26, crypto/x509/verify.go (VerifyHostname) and constraints.go. */
#ifndef DRAWBRIDGE_PKI_MATCH_H
#define DRAWBRIDGE_PKI_MATCH_H

#include "pki/facts.h"

/* Whether a client that asks for `name` takes the certificate; the common name does not count. */
bool pki_match_name(const struct pki_facts *facts, const struct pki_name *name) MUST_USE;

enum pki_match { PKI_MATCH_GOOD, PKI_MATCH_VIOLATED, PKI_MATCH_LIMIT };

/* Whether the names of `child` keep to the constraints of `authority`. *name is the first that does not; *comparisons counts up
 * to LIMIT_NAME_COMPARISONS. */
enum pki_match pki_match_constraints(const struct pki_facts *child, const struct pki_facts *authority, size_t *comparisons,
                                     const GENERAL_NAME **name) MUST_USE;

#endif
