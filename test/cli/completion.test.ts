import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInstalled } from '../../scripts/setup/browser.mjs';
import { describeOnPostgres, newSchemaUrl } from '../harness/databases.ts';
import { defaultVersions, sharePostgres } from '../harness/servers/postgres.ts';
import {
  engineArguments,
  engineEnvironment,
  type TestHome,
  makeTestHome,
  runEngine,
  saveDag,
} from '../harness/home-and-command.ts';

/** Returns the completions offered by Tab at the end of a line, sorted. */
export type CompletionRequest = (line: string) => string[];

/** Tests that need a program; they are skipped, with the reason in the title, where it is missing. */
function describeWithProgram(program: string, name: string, define: () => void): void {
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

/** Prints the script that {@link setUpHome} has saved, so that not every line starts another `engine`. */
const savedScript = 'cat "$HOME/.completion"';

/**
 * Bash, with the words of the line passed to its completion function.
 * @param print the command that prints its script
 */
function openBash(home: TestHome, print: string): CompletionRequest {
  const run = prepare(home);
  const script = `
    eval "$(${print})"
    COMP_LINE=$1 COMP_POINT=\${#1}
    read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _engine
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return (line) => toOffers(run('bash', ['-c', script, 'bash', line]));
}

/** Bash on a terminal; returns the line after Tab was pressed at its end. */
function openBashTerminal(home: TestHome): (line: string) => string {
  const run = prepare(home);
  const rcFile = join(home.cwd, '.bashrc');
  const lineFile = join(home.cwd, '.line');
  const findLineEnd = String.raw`bind -x '"\C-o": printf "%s" "$READLINE_LINE" >"$HOME/.line"; exit'`;
  writeFileSync(rcFile, `eval "$(engine completion bash)"\n${findLineEnd}\n`);
  return (line) => {
    run('script', ['-qec', `bash --noprofile --rcfile ${rcFile} -i`, '/dev/null'], `${line}\t\u000F`);
    return readFileSync(lineFile, 'utf8');
  };
}

/** The output of its own `complete -C`, without descriptions. */
function openFish(home: TestHome, print: string): CompletionRequest {
  const run = prepare(home);
  const script = `${print} | source; complete -C $argv[1]`;
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

const openZsh = (home: TestHome, print: string): CompletionRequest => openZshThat(home, `eval "$(${print})"`);

/**
 * Zsh on a terminal.
 * @param load how its start-up file loads the completion
 */
function openZshThat(home: TestHome, load: string): CompletionRequest {
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

/**
 * A home with workflows, a queue and runs, and other files next to it.
 * @param shell whose completion script is saved there
 */
async function setUpHome(shell: string): Promise<TestHome> {
  const place = makeTestHome();
  const { stdout } = await runEngine(place, ['completion', shell]);
  writeFileSync(join(place.cwd, '.completion'), stdout);
  saveDag(place, 'etl', 'queue: nightly\nsteps:\n  - echo\n');
  saveDag(place, 'export', 'steps:\n  - echo\n');
  writeFileSync(join(place.cwd, 'notes.env'), '');
  mkdirSync(join(place.cwd, 'my folder'));
  await runEngine(place, ['start', 'etl', '-r', 'run-1', '-q']);
  await runEngine(place, ['enqueue', 'etl', '-r', 'run-2']);
  return place;
}

const expected = {
  'engine sta': ['start', 'start-all', 'status'],
  'engine queues ': ['drain', 'items', 'list', 'pause', 'resume'],
  'engine start --default': ['--default-working-dir'],
  'engine history --format ': ['json', 'text'],
  'engine users create ada --role o': ['operator'],
  'engine status e': ['engine', 'etl', 'export'],
  'engine status etl --run-id run': ['run-1', 'run-2'],
  'engine dequeue ': ['nightly'],
  'engine --engine-home /nowhere status ex': [],
  'engine nonsense --what ever ': [],
  'engine exec --dotenv no': ['notes.env'],
  'engine exec -- no': ['notes.env'],
};

/** Bash splits at `=`, and zsh completes files after it; fish uses the whole word. */
const behindEquals = {
  bash: {},
  zsh: { 'engine history --format=j': ['--format=json'], 'engine exec --dotenv=no': ['notes.env'] },
  fish: { 'engine history --format=j': ['--format=json'], 'engine exec --dotenv=no': ['--dotenv=notes.env'] },
};

const shells = [
  ['bash', openBash],
  ['zsh', openZsh],
  ['fish', openFish],
] as const;

for (const [shell, open] of shells) {
  describeWithProgram(shell, `completion in ${shell}`, () => {
    it('completes commands, options, values, workflows, queues, run ids and files', async () => {
      const offers = open(await setUpHome(shell), savedScript);
      const wanted: Record<string, string[]> = { ...expected, ...behindEquals[shell] };
      const offered = Object.keys(wanted).map((line) => [line, offers(line)]);
      expect(Object.fromEntries(offered)).toEqual(wanted);
    });

    it('creates no home, and offers nothing where there is nothing to look up', () => {
      const offers = open(makeTestHome(), `engine completion ${shell}`);
      expect(offers('engine status etl --run-id ')).toEqual(['latest']);
    });
  });
}

describeOnPostgres(
  'completion in a home on PostgreSQL',
  (version) => {
    it('lists its runs, and creates no home', async () => {
      const [place, unused] = [makeTestHome({ isNew: true }), makeTestHome({ isNew: true })];
      const env = { ENGINE_DATABASE_URL: newSchemaUrl(await sharePostgres(version)) };
      const complete = ['__complete', '--', 'status', 'etl', '--run-id', 'r'];
      expect(await runEngine(unused, complete, env)).toMatchObject({ code: 0, stdout: '' });
      expect(readdirSync(unused.home)).toEqual(['dags']);
      saveDag(place, 'etl', 'steps:\n  - echo\n');
      await runEngine(place, ['start', 'etl', '-r', 'run-1', '-q'], env);
      expect(await runEngine(place, complete, env)).toMatchObject({
        code: 0,
        stdout: 'run-1\tetl succeeded\n',
      });
    });
  },
  defaultVersions,
);

describeWithProgram('script', 'completion at a terminal of bash', () => {
  it('completes the line', async () => {
    const press = openBashTerminal(await setUpHome('bash'));
    expect(press('engine stat')).toBe('engine status ');
    expect(press('engine history --format=j')).toBe('engine history --format=json ');
    expect(press('engine exec --dotenv=no')).toBe('engine exec --dotenv=notes.env ');
    expect(press('engine exec --dotenv my')).toBe(String.raw`engine exec --dotenv my\ folder/`);
    expect(press('engine start exp')).toBe('engine start export ');
  });
});

describeWithProgram('zsh', 'a function file of zsh', () => {
  it('works on first use', async () => {
    const place = makeTestHome();
    const { stdout } = await runEngine(place, ['completion', 'zsh']);
    mkdirSync(join(place.cwd, 'functions'));
    writeFileSync(join(place.cwd, 'functions', '_engine'), stdout);
    const offers = openZshThat(place, 'fpath=("$HOME/functions" $fpath)');
    expect(offers('engine sta')).toEqual(['start', 'start-all', 'status']);
  });
});
