import { oneByOne } from '../../../harness/resources.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { SessionPool } from '../../../../core/store/postgres/session-pool.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import type { EventBatch } from '../../../../core/store/types/runs.ts';
import { describeRun } from '../store-harness.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const node = { section: 'step', name: 'load' } as const;
const owner = { host: 'here', pid: 1, pidStart: '1', bootId: 'boot' };

describeOnServers('round trips to the server', (server) => {
  it('are few per run in a commit for many runs, with the results of single commits', async () => {
    const store = createStore(openForTest(newSchemaUrl(server())));
    const keys = await oneByOne(Array.from({ length: 20 }), async (_, index) => {
      const run = await store.createRun(
        { ...describeRun(), dagRunId: `run-${index}`, owner, maxActiveRuns: -1 },
        1,
      );
      return run.key;
    });
    const batches = keys.map((runKey, index): EventBatch => ({
      runKey,
      // The third one belongs to another host.
      epoch: index === 2 ? 7 : 1,
      events: [
        { at: 2, event: { type: 'run.started', logDir: 'logs/x' } },
        { at: 3, event: { type: 'step.started', node, attempt: 1, dir: 'load.1' } },
      ],
    }));
    // The same run again comes after its own earlier batch.
    const again: EventBatch = {
      runKey: keys[0]!,
      epoch: 1,
      events: [
        { at: 4, event: { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 } },
      ],
    };
    const request = vi.spyOn(SessionPool.prototype, 'request');
    const outcomes = (await store.append([...batches, again])).outcomes.map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...keys.map((_, index) => (index === 2 ? 'stale' : 'written')), 'written']);
    // The cached state of the third run is wrong, so all are read before they are written.
    expect(request).toHaveBeenCalledTimes(2);
    expect(
      (await store.listEvents(0, 1000)).filter(({ event }) => event.type === 'step.started'),
    ).toHaveLength(19);
  });
});
