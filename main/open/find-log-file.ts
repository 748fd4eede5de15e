import { AppError } from '../../core/base/errors.ts';
import type { LogFileRef } from '../../core/contract/transport/bridge.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';

/**
 * Returns the absolute path of a log file from the engine. An invalid address is rejected too, because the
 * engine validates the request.
 */
export async function findLogFile(api: EngineApi, address: LogFileRef): Promise<string> {
  // The request checks whether the file may be read.
  await api.call('logs.bytes', { ...address, offset: 0, length: 1 }, windowCaller);
  const { name, dagRunId, step, section = 'step', attempt, item, stream = 'stdout' } = address;
  const run = await api.call('runs.get', { name, dagRunId }, windowCaller);
  const node = [...run.steps, ...run.handlers].find((one) => one.name === step && one.section === section);
  const attempts = node?.attempts ?? [];
  const view = attempt === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === attempt);
  const files =
    item === undefined || !view ? view : await findItem(api, { ...address, attempt: view.attempt });
  if (!files) throw new AppError('not_found', `Log not found for step "${step}" of run ${dagRunId}`);
  return stream === 'stderr' ? files.stderrFile : files.stdoutFile;
}

async function findItem(api: EngineApi, address: LogFileRef) {
  const { name, dagRunId, step, section, attempt, item } = address;
  const after = { name, dagRunId, step, attempt, ...(section && { section }) };
  for (let cursor: string | undefined; ;) {
    const page = await api.call('runs.items', { ...after, ...(cursor && { cursor }) }, windowCaller);
    const node = page.items.find((one) => one.item === item);
    cursor = page.nextCursor;
    if (node || cursor === undefined) return node;
  }
}
