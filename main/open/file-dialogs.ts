import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserWindow, Dialog } from 'electron';
import { AppError, messageOf } from '../../core/base/errors.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import type { Opener } from './opener.ts';

export interface FileDialogParts {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  /** To attach the dialog to. */
  window(): BrowserWindow | undefined;
  readonly api: EngineApi;
  readonly opener: Pick<Opener, 'openFile'>;
  /** Where a person keeps documents. */
  readonly documents: string;
}

const filters = [{ name: 'Workflows', extensions: ['yaml', 'yml'] }];

/** Asks which workflow file to show, and shows it. */
export async function openByDialog(parts: FileDialogParts): Promise<boolean> {
  const options = { title: 'Open a workflow file', properties: ['openFile' as const], filters };
  const window = parts.window();
  const { filePaths } = await (window === undefined
    ? parts.dialog.showOpenDialog(options)
    : parts.dialog.showOpenDialog(window, options));
  const [file] = filePaths;
  return file === undefined ? false : parts.opener.openFile(file);
}

/** Saves the text of a workflow, byte for byte, where the person says. Undefined: they thought better of it. */
export async function exportByDialog(parts: FileDialogParts, fileName: string): Promise<string | undefined> {
  const { spec } = await parts.api.call('dags.get', { fileName }, windowCaller);
  const options = {
    title: 'Save a copy of the workflow',
    defaultPath: path.join(parts.documents, `${fileName}.dag.yaml`),
    filters,
  };
  const window = parts.window();
  const { filePath, canceled } = await (window === undefined
    ? parts.dialog.showSaveDialog(options)
    : parts.dialog.showSaveDialog(window, options));
  if (canceled || filePath === '') return undefined;
  try {
    await writeFile(filePath, spec);
  } catch (thrown) {
    throw new AppError('bad_request', `${filePath} could not be written: ${messageOf(thrown)}`);
  }
  return filePath;
}
