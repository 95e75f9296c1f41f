#compdef drawbridge
# Completion of drawbridge in zsh: the program itself says what fits.
_drawbridge() {
    local line directive=:0
    local -a candidates
    while IFS= read -r line; do
        case $line in
            :[0-9]*) directive=$line ;;
            *) line=${line//:/\\:}; candidates+=("${line/$'\t'/:}") ;;
        esac
    done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( ${#candidates} )) && _describe -V drawbridge candidates
    if [[ $directive == :0 ]]; then
        compset -P '--*='
        _files
    fi
}
if [ "$funcstack[1]" = "_drawbridge" ]; then
    _drawbridge "$@"
else
    compdef _drawbridge drawbridge
fi
