import type { IpcMain, Shell } from 'electron';
import { AppError, toAppError, toErrorBody } from '../../core/base/errors.ts';
import type { Envelope, LogFileRef } from '../../core/contract/transport/bridge.ts';
import { openLogFileChannel } from '../../core/contract/transport/ipc-channels.ts';
import type { EngineApi } from '../../core/index.ts';
import { findLogFile } from '../open/find-log-file.ts';
import { isTrustedSender } from './trusted-sender.ts';

/**
 * Opens log files in programs of the system. The window names an attempt and the engine returns its file, so
 * that no path from the page is ever opened.
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
        const file = await findLogFile(api, address as LogFileRef);
        if (place === 'folder') shell.showItemInFolder(file);
        else await openFile(shell, file);
        return { ok: true, value: null };
      } catch (error) {
        return { ok: false, error: toErrorBody(toAppError(error)) };
      }
    },
  );
}

async function openFile(shell: Pick<Shell, 'openPath'>, file: string): Promise<void> {
  const problem = await shell.openPath(file);
  if (problem !== '') throw new AppError('not_found', `Could not open ${file}: ${problem}`);
}
