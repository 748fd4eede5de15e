import type { TerminalLocation } from '../../core/contract/desktop/system-calls.ts';
import type { EngineHost } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';

type TerminalHost = Pick<EngineHost, 'api' | 'stepPlace' | 'workflowPlace'>;

/** Returns the working directory and title of a terminal. Rejects if there is none. */
export async function resolveTerminalLocation(engine: TerminalHost, location: TerminalLocation) {
  if ('fileName' in location)
    return { title: location.fileName, ...(await engine.workflowPlace(location.fileName)) };
  const { name, dagRunId, step } = location;
  const run = await engine.api.call('runs.get', { name, dagRunId }, windowCaller);
  return { title: step ?? name, ...(await engine.stepPlace(run, step)) };
}
