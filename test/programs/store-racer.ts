/**
 * One of several competing schedulers and hosts: starts a run for each scheduled time of one schedule, then
 * claims runs from the queue `q`, one after another. Prints `fireTime NUMBER` and `claim KEY` for its successes.
 */
import { writeSync } from 'node:fs';
import { AppError } from '../../core/base/errors.ts';
import { openStore } from '../../core/store/open-store.ts';

const [url, slots] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: store-racer URL SLOTS');
const store = openStore({ url });
const owner = { host: 'here', pid: process.pid, pidStart: '1', bootId: 'boot' };

for (let fireTime = 0; fireTime < Number(slots); fireTime += 1) {
  try {
    await store.createRun(
      {
        name: 'etl',
        dagRunId: `${process.pid}-${fireTime}`,
        spec: { text: 'steps: []', document: 0 },
        trigger: 'schedule',
        params: [],
        maxActiveRuns: -1,
        queue: 'q',
        waiting: { priority: 0, maxActiveRuns: -1 },
        fireTime: { dag: 'etl', kind: 'start', at: fireTime * 60_000 },
      },
      fireTime,
    );
    writeSync(1, `slot ${fireTime}\n`);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'stale_owner')) throw error;
  }
}
for (;;) {
  const [claim] = await store.queues.claimNext({ queue: 'q', max: 1, owner }, 1);
  if (claim === undefined) break;
  writeSync(1, `claim ${claim.runKey}\n`);
}
store.close();
