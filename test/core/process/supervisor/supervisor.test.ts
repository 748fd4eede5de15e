import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../../../../core/base/logger.ts';
import { readExitJournal, readExitRecord } from '../../../../core/process/exits.ts';
import type { LaunchedProcess, LaunchRequest } from '../../../../core/process/launcher.ts';
import {
  findState,
  isPidTaken,
  listProcesses,
  readPidStart,
} from '../../../../core/process/process-table.ts';
import { startSupervisor } from '../../../../core/process/supervisor/supervisor-link.ts';
import {
  SupervisedLauncher,
  type SupervisedLauncherOptions,
} from '../../../../core/process/supervisor/supervised-launcher.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { findProgram, listAttemptProcesses } from '../launch-harness.ts';
import { silentLogger } from '../../../harness/fakes.ts';

function makeLauncher(deps: Partial<SupervisedLauncherOptions> = {}): SupervisedLauncher {
  const launcher = new SupervisedLauncher({ clock: systemClock, logger: silentLogger, ...deps });
  onTestFinished(() => launcher.release());
  return launcher;
}

function makeAttemptDirs(count: number): string[] {
  const runDir = makeTemporaryFolder();
  return Array.from({ length: count }, (_, index) => {
    const attemptDir = join(runDir, `step.${index}`);
    mkdirSync(attemptDir);
    return attemptDir;
  });
}

function request(argv: readonly string[], given: Partial<LaunchRequest> = {}): LaunchRequest {
  const [attemptDir = ''] = makeAttemptDirs(1);
  return {
    argv,
    env: { PATH: process.env.PATH ?? '' },
    cwd: attemptDir,
    attemptDir,
    stopSignal: 'SIGTERM',
    cleanUpMs: 20,
    isCancelled: () => false,
    ...given,
  };
}

async function launch(launcher: SupervisedLauncher, wanted: LaunchRequest): Promise<LaunchedProcess> {
  const launched = await launcher.launch(wanted);
  if (!launched.ok) throw new Error(launched.error.message);
  onTestFinished(async () => {
    launched.value.kill();
    await launched.value.ended;
  });
  return launched.value;
}

const readOutput = (attemptDir: string): string => readFileSync(join(attemptDir, 'stdout.log'), 'utf8');

/** Starts a separate host process with a step in each directory; what is left is killed when the test ends. */
async function startHost(script: string, attemptDirs: readonly string[]) {
  const program = join(import.meta.dirname, 'host-to-kill.ts');
  const host = spawn(process.execPath, [program, script, ...attemptDirs], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The child of a step has its tag.
    env: { ...process.env, ENGINE_ATTEMPT_DIR: '/of/an/outer/step' },
  });
  const [line] = (await once(host.stdout, 'data')) as [Buffer];
  const told = JSON.parse(line.toString()) as { pids: number[]; supervisor: number };
  const supervisorStart = readPidStart(told.supervisor);
  onTestFinished(() => {
    host.kill('SIGKILL');
    for (const pid of attemptDirs.flatMap(listAttemptProcesses)) process.kill(pid, 'SIGKILL');
  });
  const hasSupervisor = (): boolean =>
    findState({ pid: told.supervisor, pidStart: supervisorStart }) === 'alive';
  return { ...told, host, hasSupervisor };
}

describe('when the engine is killed', () => {
  it('steps continue, and their real results are recorded', async () => {
    const attemptDirs = makeAttemptDirs(3);
    const script = 'echo before; until [ -e go ]; do sleep 0.02; done; echo after; eval "$(cat go)"';
    const { host, pids, hasSupervisor } = await startHost(script, attemptDirs);
    expect(pids.every(isPidTaken)).toBe(true);
    host.kill('SIGKILL');
    await once(host, 'exit');
    const [one = '', two = '', three = ''] = attemptDirs;
    for (const [folder, end] of [
      [one, 'exit 7'],
      [two, 'kill -SEGV $$'],
      [three, 'exit 0'],
    ] as const) {
      expect(hasSupervisor()).toBe(true);
      writeFileSync(join(folder, 'new'), end);
      // Complete, or missing.
      renameSync(join(folder, 'new'), join(folder, 'go'));
      await until(() => readExitRecord(folder) !== undefined);
    }
    expect(Object.fromEntries(readExitJournal(join(one, '..')))).toEqual({
      'step.0': { exitCode: 7, finishedAt: expect.any(Number) },
      'step.1': { signal: 'SIGSEGV', finishedAt: expect.any(Number) },
      'step.2': { exitCode: 0, finishedAt: expect.any(Number) },
    });
    expect(attemptDirs.map(readOutput)).toEqual(Array.from({ length: 3 }, () => 'before\nafter\n'));
    await until(() => !hasSupervisor());
  });

  it('its supervisor exits at once when nothing runs', async () => {
    const attemptDirs = makeAttemptDirs(1);
    const { host, hasSupervisor } = await startHost('exit 0', attemptDirs);
    await until(() => readExitRecord(attemptDirs[0]!) !== undefined);
    expect(hasSupervisor()).toBe(true);
    host.kill('SIGKILL');
    await until(() => !hasSupervisor());
  });

  it('another one attaches to its steps', async () => {
    const attemptDirs = makeAttemptDirs(2);
    const script = 'trap "exit 5" TERM; echo ready; while :; do sleep 0.02; done';
    const { host, pids } = await startHost(script, attemptDirs);
    await until(() => attemptDirs.every((folder) => readOutput(folder) === 'ready\n'));
    host.kill('SIGKILL');
    const [one = '', two = ''] = attemptDirs;
    const common = { stopSignal: 'SIGTERM', cleanUpMs: 60_000 } as const;
    const launcher = makeLauncher();
    const known = launcher.attach({
      ...common,
      attemptDir: one,
      pid: pids[0],
      pidStart: readPidStart(pids[0]!),
    });
    const unknown = launcher.attach({ ...common, attemptDir: two });
    known?.stop();
    unknown?.stop();
    expect(await known?.ended).toMatchObject({ exitCode: 5 });
    expect(await unknown?.ended).toMatchObject({ exitCode: 5 });
  });
});

describe('supervisor', () => {
  it.each(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const)('survives %s', async (signal) => {
    const launcher = makeLauncher();
    await (
      await launch(launcher, request(['true']))
    ).ended;
    const pid = launcher.supervisorPid!;
    process.kill(pid, signal);
    await (
      await launch(launcher, request(['true']))
    ).ended;
    expect(launcher.supervisorPid).toBe(pid);
  });

  it('has its own session, no terminal, no directory, and no tag of an outer step', async () => {
    const { supervisor } = await startHost('exit 0', makeAttemptDirs(1));
    expect(listProcesses().find(({ pid }) => pid === supervisor)?.group).toBe(supervisor);
    expect(readFileSync(`/proc/${supervisor}/environ`, 'utf8')).not.toContain('ENGINE_');
    expect(readlinkSync(`/proc/${supervisor}/cwd`)).toBe('/');
    for (const descriptor of [0, 1, 2])
      expect(readlinkSync(`/proc/${supervisor}/fd/${descriptor}`)).toBe('/dev/null');
  });

  it('passes nothing of its own to steps', async () => {
    const launcher = makeLauncher();
    const listing = request(['sh', '-c', 'for file in /proc/$$/fd/*; do readlink $file; done']);
    const reading = request(['grep', '^Sig', '/proc/self/status']);
    for (const wanted of [listing, reading]) await (await launch(launcher, wanted)).ended;
    const files = readOutput(listing.attemptDir).split('\n');
    const logs = ['stdout.log', 'stderr.log'].map((name) => join(listing.attemptDir, name));
    expect(files.slice(0, 3)).toEqual(['/dev/null', ...logs]);
    // Its channel is one; a process holding it would prevent the engine from noticing the supervisor's end.
    expect(files.filter((file) => file.startsWith('socket:'))).toEqual([]);
    // Neither blocked nor ignored signals are inherited.
    const signals = readOutput(reading.attemptDir);
    expect(signals).toMatch(/SigBlk:\s+0000000000000000\n/);
    expect(signals).toMatch(/SigIgn:\s+0000000000000000\n/);
  });

  it('holds no file of a running step', async () => {
    const launcher = makeLauncher();
    const wanted = request([findProgram('hang.sh')]);
    const running = await launch(launcher, wanted);
    await until(() => readOutput(wanted.attemptDir) !== '');
    const files = (): string[] =>
      readdirSync(`/proc/${launcher.supervisorPid}/fd`).flatMap((name) => {
        try {
          return readlinkSync(`/proc/${launcher.supervisorPid}/fd/${name}`);
        } catch {
          return [];
        }
      });
    const held = (): string[] => files().filter((file) => file.startsWith(wanted.attemptDir));
    await until(() => held().length === 0);
    expect(isPidTaken(running.pid)).toBe(true);
    running.stop();
    await running.ended;
  });

  it('starts many at once, each once', { timeout: 30_000 }, async () => {
    const launcher = makeLauncher();
    const wanted = makeAttemptDirs(100).map((attemptDir) =>
      request(['sh', '-c', 'echo "$0"; exit $(($0 % 50))', attemptDir.split('.').at(-1)!], { attemptDir }),
    );
    const running = await Promise.all(wanted.map((one) => launch(launcher, one)));
    const ends = await Promise.all(running.map(({ ended }) => ended));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual(wanted.map((_, index) => index % 50));
    expect(wanted.map(({ attemptDir }) => readOutput(attemptDir))).toEqual(
      wanted.map((_, index) => `${index}\n`),
    );
  });

  it('passes arguments and variables of any content', async () => {
    const texts = [
      '',
      ' ',
      'a\nb\r\n',
      '\'"`$(touch x)\\',
      '🙂é\u2028',
      '\uFFFD',
      '\u0001\u007f',
      'x'.repeat(100_000),
    ];
    const launcher = makeLauncher();
    const printing = request(['printf', '%s\\0', ...texts]);
    await (
      await launch(launcher, printing)
    ).ended;
    expect(readOutput(printing.attemptDir)).toBe(texts.map((text) => `${text}\0`).join(''));
    const listing = request(['env', '-0']);
    const variables = Object.fromEntries(texts.map((text, index) => [`odd.name-${index}`, text]));
    const env = { ...listing.env, ...variables, ['__proto__']: 'x' };
    await (
      await launch(launcher, { ...listing, env })
    ).ended;
    const lines = Object.entries({ ...env, ENGINE_ATTEMPT_DIR: listing.attemptDir });
    expect(readOutput(listing.attemptDir)).toBe(lines.map(([name, text]) => `${name}=${text}\0`).join(''));
  });

  it('treats a lone surrogate as this process would: Node encodes it as U+FFFD', async () => {
    const wanted = request(['printf', '%s', 'a\uD800b']);
    await (
      await launch(makeLauncher(), wanted)
    ).ended;
    expect(readOutput(wanted.attemptDir)).toBe('a\uFFFDb');
  });
});

describe('when the supervisor is killed', () => {
  it('its steps continue, can be stopped, and their exit codes are unknown', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
    const launcher = makeLauncher({ logger });
    const wanted = [request([findProgram('hang.sh')]), request([findProgram('fork-children.sh')])];
    const running = await Promise.all(wanted.map((one) => launch(launcher, one)));
    await until(() => wanted.every(({ attemptDir }) => readOutput(attemptDir).includes('ready')));
    process.kill(launcher.supervisorPid!, 'SIGKILL');
    await until(() => warnings.length > 0);
    expect(warnings).toEqual(['The step supervisor ended unexpectedly; its steps continue']);
    expect(running.map(({ pid }) => isPidTaken(pid))).toEqual([true, true]);
    for (const one of running) one.stop();
    for (const one of running)
      expect(await one.ended).toEqual({ lost: true, finishedAt: expect.any(Number) });
    expect(wanted.flatMap(({ attemptDir }) => listAttemptProcesses(attemptDir))).toEqual([]);
    expect(wanted.map(({ attemptDir }) => readExitRecord(attemptDir))).toEqual([undefined, undefined]);
  });

  it('another one starts the next steps', async () => {
    const launcher = makeLauncher();
    launcher.prepare();
    const first = launcher.supervisorPid!;
    expect(await (await launch(launcher, request(['true']))).ended).toMatchObject({ exitCode: 0 });
    process.kill(first, 'SIGKILL');
    expect(await (await launch(launcher, request(['true']))).ended).toMatchObject({ exitCode: 0 });
    expect(launcher.supervisorPid).not.toBe(first);
  });

  it('another one starts what it had not started, once', { timeout: 30_000 }, async () => {
    const launcher = makeLauncher();
    const wanted = Array.from({ length: 20 }, () => request(['sh', '-c', 'echo once']));
    const launching = wanted.map((one) => launcher.launch(one));
    process.kill(launcher.supervisorPid!, 'SIGKILL');
    for (const launched of await Promise.all(launching)) {
      expect(launched.ok && (await launched.value.ended)).toMatchObject({ exitCode: 0 });
    }
    for (const { attemptDir } of wanted) expect(readOutput(attemptDir)).toBe('once\n');
  });

  it('what it may have started is not started again', async () => {
    const wanted = request(['touch', 'started']);
    const { pid, channel } = startSupervisor();
    const launcher = makeLauncher({ supervisor: { pid, channel } });
    process.kill(pid, 'SIGSTOP');
    const launching = launcher.launch(wanted);
    // As it would have done first.
    writeFileSync(join(wanted.attemptDir, 'stdout.log'), '');
    process.kill(pid, 'SIGKILL');
    expect(await launching).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('which may have run') },
    });
    expect(existsSync(join(wanted.attemptDir, 'started'))).toBe(false);
  });

  it('relayed output is stored to its end', async () => {
    const launcher = makeLauncher();
    const wanted = request(
      ['sh', '-c', 'trap "echo last; exit 0" TERM; echo ready; while :; do sleep 0.02; done'],
      {
        relay: { copies: {} },
        cleanUpMs: 60_000,
      },
    );
    const running = await launch(launcher, wanted);
    await until(() => readOutput(wanted.attemptDir) === 'ready\n');
    process.kill(launcher.supervisorPid!, 'SIGKILL');
    running.stop();
    expect(await running.ended).toMatchObject({ lost: true });
    expect(readOutput(wanted.attemptDir)).toBe('ready\nlast\n');
  });
});

it('starts steps by this process where no supervisor can start, and reports it', async () => {
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  let tries = 0;
  const start = (): never => {
    tries += 1;
    throw new Error('not permitted');
  };
  const launcher = makeLauncher({ logger, start });
  for (let index = 0; index < 4; index += 1)
    expect(await (await launch(launcher, request(['true']))).ended).toMatchObject({ exitCode: 0 });
  expect(tries).toBe(3);
  expect(warnings).toHaveLength(1);
});

it('lets its supervisor exit when it is released, and its steps continue', async () => {
  const launcher = makeLauncher();
  const wanted = request(['sh', '-c', 'until [ -e go ]; do sleep 0.02; done; exit 3']);
  const launched = await launcher.launch(wanted);
  if (!launched.ok) throw new Error(launched.error.message);
  const pid = launcher.supervisorPid!;
  launcher.release();
  writeFileSync(join(wanted.attemptDir, 'go'), '');
  await until(() => readExitRecord(wanted.attemptDir) !== undefined);
  expect(readExitRecord(wanted.attemptDir)).toMatchObject({ exitCode: 3 });
  await until(() => !isPidTaken(pid) || findState({ pid, pidStart: readPidStart(pid) }) === 'zombie');
});
