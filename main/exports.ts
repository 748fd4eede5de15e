import { createWriteStream } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type {
  BrowserWindow,
  Dialog,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
  FileFilter,
} from 'electron';
import { AppError, formatFsError } from '../core/base/errors.ts';
import type { ExportRequest } from '../core/contract/desktop-calls.ts';
import { readArtifact } from '../core/contract/transport.ts';
import type { EngineApi } from '../core/index.ts';
import { windowCaller, findLogFile } from './engine-ipc.ts';

export const workflowFiles = [{ name: 'Workflows', extensions: ['yaml', 'yml'] }];

/** The system's file dialogs, attached to the window while it is open. */
export class FileDialogs {
  readonly #dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  readonly #window: () => BrowserWindow | undefined;

  constructor(
    dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>,
    window: () => BrowserWindow | undefined,
  ) {
    this.#dialog = dialog;
    this.#window = window;
  }

  /** Returns an absolute path; undefined if cancelled. */
  async askOpen(options: OpenDialogOptions): Promise<string | undefined> {
    const { canceled, filePaths } = await this.#showOpen(options);
    return canceled ? undefined : filePaths[0];
  }

  /** Returns an absolute path; undefined if cancelled. The dialog asks before overwriting a file. */
  async askSave(options: SaveDialogOptions): Promise<string | undefined> {
    const { canceled, filePath } = await this.#showSave(options);
    return canceled || filePath === '' ? undefined : filePath;
  }

  #showOpen(options: OpenDialogOptions): Promise<OpenDialogReturnValue> {
    const window = this.#window();
    return window === undefined
      ? this.#dialog.showOpenDialog(options)
      : this.#dialog.showOpenDialog(window, options);
  }

  #showSave(options: SaveDialogOptions): Promise<SaveDialogReturnValue> {
    const window = this.#window();
    return window === undefined
      ? this.#dialog.showSaveDialog(options)
      : this.#dialog.showSaveDialog(window, options);
  }
}

/** A copy ready to be saved. */
interface Copy {
  readonly title: string;
  readonly name: string;
  readonly filters: FileFilter[];
  write(file: string): Promise<void>;
}

/**
 * Saves a copy to a path chosen by the user; undefined if cancelled. Rejects with `not_found`, and with
 * `bad_request` for a path that is not writable.
 * @param documents the user's documents directory
 */
export async function exportByDialog(
  what: ExportRequest,
  api: EngineApi,
  dialogs: Pick<FileDialogs, 'askSave'>,
  documents: string,
): Promise<string | undefined> {
  const { title, name, filters, write } = await prepare(api, what);
  const file = await dialogs.askSave({
    title,
    defaultPath: path.join(documents, name),
    filters,
  });
  if (file === undefined) return undefined;
  try {
    await write(file);
  } catch (error) {
    throw new AppError('bad_request', `Could not write ${file}: ${formatFsError(error)}`);
  }
  return file;
}

/** Reads the data first, so that a missing object does not open the dialog. */
function prepare(api: EngineApi, what: ExportRequest): Promise<Copy> {
  switch (what.kind) {
    case 'workflow':
      return prepareWorkflow(api, what.fileName);
    case 'run':
      return prepareRun(api, what);
    case 'log':
      return prepareLog(api, what.address);
    case 'artifact':
      return prepareArtifact(api, what);
  }
}

/** The text of the workflow file, byte for byte. */
async function prepareWorkflow(api: EngineApi, fileName: string): Promise<Copy> {
  const { spec } = await api.call('dags.get', { fileName }, windowCaller);
  return {
    title: 'Save a copy of the workflow',
    name: `${fileName}.dag.yaml`,
    filters: workflowFiles,
    write: (file) => writeFile(file, spec),
  };
}

/** The run as returned by the API. */
async function prepareRun(
  api: EngineApi,
  { name, dagRunId }: Extract<ExportRequest, { kind: 'run' }>,
): Promise<Copy> {
  const run = await api.call('runs.get', { name, dagRunId }, windowCaller);
  return {
    title: 'Save run as JSON',
    name: `${run.name}-${run.dagRunId}.json`,
    filters: [{ name: 'JSON', extensions: ['json'] }],
    write: (file) => writeFile(file, `${JSON.stringify(run, undefined, 2)}\n`),
  };
}

async function prepareLog(
  api: EngineApi,
  address: Extract<ExportRequest, { kind: 'log' }>['address'],
): Promise<Copy> {
  const log = await findLogFile(api, address);
  const { step, item, stream = 'stdout' } = address;
  const args = [toFileName(step), ...(item === undefined ? [] : [`item-${item}`]), stream, 'log'];
  return {
    title: 'Save log',
    name: args.join('.'),
    filters: [{ name: 'Logs', extensions: ['log', 'txt'] }],
    write: (file) => copyFile(log, file),
  };
}

async function prepareArtifact(
  api: EngineApi,
  { name, dagRunId, artifact }: Extract<ExportRequest, { kind: 'artifact' }>,
): Promise<Copy> {
  const address = { name, dagRunId, artifact };
  await api.call('runs.artifactBytes', { ...address, length: 1 }, windowCaller);
  return {
    title: 'Save file',
    name: path.posix.basename(artifact),
    filters: [],
    write: (file) => pipeline(readBytes(api, address), createWriteStream(file)),
  };
}

async function* readBytes(
  api: EngineApi,
  address: Parameters<typeof readArtifact>[1],
): AsyncGenerator<Buffer> {
  const chunks = readArtifact((input) => api.call('runs.artifactBytes', input, windowCaller), address);
  for await (const { data } of chunks) yield Buffer.from(data, 'base64');
}

const toFileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
