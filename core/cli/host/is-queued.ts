import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { RunRef } from '../../model/run.ts';

/** Whether a run waits in its queue. */
export async function isQueued(api: EngineApi, { name, dagRunId }: RunRef, caller: Caller): Promise<boolean> {
  const { status } = await api.call('runs.get', { name, dagRunId }, caller);
  return status === 'queued';
}
