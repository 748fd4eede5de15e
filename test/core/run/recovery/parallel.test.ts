import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../core/base/json.ts';
import { RecoveryScenario } from '../run-harness.ts';
import { getStep } from '../../../harness/engine.ts';

/** `a` ends at once, `b` waits for a signal, `c` has not started. */
const spec = (more = ''): string => `
name: items
steps:
  - name: work
    command: "echo $ITEM >> begun; case $ITEM in a) ;; b) echo x >> b.begun; while [ ! -e b.go ]; do sleep 0.01; done;; esac; echo done $ITEM; test $ITEM != bad"
    parallel: { items: [a, b, c], maxConcurrent: 1 }
    output: RESULT
    ${more}
`;

async function loseHostAtB(text: string): Promise<RecoveryScenario> {
  const relay = new RecoveryScenario();
  await relay.start(text);
  await relay.waitForStart('b');
  await relay.onLeaseLost();
  return relay;
}

describe('step with items when its host is lost', () => {
  test('resumes the running item, keeps completed ones and runs the rest', async () => {
    const relay = await loseHostAtB(spec());
    await relay.recoverRuns();
    await relay.engine.settle();
    relay.go('b');
    const view = await relay.end();
    expect(view.status).toBe('succeeded');
    expect(view.outputs['RESULT']).toMatchObject({
      summary: { total: 3, succeeded: 3, failed: 0 },
      outputs: ['done a', 'done b', 'done c'],
    });
    expect(getStep(view, 'work').items).toEqual({
      total: 3,
      started: 3,
      running: 0,
      succeeded: 3,
      failed: 0,
    });
    expect(getStep(view, 'work').attempts).toHaveLength(1);
    expect(relay.lines('begun')).toEqual(['a', 'b', 'c']);
    const finished = (await relay.eventsOf('step.item_finished')) as { item: number }[];
    expect(finished.map(({ item }) => item)).toEqual([1, 2, 3]);
  });

  test('ends its item on a stop', async () => {
    const relay = await loseHostAtB(spec());
    await relay.recoverRuns();
    await relay.stop();
    const view = await relay.end();
    expect(view.status).toBe('aborted');
    expect(getStep(view, 'work').items).toMatchObject({ started: 2, succeeded: 1, failed: 1 });
    expect(relay.lines('begun')).toEqual(['a', 'b']);
  });

  test('runs only the remaining ones in a later attempt', async () => {
    const relay = await loseHostAtB(
      spec('retryPolicy: { limit: 1, intervalSec: 0 }').replace('a, b, c', 'a, b, bad'),
    );
    await relay.recoverRuns();
    relay.go('b');
    const view = await relay.end();
    expect(view.status).toBe('failed');
    expect(getStep(view, 'work').attempts).toHaveLength(2);
    expect(relay.lines('begun')).toEqual(['a', 'b', 'bad', 'bad']);
  });

  test('fails when its items have changed, and ends the running one', async () => {
    const relay = new RecoveryScenario();
    const list = path.join(relay.folder, 'list');
    await relay.start(spec().replace('[a, b, c]', `'\`cat ${list} 2>/dev/null || echo a b c\`'`));
    await relay.waitForStart('b');
    await relay.onLeaseLost();
    writeFileSync(list, 'a other');
    await relay.recoverRuns();
    const view = await relay.end();
    const { error } = getStep(view, 'work');
    expect(error).toBe('engine lost: item 2 was "b" and is now "other"');
    expect(relay.lines('begun')).toEqual(['a', 'b']);
    expect((view.outputs['RESULT'] as JsonObject | undefined)?.['summary']).toBeUndefined();
  });
});
