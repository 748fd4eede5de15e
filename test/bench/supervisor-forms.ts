/**
 * Which process should start the steps? The same steps by the engine's own process, by a co-process of the
 * shell, by one Node helper (the product's supervisor) and by two of them: a chain, 1,000 in parallel, how
 * long the engine's event loop is blocked, both again with an engine of 300 MB more, and the time to the
 * first step of a new process.
 *
 * npm run build; node test/bench/supervisor-forms.ts [chain] [wide]     (files are below TMPDIR: compare a
 * disk with /dev/shm)
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { LaunchRequest, ProcessLauncher } from '../../core/process/launcher.ts';
import { LocalLauncher } from '../../core/process/local-launcher.ts';
import { startSupervisor } from '../../core/process/supervisor/supervisor-link.ts';
import { SupervisedLauncher } from '../../core/process/supervisor/supervised-launcher.ts';
import { systemClock } from '../../core/base/system-clock.ts';
import { silentLogger } from '../harness/fakes.ts';

const chain = Number(process.argv[2] ?? 300);
const wide = Number(process.argv[3] ?? 1000);
const ballastBytes = 300 * 2 ** 20;
const home = mkdtempSync(join(tmpdir(), 'supervisor-forms-'));
/** Roughly the number of variables of a step. */
const env = Object.fromEntries([
  ['PATH', process.env.PATH ?? ''],
  ...Array.from({ length: 25 }, (_, index) => [`VARIABLE_${index}`, 'x'.repeat(60)]),
]) as Record<string, string>;

/** Runs one step to completion, with its files and its exit record. */
interface Form {
  run(attemptDir: string): Promise<void>;
  /** Its helper processes. */
  pids(): number[];
  close(): void;
}

const forms: Readonly<Record<string, () => Form>> = {
  'engine itself': () => byLauncher([new LocalLauncher(systemClock)], () => []),
  'shell co-process': () => new ShellForm(),
  'one helper': () => byHelpers(1),
  'two helpers': () => byHelpers(2),
};

function byHelpers(count: number): Form {
  const program = pathToFileURL(join(import.meta.dirname, '../../out/supervisor/program.cjs'));
  const start = () => startSupervisor(program);
  const made = () => new SupervisedLauncher({ clock: systemClock, logger: silentLogger, start });
  const launchers = Array.from({ length: count }, made);
  return byLauncher(launchers, () => launchers.flatMap(({ supervisorPid }) => supervisorPid ?? []));
}

function byLauncher(launchers: readonly ProcessLauncher[], pids: () => number[]): Form {
  let turn = 0;
  return {
    pids,
    async run(attemptDir) {
      turn += 1;
      const launched = await launchers[turn % launchers.length]!.launch(requestFor(attemptDir));
      if (!launched.ok) throw new Error(launched.error.message);
      const { exitCode } = await launched.value.ended;
      if (exitCode !== 0) throw new Error(`ended with ${exitCode}`);
    },
    close: () => launchers.forEach((launcher) => launcher.release()),
  };
}

const requestFor = (attemptDir: string): LaunchRequest => ({
  argv: ['true'],
  env,
  cwd: home,
  attemptDir,
  stopSignal: 'SIGTERM',
  cleanUpMs: 5000,
  isCancelled: () => false,
});

/**
 * A shell that reads commands and runs each in the background; a signal is indistinguishable from an exit
 * code.
 */
class ShellForm implements Form {
  readonly #shell: ChildProcess;
  readonly #waiting = new Map<string, () => void>();

  constructor() {
    const script = 'while IFS= read -r line; do eval "$line"; done';
    this.#shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    createInterface({ input: this.#shell.stdout! }).on('line', (line) => {
      const [what, directory = '', code] = line.split(' ');
      if (what !== 'ended') return;
      if (code !== '0') throw new Error(line);
      this.#waiting.get(directory)!();
      this.#waiting.delete(directory);
    });
  }

  run(attemptDir: string): Promise<void> {
    const variables = Object.entries({ ...env, ENGINE_ATTEMPT_DIR: attemptDir });
    const words = variables.map(([name, value]) => quote(`${name}=${value}`)).join(' ');
    const record = `printf '\\n{"dir":"%s","exitCode":%s}' ${attemptDir} $c >> ${home}/exits.jsonl`;
    const step = `setsid env -i ${words} ${quote('true')} >&3 2>>${attemptDir}/stderr.log </dev/null &`;
    const line = `( set -C; exec 3>${attemptDir}/stdout.log; ${step} echo started ${attemptDir} $!; wait $!; c=$?; ${record}; echo ended ${attemptDir} $c ) &`;
    return new Promise((resolve) => {
      this.#waiting.set(attemptDir, resolve);
      this.#shell.stdin!.write(`${line}\n`);
    });
  }

  pids = (): number[] => [this.#shell.pid!];
  close = (): void => void this.#shell.stdin!.end();
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

let attempts = 0;
function makeAttemptDir(): string {
  const directory = join(home, String((attempts += 1)));
  mkdirSync(directory);
  return directory;
}

/** Total milliseconds, and the longest the event loop was blocked. */
async function measure(work: () => Promise<unknown>): Promise<{ ms: number; held: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  delay.disable();
  return { ms, held: delay.max / 1e6 };
}

async function runChain(form: Form): Promise<void> {
  for (let index = 0; index < chain; index += 1) await form.run(makeAttemptDir());
}

/** As in the engine: a few starts per event-loop tick. */
async function runWide(form: Form): Promise<void> {
  const directories = Array.from({ length: wide }, makeAttemptDir);
  const running: Promise<void>[] = [];
  for (const [index, directory] of directories.entries()) {
    running.push(form.run(directory));
    if (index % 4 === 3) await new Promise(setImmediate);
  }
  await Promise.all(running);
}

/** Resident and private memory, MB. */
function readMemory(pids: readonly number[]): string {
  const read = (pid: number, name: string): number =>
    Number(
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1],
    );
  const sum = (name: string): string =>
    (pids.reduce((total, pid) => total + read(pid, name), 0) / 1024).toFixed(1);
  return pids.length === 0 ? '–' : `${sum('Rss')} (${sum('Private_Dirty')})`;
}

async function measureForm(make: () => Form, ballast: boolean): Promise<string[]> {
  let form!: Form;
  const first = await measure(() => (form = make()).run(makeAttemptDir()));
  const inChain = await measure(() => runChain(form));
  const atOnce = await measure(() => runWide(form));
  const memory = ballast ? '' : readMemory(form.pids());
  form.close();
  return [
    first.ms.toFixed(1),
    (inChain.ms / chain).toFixed(2),
    inChain.held.toFixed(1),
    (atOnce.ms / wide).toFixed(2),
    atOnce.held.toFixed(1),
    memory,
  ];
}

const print = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
try {
  print([
    'Form',
    'first step, ms',
    'chain, ms a step',
    'loop held up, ms',
    `${wide} at once, ms a step`,
    'loop held up, ms',
    'helpers, MB (private)',
  ]);
  print(['---', ...Array.from({ length: 6 }, () => '---:')]);
  for (const [name, make] of Object.entries(forms)) print([name, ...(await measureForm(make, false))]);
  const ballast = Buffer.alloc(ballastBytes, 1);
  for (const [name, make] of Object.entries(forms))
    print([`${name}, engine with ${ballast.length / 2 ** 20} MB more`, ...(await measureForm(make, true))]);
} finally {
  rmSync(home, { recursive: true, force: true });
}
