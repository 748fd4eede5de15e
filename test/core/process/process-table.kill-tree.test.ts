import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../core/base/clock.ts';
import { isAlive, readPidStart } from '../../../core/process/process-table.ts';
import { until, makeTemporaryFolder } from '../../harness/resources.ts';
import {
  findProgram,
  listAttemptProcesses,
  launcherNames,
  makeLaunchRig as makeRig,
} from './launch-harness.ts';

describe.each(launcherNames)('%s', (how) => {
  const makeLaunchRig = (clock?: Clock) => makeRig(clock, how);

  describe('stop', () => {
    it('ends a process by SIGTERM', async () => {
      const launched = await makeLaunchRig().launch([findProgram('hang.sh')]);
      await launched.ready();
      launched.stop();
      expect(await launched.ended).toMatchObject({ signal: 'SIGTERM' });
      expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
    });

    it('lets a process exit by itself within the grace period', async () => {
      const launched = await makeLaunchRig().launch([findProgram('count-signals.sh')]);
      await launched.ready();
      launched.stop();
      expect(await launched.ended).toMatchObject({ exitCode: 0 });
      expect(launched.stdout()).toBe('ready\nTERM\n');
    });

    it('sends the requested signal, once', async () => {
      const launched = await makeLaunchRig().launch([findProgram('count-signals.sh')], {
        stopSignal: 'SIGINT',
      });
      await launched.ready();
      launched.stop();
      launched.stop();
      await until(() => launched.stdout().includes('INT'));
      process.kill(launched.pid, 'SIGTERM');
      await launched.ended;
      expect(launched.stdout()).toBe('ready\nINT\nTERM\n');
    });

    it('ends the whole group', async () => {
      const launched = await makeLaunchRig().launch([findProgram('fork-children.sh')]);
      await launched.ready();
      launched.stop();
      await launched.ended;
      expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
    });

    it.each(['ignore-term.sh', 'fork-children.sh'])(
      'kills what ignores it after the grace period: %s',
      async (program) => {
        const launched = await makeLaunchRig().launch([findProgram(program), 'ignore'], { cleanUpMs: 20 });
        await launched.ready();
        launched.stop();
        expect(await launched.ended).toMatchObject({ signal: 'SIGKILL' });
        expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
      },
    );

    it('kills children that outlive their parent and ignore SIGTERM', async () => {
      const script = '(trap "" TERM; echo ready; while :; do sleep 1000000; done) & wait';
      const launched = await makeLaunchRig().launch(['sh', '-c', script], { cleanUpMs: 20 });
      await launched.ready();
      launched.stop();
      expect(await launched.ended).toMatchObject({ signal: 'SIGTERM' });
      expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
    });

    it('finds descendants that left the group', async () => {
      const launched = await makeLaunchRig().launch([findProgram('escape.sh')]);
      await launched.ready();
      await until(() => listAttemptProcesses(launched.attemptDir).length === 2);
      launched.stop();
      await launched.ended;
      expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
    });

    it('leaves the processes of other attempts alone', async () => {
      const { launch } = makeLaunchRig();
      const [one, other] = [
        await launch([findProgram('escape.sh')]),
        await launch([findProgram('escape.sh')]),
      ];
      await Promise.all([one.ready(), other.ready()]);
      await until(() => listAttemptProcesses(other.attemptDir).length === 2);
      one.stop();
      await one.ended;
      expect(listAttemptProcesses(other.attemptDir)).toHaveLength(2);
    });

    it('ends many at once', async () => {
      const { launch } = makeLaunchRig();
      const all = await Promise.all(
        Array.from({ length: 20 }, () => launch([findProgram('fork-children.sh')])),
      );
      await Promise.all(all.map((launched) => launched.ready()));
      for (const launched of all) launched.stop();
      await Promise.all(all.map((launched) => launched.ended));
      expect(all.flatMap(({ attemptDir }) => listAttemptProcesses(attemptDir))).toEqual([]);
    });
  });

  describe('kill', () => {
    it('does not wait for the grace period, before or after a stop', async () => {
      const { launch } = makeLaunchRig();
      const [one, other] = [
        await launch([findProgram('ignore-term.sh')]),
        await launch([findProgram('ignore-term.sh')]),
      ];
      await Promise.all([one.ready(), other.ready()]);
      one.kill();
      other.stop();
      other.kill();
      expect(await one.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(await other.ended).toMatchObject({ signal: 'SIGKILL' });
    });
  });

  describe('leftover processes', () => {
    it('end with the process, whose own exit code is reported', async () => {
      const launched = await makeLaunchRig().launch([findProgram('leave-behind.sh'), '3']);
      const end = await launched.ended;
      expect(end).toMatchObject({ exitCode: 3 });
      expect(listAttemptProcesses(launched.attemptDir)).toEqual([]);
    });

    it('stay if they daemonized and the step was not stopped', async () => {
      const launched = await makeLaunchRig().launch([
        'sh',
        '-c',
        'setsid sh -c "echo ready; exec sleep 1000000" & until [ -s "$1" ]; do :; done',
        'sh',
        '/proc/self/fd/1',
      ]);
      await launched.ended;
      await launched.ready();
      expect(listAttemptProcesses(launched.attemptDir)).toHaveLength(1);
    });
  });
});

it.each([
  ['that write into their files', []],
  ['whose output passes through it', ['relay']],
])('processes %s survive the engine', (_which, relay) => {
  const program = join(import.meta.dirname, './leave-running.ts');
  const argv = [program, makeTemporaryFolder(), findProgram('hang.sh'), ...relay];
  const pid = Number(execFileSync(process.execPath, argv, { encoding: 'utf8', timeout: 25_000 }));
  expect(isAlive({ pid, pidStart: readPidStart(pid) })).toBe(true);
  process.kill(-pid, 'SIGKILL');
});
