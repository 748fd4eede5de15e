import { describe, expect, test } from 'vitest';
import { RecoveryScenario, waitFor } from '../run-harness.ts';
import { getStep } from '../../../harness/engine.ts';

const file = (call: string): string => `
name: parent
steps:
  - name: call
    ${call}
    output: RESULT
  - name: after
    command: echo after >> order
---
name: child
params: [WHO: nobody]
steps:
  - name: first
    command: echo first $WHO >> order
  - name: work
    command: "${waitFor('work')}; echo $WHO"
    output: SAID
handlerOn: { exit: echo child exit >> order }
`;

async function loseHostInChild(spec: string): Promise<RecoveryScenario> {
  const relay = new RecoveryScenario();
  await relay.start(spec);
  await relay.waitForStart('work');
  await relay.onLeaseLost();
  return relay;
}

describe('step that runs a sub-workflow when its host is lost', () => {
  test('continues with the run that it has started', async () => {
    const relay = await loseHostInChild(file("run: child\n    params: 'WHO=me'"));
    expect(await relay.recoverRuns()).toEqual(['parent']);
    relay.go('work');
    const view = await relay.end();
    expect(view.status).toBe('succeeded');
    expect(view.outputs['RESULT']).toMatchObject({ status: 'succeeded', outputs: { SAID: 'me' } });
    expect(getStep(view, 'call').subRuns).toHaveLength(1);
    expect(relay.lines('order')).toEqual(['first me', 'child exit', 'after']);
    const child = await relay.engine.get(getStep(view, 'call').subRuns[0]!);
    expect(child).toMatchObject({ status: 'succeeded', recoveries: [{}] });
  });

  test('passes a stop on to it', async () => {
    const relay = await loseHostInChild(file('run: child'));
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(view.status).toBe('aborted');
    const child = await relay.engine.get(getStep(view, 'call').subRuns[0]!);
    expect(child.status).toBe('aborted');
    expect(relay.lines('order')).toEqual(['first nobody', 'child exit']);
  });

  test('finds it by its parent when it was lost before it was named', async () => {
    const relay = await loseHostInChild(file('run: child'));
    relay.engine.changeStore('DELETE FROM sub_run');
    await relay.recoverRuns();
    relay.go('work');
    const view = await relay.end();
    expect(view.status).toBe('succeeded');
    expect(relay.lines('order')).toEqual(['first nobody', 'child exit', 'after']);
  });

  test('continues with those of its items', async () => {
    const items =
      "run: child\n    params: 'WHO=${ITEM}'\n    parallel: { items: [a, b, c], maxConcurrent: 2 }";
    const relay = await loseHostInChild(file(items));
    await relay.recoverRuns();
    relay.go('work');
    const view = await relay.end();
    expect(view.status).toBe('succeeded');
    expect(view.outputs['RESULT']).toMatchObject({ summary: { total: 3, succeeded: 3 } });
    expect(getStep(view, 'call').subRuns).toHaveLength(3);
    expect(
      relay
        .lines('order')
        .filter((line) => line.startsWith('first'))
        .toSorted(),
    ).toEqual(['first a', 'first b', 'first c']);
  });
});

describe('sub-run whose parent has ended', () => {
  test('is recovered by itself', async () => {
    const relay = await loseHostInChild(file('run: child'));
    relay.engine.changeStore(
      "UPDATE run SET status = 'failed', finished_at = 1, owner_key = NULL, owner_host = NULL, owner_pid = NULL WHERE is_sub = 0",
    );
    expect(await relay.recoverRuns()).toEqual(['child']);
    relay.go('work');
    const [child] = (await relay.engine.get(relay.run)).steps[0]!.subRuns;
    expect(await relay.engine.end(child!)).toMatchObject({
      status: 'succeeded',
      outputs: { SAID: 'nobody' },
    });
  });
});
