import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';
import { QueueHarness } from '../dispatch-harness.ts';

const configOf = ({ home }: QueueHarness): string => readFileSync(path.join(home, 'config.yaml'), 'utf8');

test('a higher limit starts waiting runs at once, and stays after a restart', async () => {
  const harness = new QueueHarness(
    'queues:\n  config:\n    # shared\n    - { name: etl, maxConcurrency: 1 }\n',
  );
  harness.engine.host.processQueues();
  await harness.enqueue('a', { queue: 'etl' }, 'maxActiveRuns: 5');
  await harness.untilStarted('a');
  await harness.enqueue('b', { queue: 'etl' }, 'maxActiveRuns: 5');
  await harness.engine.settle();
  expect(harness.startedRuns).toEqual(['a']);
  const view = await harness.engine.call('queues.setLimit', { queue: 'etl', maxConcurrency: 2 });
  expect(view).toMatchObject({ name: 'etl', type: 'global', maxConcurrency: 2 });
  await harness.untilStarted('b');
  expect(configOf(harness)).toBe(
    'queues:\n  config:\n    # shared\n    - { name: etl, maxConcurrency: 2 }\n',
  );
  const later = new TestEngine({ home: harness.home, clock: harness.clock });
  expect((await later.call('queues.list', {})).queues).toMatchObject([{ name: 'etl', maxConcurrency: 2 }]);
  harness.go('a');
  harness.go('b');
  await harness.until('a', 'succeeded');
  await harness.until('b', 'succeeded');
});

test('a queue can be added and removed', async () => {
  const harness = new QueueHarness();
  const names = async () => (await harness.engine.call('queues.list', {})).queues.map(({ name }) => name);
  await harness.engine.call('queues.setLimit', { queue: 'etl', maxConcurrency: 3 });
  expect(await names()).toEqual(['etl']);
  const removed = await harness.engine.call('queues.setLimit', { queue: 'etl', maxConcurrency: null });
  expect(removed).toMatchObject({ name: 'etl', type: 'dag-based' });
  expect(await names()).toEqual([]);
});

test('an invalid name or file changes nothing', async () => {
  const harness = new QueueHarness();
  const set = (queue: string) => harness.engine.call('queues.setLimit', { queue, maxConcurrency: 1 });
  await expect(set(' etl ')).rejects.toMatchObject({ code: 'bad_request' });
  harness.configure('queues: [');
  await expect(set('etl')).rejects.toMatchObject({ code: 'conflict' });
  expect(configOf(harness)).toBe('queues: [');
  expect((await harness.engine.call('queues.list', {})).queues).toEqual([]);
});
