/* Which TLS is spoken; the peer of `make bench` speaks the same. */
#ifndef DRAWBRIDGE_SERVE_PRIORITIES_H
#define DRAWBRIDGE_SERVE_PRIORITIES_H

/* TLS 1.2 and 1.3 with AES-GCM, elliptic curves only, no finite field groups (one handshake with ffdhe8192 costs 288 ms) and no
 * signatures below SHA-256. */
#define TLS_PRIORITIES                                                                                                       \
    "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+AES-128-GCM:+AES-256-GCM:+AEAD:+ECDHE-ECDSA:+ECDHE-RSA:+GROUP-X25519:+GROUP-SECP256R1:"  \
    "+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SECP384R1-SHA384:+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SHA384:+SIGN-EDDSA-ED25519:"     \
    "+SIGN-RSA-PSS-RSAE-SHA256:+SIGN-RSA-PSS-RSAE-SHA384:+SIGN-RSA-SHA256:+SIGN-RSA-SHA384:+COMP-NULL:%SERVER_PRECEDENCE"

#endif
