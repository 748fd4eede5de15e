import { describe, expect, it } from 'vitest';
import type { FailPointName } from '../../core/base/fail-points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultHome, withFaultHome } from './rig/fault-home.ts';

/** Everything a run can have, each step leaving a trace. */
const whole = `
preconditions: [{ condition: "1", expected: "1" }]
steps:
  - name: first
    command: EFFECT; echo 1
    preconditions: [{ condition: "1", expected: "1" }]
    output: FIRST
  - name: flaky
    command: EFFECT; test -e tried || { touch tried; exit 4; }
    retryPolicy: { limit: 2, intervalSec: 0 }
  - name: again
    command: EFFECT
    repeatPolicy: { repeat: until, limit: 2, intervalSec: 0, condition: "1", expected: "2" }
  - name: each
    parallel: { items: [a, b, c], maxConcurrent: 2 }
    command: EFFECT
  - name: sub
    run: below
  - name: last
    command: EFFECT; exit 3
    continueOn: { exitCode: [3], markSuccess: true }
handlerOn: { init: EFFECT, success: EFFECT, exit: EFFECT }
---
name: below
steps:
  - name: inner
    command: EFFECT
`;

const everything = {
  '@onInit': 1,
  first: 1,
  flaky: 2,
  again: 2,
  each: 3,
  inner: 1,
  last: 1,
  '@onSuccess': 1,
  '@onExit': 1,
};

const start = ['start', 'whole', '--quiet', '--default-working-dir', '.'];

/** Where the host of a run is killed. The number: at which time the moment is reached. */
const points: readonly (FailPointName | `${FailPointName}@${number}`)[] = [
  'run.created',
  'attempt.before_spawn',
  'attempt.spawned',
  'attempt.ended',
  'run.before_finish',
];

async function killAt(home: FaultHome, point: string, words = start): Promise<void> {
  const { signal, stderr } = await home.run(words, { ENGINE_FAILPOINT: `${point}:kill` });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

describe.concurrent('the host of a run, killed at a moment', () => {
  it.each(points)('%s: the next one brings it to its end, everything once', async (point) => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, point);
      const recovery = await home.run(['recover', '--format', 'json']);
      expect(recovery).toMatchObject({ code: 0, stderr: '' });
      await checkHome(home);
      expect(JSON.parse(recovery.stdout)).toMatchObject({
        dagRuns: [{ name: 'whole', status: 'succeeded' }],
      });
      expect(home.ranBySteps()).toEqual(everything);
    });
  });
});
