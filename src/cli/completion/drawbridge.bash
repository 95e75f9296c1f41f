# Completion of drawbridge in bash: the program itself says what fits.
_drawbridge() {
    local line directive=:0 IFS=$' \t\n'
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :[0-9]*) directive=$line ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # After "--option=" bash completes only what follows the last = or :, as it breaks words there.
    if [[ $directive = :0 && ${#COMPREPLY[@]} -eq 0 ]]; then
        local word=${COMP_WORDS[COMP_CWORD]}
        [[ $word = "=" ]] && word=
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _drawbridge drawbridge
