import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { getErrorMessage } from '../../base/errors.ts';
import { parseGlob } from '../../base/glob.ts';
import type { ExecutorResult } from '../../executors/executor.ts';
import { findFiles } from '../../executors/find-files.ts';
import type { Step } from '../../model/step.ts';

/** A required input or output file is missing. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
}

/** Artifacts of the run. Both methods retry while no coordinator is reachable. */
export interface ArtifactStore {
  /** Returns an artifact; undefined if the run has none with this name. */
  get(name: string): Promise<Readable | undefined>;
  put(name: string, file: string, bytes: number): Promise<void>;
}

/** Downloads the artifacts that a step needs to its directory. Rejects with `TaskFileError` if one is missing. */
export async function fetchInputs(
  names: readonly string[],
  folder: string,
  artifacts: Pick<ArtifactStore, 'get'>,
): Promise<void> {
  for (const name of names) {
    const file = resolveWithin(folder, name, 'inputFiles');
    const content = await artifacts.get(name);
    if (content === undefined)
      throw new TaskFileError(
        `inputFiles: the run has no artifact "${name}"; an earlier step must list it in outputFiles`,
      );
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(file));
  }
}

/**
 * Uploads a step's output files as artifacts of the run. Rejects with `TaskFileError` for a pattern without matches.
 * @param signal aborts the upload, which then rejects with the reason
 * @returns names relative to the directory
 */
export async function saveOutputs(
  patterns: readonly string[],
  folder: string,
  artifacts: Pick<ArtifactStore, 'put'>,
  signal: AbortSignal,
): Promise<string[]> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    const matches = await findOutputs(pattern, folder, signal);
    if (matches.length === 0)
      throw new TaskFileError(`outputFiles: no file matches "${pattern}" in ${folder}`);
    for (const name of matches) names.add(name);
  }
  for (const name of names) {
    signal.throwIfAborted();
    const file = path.join(folder, name);
    const { size } = await stat(file);
    await artifacts.put(name, file, size);
  }
  return [...names];
}

async function findOutputs(pattern: string, folder: string, signal: AbortSignal): Promise<string[]> {
  resolveWithin(folder, pattern, 'outputFiles');
  const glob = parseGlob(path.posix.normalize(pattern), { ignoreCase: process.platform !== 'linux' });
  if ('problem' in glob) throw new TaskFileError(`outputFiles: "${pattern.slice(0, 80)}" ${glob.problem}`);
  return await findFiles(folder, glob, signal);
}

/** Returns a path, which must be within the step's directory. */
function resolveWithin(folder: string, name: string, field: string): string {
  const file = path.resolve(folder, name);
  if (file.startsWith(folder + path.sep) && !path.isAbsolute(name)) return file;
  throw new TaskFileError(`${field}: "${name}" is outside the working directory of the step`);
}

/** Log streams of an attempt. */
export type LogStream = 'stdout' | 'stderr';

/** Byte range of an artifact, up to its end if `length` is absent. */
export interface FileRange {
  readonly offset: number;
  readonly length?: number;
}

/** A snapshot of an artifact. */
export interface ArtifactInfo {
  /** Total size. */
  readonly bytes: number;
  /** Time it was stored, epoch milliseconds. */
  readonly at: number;
  /** Changes when the artifact is replaced. */
  readonly mark: string;
  /** The requested range; empty if it starts after the end. Must be read or destroyed. */
  readonly content: Readable;
}

/** Storage of task logs and artifacts, which are never stored in the database. */
export interface TaskFiles {
  /** Returns the current size of a log in bytes. */
  logSize(attemptDir: string, stream: LogStream): Promise<number>;
  /**
   * Appends to a log and returns its size. Bytes that already exist are skipped; a part after a gap is rejected, and
   * the sender continues from the returned size.
   */
  appendLog(
    attemptDir: string,
    stream: LogStream,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly size: number }>;
  /**
   * Stores an artifact of a run and replaces one with the same name. `run` is the absolute path of the run's log
   * directory.
   */
  putArtifact(
    run: string,
    name: string,
    content: Readable,
  ): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Returns an artifact or a part of it; undefined if missing. */
  getArtifact(run: string, name: string, part?: FileRange): Promise<ArtifactInfo | undefined>;
  listArtifacts(
    run: string,
  ): Promise<readonly { readonly name: string; readonly bytes: number; readonly at: number }[]>;
  /**
   * Copies the logs of an attempt to its directory `place` on this machine, as far as available.
   * @param reportedDir directory that coordinators write to, if the offering host used a different one
   */
  mirrorLogs(attemptDir: string, reportedDir?: string): Promise<void>;
  /** Merges the stored parts of an attempt's logs after they are complete. */
  sealLogs(attemptDir: string): Promise<void>;
  /** Deletes everything that is stored outside the run directory. */
  removeRun(run: string): Promise<void>;
}

/** The artifacts of a run on this machine. */
interface FilesContext {
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  files(): Promise<TaskFiles>;
}

/**
 * Copies the artifacts that a step needs into its directory on this machine. Rejects with a message for a missing
 * artifact.
 */
export async function fetchLocalInputs(
  context: FilesContext,
  { inputFiles = [] }: Pick<Step, 'inputFiles'>,
  folder: string,
): Promise<void> {
  // An artifact that is already in place is not copied onto itself.
  const names = inputFiles.filter((name) => !isArtifactItself(context, folder, name));
  if (names.length > 0) await fetchInputs(names, folder, getArtifacts(context));
}

/**
 * Stores the artifacts that a successful step has created on this machine; if one cannot be stored, the step fails.
 * Rejects once the signal is aborted.
 */
export async function saveLocalOutputs<Result extends ExecutorResult>(
  context: FilesContext,
  { outputFiles = [] }: Pick<Step, 'outputFiles'>,
  folder: string,
  result: Result,
  signal: AbortSignal,
): Promise<Result> {
  if (outputFiles.length === 0) return result;
  try {
    await saveOutputs(outputFiles, folder, getArtifacts(context, folder), signal);
    return result;
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...result, error: getErrorMessage(error) };
  }
}

const isArtifactItself = ({ runDir }: FilesContext, folder: string, name: string): boolean =>
  path.resolve(folder, name) === path.join(runDir, 'artifacts', name);

function getArtifacts(context: FilesContext, folder?: string): ArtifactStore {
  const { files, runDir } = context;
  return {
    get: async (name) => (await (await files()).getArtifact(runDir, name))?.content,
    put: async (name, file) => {
      if (folder !== undefined && isArtifactItself(context, folder, name)) return;
      await (await files()).putArtifact(runDir, name, createReadStream(file));
    },
  };
}
