/* How the status page looks: light and dark, from a phone's width up; and the policy that allows no other style. */
#include "observe/page.h"

#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>

#include "observe/page_parts.h"
#include "pki/pki.h"

/* In pieces: compilers need not take longer texts. */
const char *const page_style[] = {
    ":root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2129;--soft:#5a6572;--line:#dfe3e8;"
    "--allowed:#2f8f6b;--warned:#d9951a;--denied:#cf3f35;--skipped:#a3adb8;--bad:#7d5cc4;--too_large:#b48ae0;--failed:#1b2129;"
    "--good-ink:#1d6b4e;--good-bg:#e0f2ea;--warn-ink:#8a5a00;--warn-bg:#fbefd5;--bad-ink:#a82a21;--bad-bg:#fbe3e1}"
    "@media(prefers-color-scheme:dark){:root{--bg:#12161b;--card:#1a2027;--ink:#e8ecf1;--soft:#9aa7b5;--line:#2d3640;"
    "--allowed:#3fae84;--warned:#e5ac3d;--denied:#ea6459;--skipped:#66727f;--bad:#9d80dc;--too_large:#c9a8ef;--failed:#f4f6f8;"
    "--good-ink:#7fd8b2;--good-bg:#17372b;--warn-ink:#f0c878;--warn-bg:#3c2f14;--bad-ink:#ff9d94;--bad-bg:#431f1c}}",

    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    "main{max-width:1180px;margin:0 auto;padding:28px 20px 40px;display:grid;gap:18px;grid-template-columns:repeat(12,minmax(0,1fr))}"
    "header,.tiles,.chart,footer{grid-column:1/-1}"
    "header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 14px}"
    "h1{font-size:24px;line-height:1.2;margin:0;letter-spacing:-.01em}"
    "header p{margin:0;color:var(--soft);flex-basis:100%}"
    "h2{font-size:15px;margin:0 0 12px}"
    "h2 span{color:var(--soft);font-weight:400}"
    ".pill{font-size:13px;font-weight:600;padding:2px 11px;border-radius:99px;white-space:nowrap}"
    ".good{color:var(--good-ink);background:var(--good-bg)}.warn{color:var(--warn-ink);background:var(--warn-bg)}"
    ".bad{color:var(--bad-ink);background:var(--bad-bg)}"
    ".tiles{display:grid;gap:12px;grid-template-columns:repeat(6,minmax(0,1fr));margin:0}"
    ".tiles div,section{background:var(--card);border:1px solid var(--line);border-radius:10px}"
    ".tiles div{padding:12px 16px;display:flex;flex-direction:column}"
    ".tiles dt{color:var(--soft);font-size:13px}"
    ".tiles dd{margin:0;font-size:25px;font-weight:600;line-height:1.25;letter-spacing:-.01em}"
    ".tiles dd+dd{font-size:13px;font-weight:400;color:var(--soft);letter-spacing:0}"
    "section{padding:16px 18px 18px;min-width:0}"
    ".rules{grid-column:span 5}.slow{grid-column:span 7}.load,.refused,.ends{grid-column:span 4}"
    ".plot{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 10px}"
    ".plot svg{width:100%;height:200px;display:block;border-bottom:1px solid var(--soft)}"
    ".y{display:flex;flex-direction:column;justify-content:space-between;text-align:right;color:var(--soft);font-size:12px;"
    "line-height:1;margin:-5px 0 -5px}"
    ".x{grid-column:2;display:flex;justify-content:space-between;color:var(--soft);font-size:12px}"
    ".grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}"
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;margin:12px 0 0;padding:0;font-size:14px}"
    ".legend svg{width:11px;height:11px;margin-right:7px}"
    ".legend b{margin-left:6px}"
    ".none{color:var(--soft)}.none b{color:inherit;font-weight:400}"
    ".allowed{fill:var(--allowed)}.warned{fill:var(--warned)}.denied{fill:var(--denied)}.skipped{fill:var(--skipped)}"
    ".bad_review{fill:var(--bad)}.too_large{fill:var(--too_large)}.failed{fill:var(--failed)}"
    "table{width:100%;border-collapse:collapse;font-size:14px}"
    "th{font-weight:500;color:var(--soft);font-size:13px;text-align:left;padding:0 0 5px 12px;white-space:nowrap}"
    "td small{overflow-wrap:anywhere}.slow small{display:inline}"
    "td{padding:6px 0 6px 12px;border-top:1px solid var(--line);vertical-align:top}"
    "th:first-child,td:first-child{padding-left:0}"
    ".n{text-align:right;white-space:nowrap;overflow-wrap:normal}"
    "small{color:var(--soft);font-size:13px;display:block;line-height:1.35}"
    ".rule{font-weight:600}"
    ".zero{color:var(--soft)}"
    "section p{margin:0;color:var(--soft)}section p+p{margin-top:8px}"
    "code{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;color:var(--ink);overflow-wrap:anywhere}"
    "footer{color:var(--soft);font-size:13px}"
    "a{color:inherit}"
    "@media(max-width:900px){.rules,.slow,.load,.refused,.ends{grid-column:1/-1}.tiles{grid-template-columns:repeat(3,minmax(0,1fr))}}"
    "@media(max-width:560px){main{padding:18px 12px 28px;gap:12px}.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:8px}"
    "section{padding:14px 14px 16px}.plot svg{height:150px}.tiles div{padding:10px 12px}.tiles dd{font-size:22px}.wide{display:none}"
    ".slow table{font-size:13px}.slow th,.slow td{padding-left:8px}.slow small{display:block;font-size:12px}"
    ".slow td:first-child{padding-left:0;overflow-wrap:anywhere}.slow th:first-child{padding-left:0}}",
    NULL,
};

static bool hash_style(unsigned char digest[PKI_DIGEST_BYTES])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    for (const char *const *piece = page_style; good && *piece; piece++)
        good = EVP_DigestUpdate(context, *piece, strlen(*piece)) == 1;
    good = good && EVP_DigestFinal_ex(context, digest, NULL) == 1;
    EVP_MD_CTX_free(context);
    return good;
}

bool page_policy(char policy[PAGE_POLICY_BYTES])
{
    unsigned char digest[PKI_DIGEST_BYTES], encoded[(PKI_DIGEST_BYTES + 2) / 3 * 4 + 1]; /* base64 */
    if (!hash_style(digest))
        return false;
    EVP_EncodeBlock(encoded, digest, sizeof digest);
    int length = snprintf(policy, PAGE_POLICY_BYTES, "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; "
                          "frame-ancestors 'none'", (const char *)encoded);
    return length > 0 && length < PAGE_POLICY_BYTES;
}
