import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, recover, serve, waitFor } from './rig/kill.ts';

/**
 * Runs forever the first time, with a process in another session and group; from the second time on it prints
 * a word.
 */
const stuck = ({ cwd }: FaultTestHome, word = 'yes'): string =>
  `cd ${cwd}; if test -e begun; then echo ${word}; else (setsid sleep 600 &) ; touch begun; sleep 600; fi`;
const step = 'steps:\n  - { name: a, command: EFFECT }\n';
const inLogDir = (home: FaultTestHome): string =>
  `logDir: "\`${stuck(home, `${home.home}/logs`)}\`"\n${step}`;

/** Where a value or a condition is the output of a command. */
const places: Readonly<Record<string, (home: FaultTestHome) => string>> = {
  'the environment': (home) => `env: ["WORD=\`${stuck(home)}\`"]\n${step}`,
  'the log folder': inLogDir,
  'a condition of the run': (home) =>
    `preconditions: [{ condition: "\`${stuck(home)}\`", expected: "yes" }]\n${step}`,
  'a command that is a condition': (home) => `preconditions: ["${stuck(home)}"]\n${step}`,
  'a condition of a step': (home) =>
    `steps:\n  - { name: a, command: EFFECT, preconditions: [{ condition: "\`${stuck(home)}\`", expected: "yes" }] }\n`,
};

describe.concurrent('a command substitution whose host is killed', () => {
  it.each(Object.entries(places))(
    'is ended by the recovering host, and run again: %s',
    async (_place, write) => {
      await withFaultTestHome(async (home) => {
        home.save('values', `workingDir: ${home.cwd}\n${write(home)}`);
        const first = home.start(begin('values'));
        await waitFor('the command', () => home.has('begun'));
        first.kill('SIGKILL');
        await first.ended;
        const sleeping = (): number =>
          home.processes().filter(({ command }) => command === 'sleep 600').length;
        // Children of the command continue without the host.
        await waitFor('both processes', () => sleeping() === 2);
        expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
        await checkHome(home);
        expect(home.ranBySteps()).toEqual({ a: 1 });
      });
    },
  );

  it('is ended by the host that starts the run from its queue', async () => {
    await withFaultTestHome(async (home) => {
      home.save('values', inLogDir(home));
      expect(await home.run(['enqueue', 'values', '--quiet'])).toMatchObject({ code: 0 });
      const first = await serve(home, ['scheduler', '--port', '0']);
      await waitFor('the command', () => home.has('begun'));
      first.kill('SIGKILL');
      const second = await serve(home, ['scheduler', '--port', '0']);
      const ended = 'SELECT 1 FROM run WHERE finished_at IS NOT NULL';
      await waitFor('the end of the run', async () => (await home.query(ended)).length === 1);
      await close(second);
      await checkHome(home);
      expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'succeeded' }]);
      expect(home.ranBySteps()).toEqual({ a: 1 });
    });
  });
});
