/* The head of the page of --format html: what it may load, which is nothing, and its style. */
#ifndef DRAWBRIDGE_CLI_REPORT_HTML_H
#define DRAWBRIDGE_CLI_REPORT_HTML_H

#define PAGE_HEAD \
    "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n" \
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " \
    "form-action 'none'\">\n" \
    "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<meta name=color-scheme content=\"light dark\">\n" \
    "<title>drawbridge</title>\n<style>\n" \
    ":root{--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--box:#f6f8fa;--error:#b3261e;--warning:#8a5300;--info:#0b57d0;" \
    "--mark:#ffe08a}\n" \
    "@media(prefers-color-scheme:dark){:root{--back:#14171b;--text:#e6e9ed;--soft:#a3acb6;--line:#353c44;--box:#1d2228;--error:#ff9a91;" \
    "--warning:#f2b84b;--info:#8ab8ff;--mark:#6b5200}}\n" \
    "*{box-sizing:border-box}\n" \
    "body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}\n" \
    "h1{font-size:1.5rem;margin:0}h3{font-size:1rem;margin:0;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}\n" \
    "p{margin:.5rem 0;overflow-wrap:anywhere}header p,footer,.w,.n{color:var(--soft)}.w{font-weight:400;overflow-wrap:anywhere}\n" \
    ".o{overflow-wrap:anywhere}\n" \
    "fieldset{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}\n" \
    "label,summary{cursor:pointer;padding:.125rem 0}:focus-visible{outline:2px solid var(--info);outline-offset:2px}\n" \
    "article{border:1px solid var(--line);border-left:.375rem solid;border-radius:.5rem;padding:.75rem 1rem;margin:1rem 0}\n" \
    "article.error{border-left-color:var(--error)}article.warning{border-left-color:var(--warning)}" \
    "article.info{border-left-color:var(--info)}\n" \
    ".error .s{color:var(--error)}.warning .s{color:var(--warning)}.info .s{color:var(--info)}\n" \
    "code,pre,.r{font-family:ui-monospace,monospace;font-size:.875rem}.r{color:var(--soft);border:1px solid var(--line);" \
    "border-radius:.25rem;padding:0 .375rem;white-space:nowrap}\n" \
    "pre{background:var(--box);border-radius:.375rem;padding:.5rem;margin:.5rem 0;overflow-x:auto}\n" \
    ".n{display:inline-block;min-width:3rem;padding-right:1rem;text-align:right;user-select:none}\n" \
    "mark{background:var(--mark);color:inherit;border-radius:.125rem;box-shadow:0 0 0 .125rem var(--mark)}\n" \
    ".h::before{content:\"Hint: \";font-weight:600}\n" \
    "body:has(#f-error:not(:checked)) .error,body:has(#f-warning:not(:checked)) .warning,body:has(#f-info:not(:checked)) .info" \
    "{display:none}\n"

#endif
