/**
 * Overhead of starting a step's process: `true`, directly from Node compared with the launcher with its log
 * files and exit record, and with a whole command step. Prints milliseconds and ratios.
 *
 * node test/bench/spawn-floor.ts [count]     (files are below TMPDIR: compare a disk with /dev/shm)
 */
import { RunResources } from '../../core/executors/resources.ts';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAction } from '../../core/executors/registry.ts';
import type { Step } from '../../core/model/step.ts';
import { LocalLauncher } from '../../core/process/local-launcher.ts';
import { systemClock } from '../../core/base/system-clock.ts';

const count = Number(process.argv[2] ?? 1000);
const batch = 25;
const home = mkdtempSync(join(tmpdir(), 'spawn-floor-'));
const env = { PATH: process.env.PATH ?? '' };
const launcher = new LocalLauncher(systemClock);

const step: Step = {
  name: 'true',
  action: { kind: 'command', command: 'true' },
  depends: [],
  env: [],
  continueOn: { failure: false, skipped: false, exitCodes: [], output: [], markSuccess: false },
  preconditions: [],
  at: { line: 1, column: 1 },
};

const methods = {
  'node, no output': () => spawnDirectly('true', []),
  'node, sh -c': () => spawnDirectly('sh', ['-c', 'true']),
  launcher: launchTrue,
  'command step': runCommandStep,
};

let directories = 0;
function makeAttemptDir(): string {
  const directory = join(home, String((directories += 1)));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

function spawnDirectly(program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', env });
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
}

async function launchTrue(): Promise<void> {
  const launched = await launcher.launch({
    argv: ['true'],
    env,
    cwd: home,
    attemptDir: makeAttemptDir(),
    stopSignal: 'SIGTERM',
    cleanUpMs: 5000,
    isCancelled: () => false,
  });
  if (!launched.ok) throw new Error(launched.error.message);
  await launched.value.ended;
}

async function runCommandStep(): Promise<void> {
  const running = startAction({
    step,
    env,
    workingDir: home,
    positional: [],
    attemptDir: makeAttemptDir(),
    cacheDir: home,
    databases: { open: () => Promise.reject(new Error('no database')) },
    cleanUpMs: 5000,
    clock: systemClock,
    launcher,
    expand: (text) => Promise.resolve(text),
    maskSecrets: () => {},
    onSpawned: () => {},
    smtp: [],
    approvals: { ask: () => Promise.reject(new Error('nobody is here')) },
    subRuns: { start: () => Promise.reject(new Error('no sub-runs here')) },
    resources: new RunResources(),
  });
  const { error } = await running.ended;
  if (error !== undefined) throw new Error(error);
}

/** Milliseconds per call of `one`, `width` at a time. */
async function measure(one: () => Promise<void>, width: number): Promise<number> {
  const started = performance.now();
  let left = batch;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return (performance.now() - started) / batch;
}

/** Interleaved rounds, so that load on the machine affects all variants; the median of each. */
async function compare(width: number): Promise<void> {
  const times = new Map<string, number[]>(Object.keys(methods).map((name) => [name, []]));
  for (let done = 0; done < count; done += batch) {
    for (const [name, one] of Object.entries(methods)) times.get(name)!.push(await measure(one, width));
  }
  const medians = [...times].map(([name, list]) => ({
    name,
    each: list.sort((a, b) => a - b)[list.length >> 1]!,
  }));
  const floor = medians[0]!.each;
  for (const { name, each } of medians) {
    const above = `${each >= floor ? '+' : ''}${(each - floor).toFixed(2)}`;
    console.log(
      `${String(width).padStart(2)} at a time  ${name.padEnd(16)} ${each.toFixed(2)} ms each  ${above} ms  ×${(each / floor).toFixed(2)}`,
    );
  }
}

/** 1 GB of output by one step: its cost for the engine. */
async function measureFlood(): Promise<string> {
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const attemptDir = makeAttemptDir();
  const launched = await launcher.launch({
    argv: ['sh', '-c', 'yes "$(printf %01000d 0)" | head -c 1000000000'],
    env,
    cwd: home,
    attemptDir,
    stopSignal: 'SIGTERM',
    cleanUpMs: 5000,
    isCancelled: () => false,
  });
  if (!launched.ok) throw new Error(launched.error.message);
  await launched.value.ended;
  const { user, system } = process.cpuUsage(cpu);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  return `1 GB of output: ${grown.toFixed(1)} MiB more resident, ${((user + system) / 1e6).toFixed(2)} CPU-s in the engine`;
}

try {
  for (const width of [1, 4, 16]) await compare(width);
  console.log(await measureFlood());
} finally {
  rmSync(home, { recursive: true, force: true });
}
