import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';

/** Launching without free descriptors, when some are released, or none are, or it is cancelled. */
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

it.each([[[]], [['relay']]])('fails in the end, with a message: %j', (relay) => {
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
