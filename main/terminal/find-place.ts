import type { TerminalPlace } from '../../core/contract/desktop/system-calls.ts';
import type { EngineHost } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';

type Places = Pick<EngineHost, 'api' | 'stepPlace' | 'workflowPlace'>;

/** Returns the working directory and title of a terminal. Rejects if there is none. */
export async function findPlace(engine: Places, place: TerminalPlace) {
  if ('fileName' in place) return { title: place.fileName, ...(await engine.workflowPlace(place.fileName)) };
  const { name, dagRunId, step } = place;
  const run = await engine.api.call('runs.get', { name, dagRunId }, windowCaller);
  return { title: step ?? name, ...(await engine.stepPlace(run, step)) };
}
