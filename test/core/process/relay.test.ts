import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../core/base/clock.ts';
import { readExitRecord } from '../../../core/process/exits.ts';
import type { OutputRelay } from '../../../core/process/launcher.ts';
import { Masker } from '../../../core/process/secrets/masker.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import {
  findProgram,
  listOpenFiles,
  listAttemptProcesses,
  launcherNames,
  makeLaunchRig as makeRig,
} from './launch-harness.ts';

describe.each(launcherNames)('%s', (how) => {
  const makeLaunchRig = (clock?: Clock) => makeRig(clock, how);

  const shell = (script: string, ...args: string[]) => ['sh', '-c', script, 'sh', ...args];
  const plain: OutputRelay = { copies: {} };

  /** Runs a script to its end with its output relayed. */
  async function relayed(script: string, relay: OutputRelay = plain) {
    const launched = await makeLaunchRig().launch(shell(script), { relay });
    return Object.assign(launched, { end: await launched.ended });
  }

  /** Both streams wait for the other end. The supervisor's heartbeat is one timer, while the process runs. */
  const untilLingering = (clock: FakeClock) => until(() => clock.pending > 1);

  describe('relayed output', () => {
    it('is masked in the logs and in the copies', async () => {
      const folder = makeTemporaryFolder();
      const copies = { stdout: join(folder, 'a/b/out'), stderr: join(folder, 'err') };
      const masker = new Masker(['hunter2']);
      const { end, stdout, stderr } = await relayed(
        'printf hunt; printf "er2 out\\n"; echo err hunter2 >&2',
        {
          mask: () => masker.stream(),
          copies,
        },
      );
      expect(end).toMatchObject({ exitCode: 0 });
      expect(stdout()).toBe('******* out\n');
      expect(stderr()).toBe('err *******\n');
      expect(readFileSync(copies.stdout, 'utf8')).toBe(stdout());
      expect(readFileSync(copies.stderr, 'utf8')).toBe(stderr());
    });

    it('is appended to an existing copy, and a new one is private', async () => {
      const stdout = join(makeTemporaryFolder(), 'copy');
      await relayed('echo first', { copies: { stdout } });
      expect(statSync(stdout).mode & 0o777).toBe(0o600);
      await relayed('echo second', { copies: { stdout } });
      expect(readFileSync(stdout, 'utf8')).toBe('first\nsecond\n');
    });

    it('of both streams can go to one file, in order', async () => {
      const both = join(makeTemporaryFolder(), 'both');
      const copies = { stdout: both, stderr: join(both, '../both') };
      // Each line waits until the one before is in the file.
      const script = `for n in 1 2 3; do
      echo out $n; until tail -n 1 ${both} | grep -q "out $n"; do :; done
      echo err $n >&2; until tail -n 1 ${both} | grep -q "err $n"; do :; done
    done`;
      await relayed(script, { copies });
      expect(readFileSync(both, 'utf8')).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
    });

    it('can be written to by the names of the streams', async () => {
      const { end, stdout, stderr } = await relayed(
        'echo a > /dev/stderr; echo b >> /dev/stdout; echo c | tee /dev/stderr; echo d > /proc/self/fd/1',
      );
      expect(end).toMatchObject({ exitCode: 0 });
      expect(stdout()).toBe('b\nc\nd\n');
      expect(stderr()).toBe('a\nc\n');
    });

    it('is complete, however large it is', async () => {
      const copy = join(makeTemporaryFolder(), 'copy');
      const { stdout } = await relayed('seq 1 300000; seq 1 1000 >&2', { copies: { stdout: copy } });
      const expected = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join('');
      expect(stdout() === expected).toBe(true);
      expect(readFileSync(copy, 'utf8') === expected).toBe(true);
    });

    it('is there while the process runs, which can be stopped', async () => {
      const launched = await makeLaunchRig().launch([findProgram('hang.sh')], { relay: plain });
      await launched.ready();
      expect(readExitRecord(launched.attemptDir)).toBeUndefined();
      launched.stop();
      expect(await launched.ended).toMatchObject({ signal: 'SIGTERM' });
      expect(readExitRecord(launched.attemptDir)).toEqual(await launched.ended);
    });

    it('leaves neither descriptors nor files behind', async () => {
      const { launch, launcher, prepare, runDir } = makeLaunchRig();
      const relay = { copies: { stdout: join(runDir, 'copy') } };
      const launched = await launch(['true'], { relay });
      await launched.ended;
      expect(readdirSync(launched.attemptDir).sort()).toEqual(['stderr.log', 'stdout.log']);
      const failed = await launcher.launch(prepare(['/no/such/program'], { relay }));
      expect(failed).toMatchObject({ ok: false, error: { reason: 'not_found' } });
      await until(() => listOpenFiles(runDir).length === 0);
    });

    it('uses sockets where there are no named pipes', async () => {
      const { launch } = makeLaunchRig();
      const path = process.env['PATH'];
      process.env['PATH'] = makeTemporaryFolder();
      try {
        const launched = await launch(['/bin/sh', '-c', 'echo out; echo err >&2'], { relay: plain });
        await launched.ended;
        expect([launched.stdout(), launched.stderr()]).toEqual(['out\n', 'err\n']);
      } finally {
        process.env['PATH'] = path;
      }
    });
  });

  it('ends with the process although a process that left its session keeps the pipe open', async () => {
    const clock = new FakeClock();
    const launched = await makeLaunchRig(clock).launch(
      shell(
        `setsid ${findProgram('hang.sh')} & until grep -q ready "$ENGINE_ATTEMPT_DIR/stdout.log"; do :; done
      echo out; head -c 100000 /dev/zero >&2`,
      ),
      { relay: plain },
    );
    await untilLingering(clock);
    clock.advance(500);
    expect(await launched.ended).toMatchObject({ exitCode: 0 });
    expect(launched.stdout()).toBe('ready\nout\n');
    expect(launched.stderr()).toHaveLength(100_000);
    expect(listAttemptProcesses(launched.attemptDir)).not.toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('cuts off an endless writer', async () => {
    const clock = new FakeClock();
    const launched = await makeLaunchRig(clock).launch(
      shell('setsid yes & until [ -s "$ENGINE_ATTEMPT_DIR/stdout.log" ]; do :; done'),
      { relay: plain },
    );
    await untilLingering(clock);
    clock.advance(500);
    expect(await launched.ended).toMatchObject({ exitCode: 0 });
    await until(() => listAttemptProcesses(launched.attemptDir).length === 0);
  });

  type Refusal = [what: string, make: (folder: string) => string, reason: string];
  const belowProc: Refusal = [
    'below a folder that takes none',
    () => '/proc/x/y',
    'the folder cannot be created',
  ];

  describe('a copy that cannot be opened', () => {
    it.each<Refusal>([
      ['a directory', (folder: string) => folder, 'it is a folder; use a file'],
      [
        'below a file',
        (folder: string) => {
          writeFileSync(join(folder, 'file'), '');
          return join(folder, 'file/copy');
        },
        'a part of the path is a file',
      ],
      [
        'a pipe without a reader',
        (folder: string) => {
          execFileSync('mkfifo', [join(folder, 'pipe')]);
          return join(folder, 'pipe');
        },
        'it is a pipe without a reader',
      ],
      // Node's own recursive `mkdir` never returns from there.
      ...(process.platform === 'linux' ? [belowProc] : []),
    ])('prevents the step from starting: %s', async (_what, make, reason) => {
      const { launcher, prepare, runDir } = makeLaunchRig();
      const path = make(makeTemporaryFolder());
      const started = join(runDir, 'started');
      const launched = await launcher.launch(
        prepare(['touch', started], { relay: { copies: { stderr: path } } }),
      );
      expect(launched.ok ? undefined : launched.error).toEqual({
        reason: 'other',
        message: expect.stringContaining(`cannot copy stderr of the step to ${path}: ${reason}`),
      });
      expect(existsSync(started)).toBe(false);
      expect(listOpenFiles(runDir)).toEqual([]);
    });
  });

  describe('a file that accepts no more', () => {
    it('does not affect the log when it is the copy', async () => {
      const { end, stdout, attemptDir } = await relayed('seq 1 50000', { copies: { stdout: '/dev/full' } });
      expect(end).toMatchObject({
        exitCode: 0,
        outputError: expect.stringMatching(/^the copy of the output in \/dev\/full is incomplete: ENOSPC/),
      });
      expect(stdout().split('\n')).toHaveLength(50_001);
      expect(readExitRecord(attemptDir)).toMatchObject({ exitCode: 0, error: end.outputError });
    });

    it('does not affect the copy when it is the log', async () => {
      const { launch, runDir } = makeLaunchRig();
      const copy = join(runDir, 'copy');
      mkdirSync(join(runDir, 'attempt'));
      symlinkSync('/dev/full', join(runDir, 'attempt/stderr.log'));
      const launched = await launch(shell('seq 1 50000 >&2'), {
        attemptDir: join(runDir, 'attempt'),
        relay: { copies: { stderr: copy } },
      });
      expect((await launched.ended).outputError).toContain(
        '/attempt/stderr.log is incomplete: ENOSPC: no space left on device, write',
      );
      expect(readFileSync(copy, 'utf8').split('\n')).toHaveLength(50_001);
    });
  });
});
