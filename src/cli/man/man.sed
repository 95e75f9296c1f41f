# After `lowdown -s -Tman`: what readers of man pages are used to. For `sed -z`, so that a pattern may span lines.

# The term of a definition list is a tagged paragraph, not a paragraph with the next one moved up.
s/\.LP\n\([^\n]*\)\n\.if n \\\n\.sp -1v\n\.if t \\\n\.sp -0\.25v\n\.IP "" 5n\n/.TP 5\n\1\n/g

# A heading on one line. No paragraph right after it, and none that is empty because a picture was left out.
s/\n\.S\([HS]\)\n\([^\n]*\)/\n.S\1 \2/g
s/\(\n\.S[HS] [^\n]*\)\n\.LP\n/\1\n/g
s/\n\.[LP]P\(\n\.[LPS]\)/\1/g

# Numbers of a list have room; code is bold, as a terminal has no constant-width font.
s/\n\.IP "\([0-9]*\.\)  "/\n.IP "\1" 4/g
s/\\fC/\\fB/g
