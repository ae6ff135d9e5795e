# SPDX-License-Identifier: Apache-2.0
# Completion of tracetool for fish. The program itself says what may follow.

function __tracetool_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l current (commandline -ct)
    for line in ($words[1] completion --words $words[2..-1] 2>/dev/null)
        switch $line
            case ':files'
                # Of "--output=FILE" only the file.
                set -l before ''
                string match -qr -- '^--[a-z-]*=' $current
                and set before (string match -r -- '^--[a-z-]*=' $current)
                for file in (__fish_complete_path (string replace -r -- '^--[a-z-]*=' '' $current))
                    echo -- $before$file
                end
            case ':partial'
            case '*'
                echo -- $line
        end
    end
end

complete -c tracetool -f -a '(__tracetool_complete)'
