import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isInstalled } from '../../scripts/setup/browser.mjs';
import { engineArguments, engineEnvironment, type TestHome } from '../harness/engine-command.ts';

/** Returns the completions offered by Tab at the end of a line, sorted. */
export type CompletionRequest = (line: string) => string[];

/** Tests that need a program; they are skipped, with the reason in the title, where it is missing. */
export function describeWithProgram(program: string, name: string, define: () => void): void {
  const missing = isInstalled(program) ? '' : ` (missing here: ${program})`;
  describe.skipIf(missing !== '')(`${name}${missing}`, () => {
    define();
  });
}

/** Puts `engine` on the path of the workspace; returns how to run a shell there. */
function prepare(home: TestHome): (shell: string, args: readonly string[], input?: string) => string {
  const command = [process.execPath, ...engineArguments([])].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(home.cwd, 'engine'), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(home.cwd, 'engine'), 0o755);
  const env = engineEnvironment(home, {
    PATH: `${home.cwd}:${process.env['PATH']}`,
    HOME: home.cwd,
    ZDOTDIR: home.cwd,
    TERM: 'xterm',
  });
  return (shell, args, input = '') => {
    const options = { cwd: home.cwd, env, encoding: 'utf8', input, timeout: 25_000 } as const;
    const { stdout, stderr, status } = spawnSync(shell, args, options);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
}

const toOffers = (text: string): string[] => text.split('\n').filter(Boolean).toSorted();

/** Bash, with the words of the line passed to its completion function. */
export function openBash(home: TestHome): CompletionRequest {
  const run = prepare(home);
  const script = `
    eval "$(engine completion bash)"
    COMP_LINE=$1 COMP_POINT=\${#1}
    read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _engine
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return (line) => toOffers(run('bash', ['-c', script, 'bash', line]));
}

/** Bash on a terminal; returns the line after Tab was pressed at its end. */
export function openBashTerminal(home: TestHome): (line: string) => string {
  const run = prepare(home);
  const rcFile = join(home.cwd, '.bashrc');
  const lineFile = join(home.cwd, '.line');
  const endOfLine = String.raw`bind -x '"\C-o": printf "%s" "$READLINE_LINE" >"$HOME/.line"; exit'`;
  writeFileSync(rcFile, `eval "$(engine completion bash)"\n${endOfLine}\n`);
  return (line) => {
    run('script', ['-qec', `bash --noprofile --rcfile ${rcFile} -i`, '/dev/null'], `${line}\t\u000F`);
    return readFileSync(lineFile, 'utf8');
  };
}

/** The output of its own `complete -C`, without descriptions. */
export function openFish(home: TestHome): CompletionRequest {
  const run = prepare(home);
  const script = 'engine completion fish | source; complete -C $argv[1]';
  return (line) =>
    toOffers(run('fish', ['--no-config', '-c', script, '--', line])).map((offer) => offer.split('\t', 1)[0]!);
}

/** Setup of the shell in the terminal before typing: print completions, and exit. */
const zshrc = `
  PS1=
  autoload -Uz compinit
  compinit -u -d "$HOME/.zcompdump"
  LOAD
  # Every match is added with this; with -O, -A or -D somebody only wants to know which there are.
  compadd() {
    if [[ \${(@)argv[1,(i)(-|--)]} == *-[OAD](|\\ *) ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -O hits "$@"
    (( \${#hits} )) && print -rl -- $hits >>"$HOME/.offers"
    builtin compadd "$@"
  }
  end-of-offers() { print END-OF-OFFERS; exit }
  comppostfuncs=(end-of-offers)
  bindkey '^I' complete-word
  print READY
`;

/** Zsh types into another zsh on a terminal, whose completion prints its matches. */
const zshDriver = `
  zmodload zsh/zpty
  zpty shell zsh -d -i
  zpty -r shell text '*READY*'
  zpty -w -n shell "$1"$'\\t'
  zpty -r shell text '*END-OF-OFFERS*'
  zpty -d shell
  cat "$HOME/.offers"
`;

/**
 * Zsh on a terminal.
 * @param load how its start-up file loads the completion
 */
export function openZsh(home: TestHome, load = 'eval "$(engine completion zsh)"'): CompletionRequest {
  const run = prepare(home);
  return (line) => {
    // Rewritten: some settings must precede `compinit`.
    writeFileSync(join(home.cwd, '.zshrc'), placeLoad(load));
    writeFileSync(join(home.cwd, '.offers'), '');
    return toOffers(run('zsh', ['-f', '-c', zshDriver, 'zsh', line]));
  };
}

/** `compinit` searches a functions folder; a script must be sourced after it. */
const placeLoad = (load: string): string =>
  load.startsWith('fpath') ? `${load}\n${zshrc.replace('LOAD', '')}` : zshrc.replace('LOAD', load);
