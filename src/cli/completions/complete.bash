# Completion of houserule in bash; `houserule completions bash` writes it.
_houserule_complete() {
    # Bash parts words also at `=`, `:` and `@`, which belong to words of houserule: they are put together again.
    local line=${COMP_LINE:0:COMP_POINT} words=() blanks word i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blanks=${line%%[![:blank:]]*}
        line=${line:${#blanks}}
        word=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then word=$line; fi
        line=${line:${#word}}
        if ((i == 0)) || [[ -n $blanks ]]; then words+=("$word"); else words[${#words[@]} - 1]+=$word; fi
    done
    local last=$((${#words[@]} - 1)) quote=
    case ${words[last]} in [\"\']*) quote=${words[last]:0:1} words[last]=${words[last]:1} ;; esac
    # What stands behind the last of these marks is what bash replaces, and an `@` with it.
    local marks= mark before=
    for mark in = : @; do if [[ $COMP_WORDBREAKS == *$mark* ]]; then marks+=$mark; fi; done
    if [[ -n $marks && -z $quote ]]; then before=${words[last]%"${words[last]##*[$marks]}"}; fi
    before=${before%@}
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        candidate=${candidate#"$before"}
        if [[ -z $quote && $candidate == *[[:blank:]\'\"\\\$\`\(\)\&\;\|\<\>\*\?\[]* ]]; then printf -v candidate %q "$candidate"; fi
        COMPREPLY+=("$candidate")
    done < <(VARIABLE=bash COMPLETER -- "${words[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/@,:] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o nosort -F _houserule_complete houserule 2>/dev/null || complete -F _houserule_complete houserule
