import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../core/base/clock.ts';
import { readExitRecord } from '../../../core/process/exits.ts';
import type { LaunchRequest } from '../../../core/process/launcher.ts';
import { listProcesses, readPidStart } from '../../../core/process/process-table.ts';
import { findProgram, listOpenFiles, launcherNames, makeLaunchRig as makeRig } from './launch-harness.ts';

describe.each(launcherNames)('%s', (how) => {
  const makeLaunchRig = (clock?: Clock) => makeRig(clock, how);

  describe('launched process', () => {
    it('ends with its exit code, which is recorded', async () => {
      const launched = await makeLaunchRig().launch([findProgram('exit.sh'), '7', 'some reason']);
      expect(await launched.ended).toMatchObject({ exitCode: 7 });
      expect(launched.stderr()).toBe('some reason\n');
      expect(readExitRecord(launched.attemptDir)).toEqual(await launched.ended);
    });

    it('that is part of an attempt leaves no record of the attempt’s result', async () => {
      const launched = await makeLaunchRig().launch([findProgram('exit.sh'), '7', ''], { isPart: true });
      expect(await launched.ended).toMatchObject({ exitCode: 7 });
      expect(readExitRecord(launched.attemptDir)).toBeUndefined();
    });

    it('ends with the signal that ended it', async () => {
      const launched = await makeLaunchRig().launch([findProgram('die-by-signal.sh'), 'SEGV']);
      expect(await launched.ended).toMatchObject({ signal: 'SIGSEGV' });
      expect(await launched.ended).not.toHaveProperty('exitCode');
    });

    it('sees the specified environment, its tag and nothing else', async () => {
      const { launch } = makeLaunchRig();
      const env = { PATH: process.env.PATH!, ODD: 'a=b "c" \'d\' $(touch x) `e`' };
      const launched = await launch(['env'], { env });
      await launched.ended;
      const seen = Object.fromEntries(
        launched
          .stdout()
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/=(.*)/s)),
      );
      expect(seen).toEqual({ ...env, ENGINE_ATTEMPT_DIR: launched.attemptDir });
    });

    it('gets its arguments byte for byte', async () => {
      const { launch } = makeLaunchRig();
      const argv = ['a\nb', '"\'', '$(touch x)', '`id`', '', ' ', '-n', '\\', '🙂', 'x'.repeat(100_000)];
      const launched = await launch(['printf', '%s\\0', ...argv]);
      await launched.ended;
      expect(launched.stdout()).toBe(argv.map((text) => `${text}\0`).join(''));
    });

    it('leads its own session and is identified by pid and start time', async () => {
      const launched = await makeLaunchRig().launch([findProgram('hang.sh')]);
      await launched.ready();
      const row = listProcesses().find(({ pid }) => pid === launched.pid);
      expect(row).toMatchObject({ group: launched.pid, pidStart: launched.pidStart });
      expect(launched.pidStart).toMatch(/^[0-9]+$/);
      expect(readPidStart(process.pid)).not.toBe(launched.pidStart);
    });

    it('has no input and writes directly into the files', async () => {
      const { launch } = makeLaunchRig();
      const launched = await launch([
        'sh',
        '-c',
        'cat; readlink /proc/self/fd/0 /proc/self/fd/1; exec readlink /proc/self/fd/2 >&2',
      ]);
      expect(await launched.ended).toMatchObject({ exitCode: 0 });
      expect(launched.stdout()).toBe(`/dev/null\n${join(launched.attemptDir, 'stdout.log')}\n`);
      expect(launched.stderr()).toBe(`${join(launched.attemptDir, 'stderr.log')}\n`);
    });

    it('never overwrites output written through a reopened /dev/stdout', async () => {
      const script =
        'echo first; echo second >> /dev/stdout; echo third; echo fourth >> /dev/stdout; echo fifth';
      const launched = await makeLaunchRig().launch(['sh', '-c', script]);
      await launched.ended;
      expect(launched.stdout()).toBe('first\nsecond\nthird\nfourth\nfifth\n');
    });

    it('can write invalid UTF-8', async () => {
      const launched = await makeLaunchRig().launch([findProgram('invalid-utf8.sh')]);
      expect(await launched.ended).toMatchObject({ exitCode: 0 });
      expect(launched.stdout()).toBe('ok \uFFFD\uFFFD\uFFFD end\n');
    });

    it('leaves no descriptor open in the engine', async () => {
      const { launch, runDir } = makeLaunchRig();
      await (
        await launch(['true'])
      ).ended;
      expect(listOpenFiles(runDir)).toEqual([]);
    });

    it('alone gets the error when the disk is full', async () => {
      const { prepare, launcher } = makeLaunchRig();
      const request = prepare(['sh', '-c', 'echo lost >&2']);
      symlinkSync('/dev/full', join(request.attemptDir, 'stderr.log'));
      const launched = await launcher.launch(request);
      const end = launched.ok ? await launched.value.ended : undefined;
      expect(end?.exitCode).toBeGreaterThan(0);
    });

    it('ends even when its record cannot be written', async () => {
      const { launch, runDir } = makeLaunchRig();
      const launched = await launch([findProgram('hang.sh')]);
      await launched.ready();
      rmSync(runDir, { recursive: true });
      launched.kill();
      expect(await launched.ended).toMatchObject({ signal: 'SIGKILL' });
    });
  });

  describe('failed launch', () => {
    async function explain(
      argv: string[],
      given: (rig: ReturnType<typeof makeLaunchRig>) => Partial<LaunchRequest> = () => ({}),
    ) {
      const rig = makeLaunchRig();
      const launched = await rig.launcher.launch(rig.prepare(argv, given(rig)));
      return launched.ok ? undefined : launched.error;
    }

    it('without a working directory', async () => {
      expect(await explain(['true'], () => ({ cwd: '/nowhere/at/all' }))).toEqual({
        reason: 'no_working_directory',
        message: 'working directory /nowhere/at/all does not exist',
      });
      expect((await explain(['true'], () => ({ cwd: '/dev/null' })))?.message).toContain(
        'is not a directory',
      );
    });

    it('of a program that is not in PATH', async () => {
      expect(await explain(['no-such-program'], () => ({ env: { PATH: '/a:/b' } }))).toEqual({
        reason: 'not_found',
        message: 'program "no-such-program" not found; PATH searched: /a:/b',
      });
      expect((await explain(['no-such-program'], () => ({ env: {} })))?.message).toContain('PATH is empty');
    });

    it('of a path that does not exist', async () => {
      expect((await explain(['./no-such-program']))?.message).toBe(
        'program ./no-such-program does not exist',
      );
    });

    it.each([
      {
        what: 'a script whose interpreter is missing',
        mode: 0o700,
        reason: 'not_found',
        text: 'program ./script exists, but its interpreter or loader was not found',
      },
      {
        what: 'a file without the right to run it',
        mode: 0o600,
        reason: 'not_executable',
        text: 'permission denied',
      },
    ])('of $what', async ({ mode, reason, text }) => {
      const failure = await explain(['./script'], ({ runDir }) => {
        writeFileSync(join(runDir, 'script'), '#!/no/such/interpreter\n', { mode });
        return { cwd: runDir };
      });
      expect(failure).toMatchObject({ reason, message: expect.stringContaining(text) });
    });

    it('with an argument that is too large, which is named', async () => {
      const failure = await explain(['echo', 'small', 'x'.repeat(200_000)]);
      expect(failure).toMatchObject({
        reason: 'too_big',
        message: expect.stringContaining('argument 2 alone has 200000'),
      });
    });

    it('with too many arguments to try', async () => {
      const failure = await explain(['true', ...Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024))]);
      expect(failure).toMatchObject({
        reason: 'too_big',
        message: expect.stringMatching(
          /the arguments and variables of the process have 1782\d{4} characters \(the limit is 16777216\): put the data into a file and pass its name/,
        ),
      });
    });

    it('with a variable that is too large, which is named', async () => {
      const failure = await explain(['true'], () => ({
        env: { PATH: process.env.PATH!, HUGE: 'x'.repeat(200_000) },
      }));
      expect(failure?.message).toContain('variable HUGE alone has');
    });

    it('with a zero byte in an argument', async () => {
      expect((await explain(['echo', 'a\0b']))?.message).toContain(
        "cannot start \"echo\": The argument 'args[0]' must be a string without null bytes. Received 'a\\x00b'",
      );
    });

    it.each([[undefined], [{ copies: {} }]])(
      'of an attempt that was started by another process: %j',
      async (relay) => {
        const rig = makeLaunchRig();
        const request = rig.prepare(['touch', 'started'], { relay });
        writeFileSync(join(request.attemptDir, 'stdout.log'), 'of somebody else');
        const launched = await rig.launcher.launch(request);
        expect(launched).toMatchObject({ ok: false, error: { reason: 'taken' } });
        expect(readdirSync(request.attemptDir)).toEqual(['stdout.log']);
        expect(existsSync(join(rig.runDir, 'started'))).toBe(false);
      },
    );

    it('without its log directory', async () => {
      const rig = makeLaunchRig();
      const request = rig.prepare(['true']);
      rmSync(request.attemptDir, { recursive: true });
      const launched = await rig.launcher.launch(request);
      expect(launched.ok ? undefined : launched.error.message).toContain('the log files in');
    });
  });
});
