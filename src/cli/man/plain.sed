# A manual page in Markdown as plain text, for `drawbridge help`: the marks of emphasis, code, links and definitions go.

# Code is indented, and nothing in it is changed.
/^```/,/^```/ {
    /^```/d
    s/^\(.\)/    \1/
    b
}

/^<img /,/^$/d
/^|[-|]*|$/d
s/^#\+ //
s/^:   /    /
s/\[\([^]]*\)\]([^)]*)/\1/g
s/\*\*//g
s/\*\([^* ][^*]*\)\*/\1/g
s/`//g
