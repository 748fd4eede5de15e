import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { EngineApi } from '../../../core/api/engine-api.ts';
import { followLogs, type LogRef } from '../../../core/cli/print-logs.ts';
import type { Channel } from '../../../core/cli/terminal.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';

const getAddress = (attempt: number): LogRef => ({
  name: 'etl',
  dagRunId: 'one',
  step: 'load',
  section: 'step',
  attempt,
  stream: 'stdout',
});

it('shows existing logs in the order in which they started, even if one is slow to read', async () => {
  const endedRun = { name: 'etl', dagRunId: 'one', status: 'failed', steps: [], handlers: [] };
  const api = {
    async call(_name: string, { attempt }: LogRef) {
      for (let turns = attempt === 1 ? 50 : 0; turns > 0; turns -= 1) await setImmediate();
      const bytes = Buffer.from(`attempt ${attempt}\n`);
      return { size: bytes.length, complete: true, offset: 0, data: bytes.toString('base64') };
    },
    follow: () => () => {},
  } as unknown as EngineApi;
  let shown = '';
  const channel = {
    write: (data: string | Uint8Array) => {
      shown += Buffer.from(data as Uint8Array).toString();
      return Promise.resolve();
    },
    onClosed: () => () => {},
  } as unknown as Channel;
  await followLogs(endedRun as unknown as RunDetailView, [1, 2, 3].map(getAddress), {
    api,
    caller: { via: 'cli', name: 'cli' },
    channel,
    choice: { node: { section: 'step', name: 'load' }, streams: ['stdout'] },
  });
  expect(shown).toBe('attempt 1\nattempt 2\nattempt 3\n');
});
