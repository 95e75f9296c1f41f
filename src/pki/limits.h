/* Bounds on certificates and the files in which they are. Some are those of API servers, which are written in Go. */
#ifndef DRAWBRIDGE_PKI_LIMITS_H
#define DRAWBRIDGE_PKI_LIMITS_H

/* ---- files ---- */

/* Bytes of a PEM file. A certificate has about 2 KiB, and a chain is two or three of them; a block has at least 32 bytes, so there are at
 * most 32,768 blocks. */
#define LIMIT_PEM_BYTES (1 << 20)

/* Bytes of a watched file that are compared; what follows them may change without being seen. */
#define LIMIT_DIGEST_FILE_BYTES (16 << 20)

/* CAs in a bundle that clients trust: two, but for rotations that were not finished. */
#define LIMIT_BUNDLE_CAS 8

/* ---- what is issued ---- */

/* Names of one certificate. Every client reads them all at every connection: 100 names of 253 bytes are 25 KiB. */
#define LIMIT_CERTIFICATE_NAMES 100

/* Bits of the RSA key of a server's own certificate, at least. */
#define LIMIT_SERVING_RSA_BITS_MIN 2048

/* ---- what is verified ---- */

/* Signatures that are checked to find a path (Go's maxChainSignatureChecks); a path has no more certificates either. */
#define LIMIT_CHAIN_SIGNATURES 100

/* Name constraints that are compared in one check: a hostile file could ask for 10^9. Real ones have tens. */
#define LIMIT_NAME_COMPARISONS 1000000

/* Bits of an RSA key: Go's crypto/rsa refuses smaller ones, and its crypto/tls larger ones of a server. */
#define LIMIT_RSA_BITS_MIN 1024
#define LIMIT_RSA_BITS 8192

/* Of clients: CAs in one file; certificates that a client may show, of which each costs at most one signature; bits of its RSA key, as API
 * servers have it (to check one signature of a larger key takes milliseconds); bits of that key's exponent (nearly all have 65537, and a
 * check takes as many steps as there are bits). */
#define LIMIT_CLIENT_CAS 100
#define LIMIT_CLIENT_CHAIN 10
#define LIMIT_CLIENT_RSA_BITS 8192
#define LIMIT_EXPONENT_BITS 64

/* ---- what is shown ---- */

/* Problems of one report; further ones are counted. 64 of them fill a screen or two. And the bytes of one's text: two quoted values of at
 * most 256 bytes each, and a sentence. */
#define LIMIT_CERTIFICATE_PROBLEMS 64
#define LIMIT_CERTIFICATE_PROBLEM_BYTES 900

/* Names of one certificate; further ones are counted. And the bytes of a subject or name: a DNS name has at most 253. */
#define LIMIT_SHOWN_NAMES 100
#define LIMIT_ESCAPED_NAME_BYTES 256u

#endif
