import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';

/** With no descriptor to spare, what happens to a launch when some are freed, or not, or it is called off? */
function exhaust(
  then: 'free' | 'keep' | 'cancel',
  ...relay: string[]
): { waits: number; outcome: Record<string, unknown> } {
  const program = join(import.meta.dirname, 'exhaustion.ts');
  const script = 'ulimit -n 64; exec "$@"';
  const argv = ['-c', script, 'sh', process.execPath, program, makeTemporaryFolder(), then, ...relay];
  return JSON.parse(execFileSync('sh', argv, { encoding: 'utf8', timeout: 25_000 })) as ReturnType<
    typeof exhaust
  >;
}

it.each([[[]], [['relay']]])('waits for free descriptors and then starts %j', (relay) => {
  const { waits, outcome } = exhaust('free', ...relay);
  expect(waits).toBe(1);
  expect(outcome).toMatchObject({ exitCode: 0 });
});

it.each([[[]], [['relay']]])('gives up in the end, in words %j', (relay) => {
  const { waits, outcome } = exhaust('keep', ...relay);
  expect(waits).toBeGreaterThan(5);
  expect(outcome).toMatchObject({
    reason: 'limit_reached',
    message: expect.stringContaining('the limit on open files is reached'),
  });
});

it('stops waiting when the step is stopped', () => {
  expect(exhaust('cancel')).toMatchObject({ waits: 1, outcome: { reason: 'cancelled' } });
});
