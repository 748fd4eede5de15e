import { statSync } from 'node:fs';
import path from 'node:path';
import type { IpcMain } from 'electron';
import { droppedFilesChannel } from '../../core/contract/transport/ipc-channels.ts';
import { isYamlFile } from '../open/launch-words.ts';
import type { RecentFiles } from '../open/recent-files.ts';
import { isTrustedSender } from './trusted-sender.ts';

/** As many as a person drops at once. */
const mostFiles = 10;

/**
 * Has workflow files that were dropped on the window opened again from the list of recent ones. Their paths come from
 * the preload, which asks the system for them: a page can name none that was not given to it.
 */
export function registerDroppedFiles(
  ipcMain: Pick<IpcMain, 'on'>,
  recent: Pick<RecentFiles, 'add' | 'paths'>,
): void {
  ipcMain.on(droppedFilesChannel, (event, files: unknown) => {
    if (!isTrustedSender(event) || !Array.isArray(files)) return;
    const known = files.slice(0, mostFiles).filter(isWorkflowFile);
    for (const file of known.toReversed()) if (recent.paths[0] !== file) recent.add(file);
  });
}

/** A file made by the page itself has no path. */
const isWorkflowFile = (file: unknown): file is string =>
  typeof file === 'string' &&
  path.isAbsolute(file) &&
  isYamlFile(file) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;
