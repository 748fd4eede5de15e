import { describe, expect, test } from 'vitest';
import { eventsOf, RecoveryScenario } from '../run-harness.ts';
import { getStep } from '../../../harness/engine.ts';

const failing = (policy: string): string => `
name: waits
steps:
  - name: work
    command: "echo x >> tries; echo out $(wc -l < tries); test $(wc -l < tries) -ge 4"
    output: OUT
    ${policy}
`;

/** Resolves when so many attempts have ended. */
const ended = (relay: RecoveryScenario, count: number) =>
  relay.untilRun((view) => getStep(view, 'work').attempts[count - 1]?.finishedAt !== undefined);

describe('step that waits for its next attempt when its host is lost', () => {
  test('keeps its due time and the number of attempts left', async () => {
    const relay = new RecoveryScenario();
    await relay.start(failing('retryPolicy: { limit: 2, intervalSec: 60 }'));
    await relay.untilRun((view) => getStep(view, 'work').error?.includes('retrying at') === true);
    const [scheduled] = await relay.eventsOf('step.retry_scheduled');
    await relay.onLeaseLost();
    relay.clock.advance(40_000);
    await relay.recoverRuns();
    relay.clock.advance(19_000);
    await relay.engine.settle();
    expect(relay.lines('tries')).toHaveLength(1);
    relay.clock.advance(2000);
    await ended(relay, 2);
    relay.clock.advance(60_000);
    const view = await relay.end();
    expect(view.status).toBe('failed');
    expect(getStep(view, 'work').attempts.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
    const all = await eventsOf(relay.engine, relay.run);
    const dueAt = (scheduled as { dueAt: number }).dueAt;
    const second = all.find(({ event }) => event.type === 'step.started' && event.attempt === 2)!;
    expect(Date.parse(second.at)).toBeGreaterThanOrEqual(dueAt);
  });

  test('starts at once when its time has passed meanwhile', async () => {
    const relay = new RecoveryScenario();
    await relay.start(failing('retryPolicy: { limit: 3, intervalSec: 60 }'));
    await relay.untilRun((view) => getStep(view, 'work').error?.includes('retrying at') === true);
    await relay.onLeaseLost();
    relay.clock.advance(90_000);
    await relay.recoverRuns();
    await ended(relay, 2);
    relay.clock.advance(60_000);
    await ended(relay, 3);
    relay.clock.advance(60_000);
    expect(await relay.end()).toMatchObject({ status: 'succeeded', outputs: { OUT: 'out 4' } });
  });

  test('is aborted by a stop, and keeps the result of its last attempt', async () => {
    const relay = new RecoveryScenario();
    await relay.start(failing('retryPolicy: { limit: 3, intervalSec: 60 }'));
    await relay.untilRun((view) => getStep(view, 'work').error?.includes('retrying at') === true);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(view.status).toBe('aborted');
    expect(getStep(view, 'work')).toMatchObject({ status: 'aborted', exitCode: 1 });
    expect(relay.lines('tries')).toHaveLength(1);
  });
});

describe('repeating step when its host is lost', () => {
  const repeating = `
name: repeats
steps:
  - name: work
    command: echo x >> times; wc -l < times
    output: TIMES
    repeatPolicy: { repeat: true, limit: 3, intervalSec: 60 }
`;

  test('runs as often as configured, counted over all hosts', async () => {
    const relay = new RecoveryScenario();
    await relay.start(repeating);
    await relay.untilRun((view) => getStep(view, 'work').attempts[0]?.finishedAt !== undefined);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    relay.clock.advance(60_000);
    await relay.untilRun((view) => getStep(view, 'work').attempts[1]?.finishedAt !== undefined);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    relay.clock.advance(60_000);
    expect(await relay.end()).toMatchObject({ status: 'succeeded', outputs: { TIMES: '3' } });
    expect(relay.lines('times')).toHaveLength(3);
  });

  test('has succeeded when it is stopped while it waits, with its last output', async () => {
    const relay = new RecoveryScenario();
    await relay.start(repeating);
    await relay.untilRun((view) => getStep(view, 'work').attempts[0]?.finishedAt !== undefined);
    await relay.onLeaseLost();
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(getStep(view, 'work')).toMatchObject({ status: 'succeeded', output: { value: '1' } });
  });
});
