import { expect, test, vi } from 'vitest';
import { ResourceMonitor } from '../../../core/process/monitor/resource-monitor.ts';
import { TestEngine, testCaller } from '../../harness/engine.ts';

test('a stop between the end of a run and its commit changes nothing', async () => {
  const engine = new TestEngine();
  // The last call before the end is passed on to be written.
  const look = vi.spyOn(ResourceMonitor.prototype, 'getPeakUsage').mockImplementation((run) => {
    const { name, dagRunId } = run;
    queueMicrotask(() => void engine.host.api.call('runs.stop', { name, dagRunId }, testCaller));
    return undefined;
  });
  const view = await engine.run('steps: [echo a]');
  expect(look).toHaveBeenCalledOnce();
  expect(view).toMatchObject({ status: 'succeeded', stopRequestedBy: testCaller.name });
});
