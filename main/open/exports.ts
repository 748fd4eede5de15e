import { createWriteStream } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileFilter } from 'electron';
import { AppError } from '../../core/base/errors.ts';
import { formatFsError } from '../../core/base/text/format-fs-error.ts';
import type { ExportRequest } from '../../core/contract/desktop/system-calls.ts';
import { readArtifact } from '../../core/contract/transport/read-artifact.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import { workflowFiles, type FileDialogs } from './file-dialogs.ts';
import { findLogFile } from './find-log-file.ts';

/** Dependencies of saving copies. */
export interface ExportDeps {
  readonly dialogs: Pick<FileDialogs, 'askSave'>;
  readonly api: EngineApi;
  /** The user's documents directory. */
  documents(): string;
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
 */
export async function exportByDialog(deps: ExportDeps, what: ExportRequest): Promise<string | undefined> {
  const { title, name, filters, write } = await prepare(deps.api, what);
  const file = await deps.dialogs.askSave({
    title,
    defaultPath: path.join(deps.documents(), name),
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
