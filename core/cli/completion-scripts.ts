/** Shells supported by `engine completion`. */
export const completionShells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof completionShells)[number];

/**
 * Scripts that call `engine __complete -- WORDS…` for candidates. Each output line is a word, a tab and its
 * description; the line `:files` represents file names. For `--option=value`, bash completes the value, the other
 * shells the whole word.
 */
export const completionScripts: Readonly<Record<CompletionShell, string>> = {
  bash: `# Completion of engine for bash: eval "$(engine completion bash)" in ~/.bashrc.
_engine() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]#=}")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _engine engine
`,
  zsh: `#compdef engine
# Completion of engine for zsh: eval "$(engine completion zsh)" in ~/.zshrc, after compinit.
# Alternative: save it as _engine in a folder of $fpath.
_engine() {
  local line word meaning files ret=1
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=yes
    else
      word=\${line%%$'\\t'*}
      meaning=\${line#*$'\\t'}
      [[ $meaning == "$line" ]] && meaning=
      found+=("\${word//:/\\\\:}\${meaning:+:$meaning}")
    fi
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -t engine engine found && ret=0
  fi
  if [[ -n $files ]]; then
    compset -P '--[a-z-]##='
    _files && ret=0
  fi
  return ret
}
if [[ \${funcstack[1]} == _engine ]]; then
  _engine "$@"
else
  compdef _engine engine
fi
`,
  fish: `# Completion of engine for fish: engine completion fish | source in ~/.config/fish/config.fish.
function __engine_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ($words[1] __complete -- $words[2..-1] "$last" 2>/dev/null)
        if test "$line" = ':files'
            set -l parts (string match -r -- '^((?:--[a-z-]+=)?)(.*)$' "$last")
            for file in (__fish_complete_path "$parts[3]")
                printf '%s%s\\n' "$parts[2]" $file
            end
        else
            printf '%s\\n' $line
        end
    end
end
complete -c engine -f -a '(__engine_complete)'
`,
};
