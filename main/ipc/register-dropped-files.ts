import { statSync } from 'node:fs';
import path from 'node:path';
import type { IpcMain } from 'electron';
import { droppedFilesChannel } from '../../core/contract/transport/ipc-channels.ts';
import { isYamlFile } from '../open/launch-args.ts';
import type { RecentFiles } from '../open/recent-files.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** Maximum number of files in one drop. */
const maxFiles = 10;

/**
 * Adds workflow files dropped on the window to the list of recent files. The preload script asks the system for
 * their paths, so a page can only name files that the user dropped on it.
 */
export function registerDroppedFiles(
  ipcMain: Pick<IpcMain, 'on'>,
  recent: Pick<RecentFiles, 'add' | 'paths'>,
): void {
  ipcMain.on(droppedFilesChannel, (event, files: unknown) => {
    if (!isTrustedSender(event) || !Array.isArray(files)) return;
    const known = files.slice(0, maxFiles).filter(isWorkflowFile);
    for (const file of known.toReversed()) if (recent.paths[0] !== file) recent.add(file);
  });
}

/** Whether a path is that of a workflow file; a file created by the page itself has no path. */
const isWorkflowFile = (file: unknown): file is string =>
  typeof file === 'string' &&
  path.isAbsolute(file) &&
  isYamlFile(file) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
