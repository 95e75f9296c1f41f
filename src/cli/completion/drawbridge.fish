# Completion of drawbridge in fish: the program itself says what fits.
function __drawbridge_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
        switch $line
            case ':0'
                __fish_complete_path (string replace -r '^--[a-z-]+=' '' -- "$typed")
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c drawbridge -f -a '(__drawbridge_complete)'
