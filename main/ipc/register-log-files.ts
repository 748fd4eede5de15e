import type { IpcMain, Shell } from 'electron';
import { AppError, toAppError, toErrorBody } from '../../core/base/errors.ts';
import type { Envelope, LogFileAddress } from '../../core/contract/transport/bridge.ts';
import { openLogFileChannel } from '../../core/contract/transport/ipc-channels.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from './register-operations.ts';
import { isTrustedSender } from './trusted-sender.ts';

/**
 * Shows log files by programs of the system. The window names an attempt; which file that is the engine says, so that
 * no path of the page's making is ever opened.
 */
export function registerLogFiles(
  ipcMain: Pick<IpcMain, 'handle'>,
  api: EngineApi,
  shell: Pick<Shell, 'openPath' | 'showItemInFolder'>,
): void {
  ipcMain.handle(
    openLogFileChannel,
    async (event, address: unknown, place: unknown): Promise<Envelope<null>> => {
      try {
        if (!isTrustedSender(event))
          throw new AppError('forbidden', 'Only the app’s own window may open files');
        const file = await findLogFile(api, address as LogFileAddress);
        if (place === 'folder') shell.showItemInFolder(file);
        else await openFile(shell, file);
        return { ok: true, value: null };
      } catch (thrown) {
        return { ok: false, error: toErrorBody(toAppError(thrown)) };
      }
    },
  );
}

async function openFile(shell: Pick<Shell, 'openPath'>, file: string): Promise<void> {
  const problem = await shell.openPath(file);
  if (problem !== '') throw new AppError('not_found', `${file} could not be opened: ${problem}`);
}

/** Also refuses an address that is none: the engine checks what it is asked. */
async function findLogFile(api: EngineApi, address: LogFileAddress): Promise<string> {
  // The answer tells whether the file is one that anybody may read here.
  await api.call('logs.bytes', { ...address, offset: 0, length: 1 }, windowCaller);
  const { name, dagRunId, step, section = 'step', attempt, item, stream = 'stdout' } = address;
  const run = await api.call('runs.get', { name, dagRunId }, windowCaller);
  const found = [...run.steps, ...run.handlers].find((one) => one.name === step && one.section === section);
  const attempts = found?.attempts ?? [];
  const view = attempt === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === attempt);
  const files =
    item === undefined || !view ? view : await findItem(api, { ...address, attempt: view.attempt });
  if (!files) throw new AppError('not_found', `Step "${step}" of run ${dagRunId} has no such log`);
  return stream === 'stderr' ? files.stderrFile : files.stdoutFile;
}

async function findItem(api: EngineApi, address: LogFileAddress) {
  const { name, dagRunId, step, section, attempt, item } = address;
  const after = { name, dagRunId, step, attempt, ...(section && { section }) };
  for (let cursor: string | undefined; ;) {
    const page = await api.call('runs.items', { ...after, ...(cursor && { cursor }) }, windowCaller);
    const found = page.items.find((one) => one.item === item);
    cursor = page.nextCursor;
    if (found || cursor === undefined) return found;
  }
}
