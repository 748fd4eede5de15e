import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { ExecutorAction } from '../../model/step.ts';
import {
  archiveOperations,
  archiveTable,
  type ArchiveConfig,
  type ArchiveFormat,
  type ArchiveOperation,
} from '../../model/executor-tables.ts';
import type { StepContext, StepTask } from '../executor.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import { ArchiveError, quote, archiveExitCodes } from './archive-error.ts';
import { Selection, type EntryKind } from './entries.ts';

/** An archive step with all defaults applied. */
export interface ArchiveJob {
  readonly operation: ArchiveOperation;
  /** Absolute paths: one archive, or the files and folders to pack. */
  readonly sources: readonly string[];
  /** Absolute path; undefined if nothing is written. */
  readonly destination: string | undefined;
  readonly format: ArchiveFormat | undefined;
  /** -1: default level. */
  readonly compressionLevel: number;
  readonly password: string | undefined;
  readonly overwrite: boolean;
  readonly preservePaths: boolean;
  readonly stripComponents: number;
  readonly selection: Selection;
  readonly dryRun: boolean;
  readonly followSymlinks: boolean;
  readonly verifyIntegrity: boolean;
  readonly continueOnError: boolean;
  readonly maxRatio: number;
  readonly maxEntries: number;
  /** Absolute path; base of the names of packed files. */
  readonly workingDir: string;
  readonly signal: AbortSignal;
  /** Writes a name to the log in verbose mode. */
  notify(name: string): void;
  /** Writes a line to the log. */
  warn(message: string): void;
}

/**
 * Reads and validates the configuration of a step.
 * @throws ArchiveError, or ConfigError from evaluateConfig
 */
export async function readJob(
  { expand, workingDir }: Pick<StepContext, 'expand' | 'workingDir'>,
  action: ExecutorAction,
  { signal, output }: StepTask,
): Promise<ArchiveJob> {
  const config = await evaluateConfig(archiveTable, action.config as JsonObject, expand);
  const operation = await readOperation(action, expand);
  const source = config.source.filter((path) => path !== '');
  if (source.length === 0)
    throw configurationError('config.source is empty. Set the archive, or the files to pack');
  if (operation !== 'create' && source.length > 1)
    throw configurationError(`config.source must be a single archive for the command "${operation}"`);
  const { destination = '' } = config;
  if (operation === 'create' && destination === '')
    throw configurationError('config.destination is empty. Set the path of the archive to create');
  return {
    operation,
    sources: source.map((path) => resolve(workingDir, path)),
    destination: operation === 'list' ? undefined : resolve(workingDir, destination),
    format: config.format,
    ...readChoices(config),
    workingDir,
    signal,
    notify: (name) => {
      if (config.verbose === true) output.stderr(`${quote(name).slice(1, -1)}\n`);
    },
    warn: (message) => output.stderr(`${message}\n`),
  };
}

type ArchiveRequest = Pick<
  ArchiveJob,
  'operation' | 'sources' | 'destination' | 'format' | 'workingDir' | 'signal' | 'notify' | 'warn'
>;

function readChoices(config: ArchiveConfig): Omit<ArchiveJob, keyof ArchiveRequest> {
  const { include = [], exclude = [], password } = config;
  return {
    compressionLevel: readInteger('compressionLevel', config.compressionLevel ?? -1, -1, 22),
    // An empty password comes from an unset variable.
    password: password === '' ? undefined : password,
    overwrite: config.overwrite ?? false,
    preservePaths: config.preservePaths ?? true,
    stripComponents: readInteger('stripComponents', config.stripComponents ?? 0, 0, 1000),
    selection: new Selection({ include: include.filter(Boolean), exclude: exclude.filter(Boolean) }),
    dryRun: config.dryRun ?? false,
    followSymlinks: config.followSymlinks ?? false,
    verifyIntegrity: config.verifyIntegrity ?? false,
    continueOnError: config.continueOnError ?? false,
    maxRatio: readInteger('maxRatio', config.maxRatio ?? 1000, 1, Number.MAX_SAFE_INTEGER),
    maxEntries: readInteger('maxEntries', config.maxEntries ?? 1_000_000, 1, Number.MAX_SAFE_INTEGER),
  };
}

async function readOperation(
  { command = '' }: ExecutorAction,
  expand: StepContext['expand'],
): Promise<ArchiveOperation> {
  const text = (await expand(command)).trim();
  const operation = archiveOperations.find((known) => known === text);
  if (operation !== undefined) return operation;
  throw configurationError(`unknown command ${quote(text)}. Use ${archiveOperations.join(', ')}`);
}

function readInteger(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw configurationError(`config.${field} must be a whole number from ${min} to ${max} (got ${value})`);
}

const configurationError = (message: string): ArchiveError => new ArchiveError('configuration', message);

/** Further names and errors are only counted, because the summary is held in memory. */
export const listedFiles = 1000;
export const listedErrors = 100;

/** A file in the summary. */
export interface ListedFile {
  readonly name: string;
  readonly type: EntryKind;
  readonly size: number;
  readonly mode: number | undefined;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  readonly isEncrypted?: boolean;
}

const countNames = { extract: 'filesExtracted', create: 'filesAdded', list: 'totalFiles' } as const;

/** The results of a step, collected while it runs. Converted to the JSON that the step writes. */
export class Summary {
  readonly #operation: ArchiveOperation;
  /** Fields that are known from the start: source, destination, format, dryRun. */
  readonly fields: JsonObject;
  readonly #listsFiles: boolean;
  readonly #files: JsonObject[] = [];
  readonly #errors: JsonObject[] = [];
  #fileCount = 0;
  #folderCount = 0;
  #totalSize = 0;
  #skipped = 0;
  #failed = 0;

  constructor(operation: ArchiveOperation, fields: JsonObject, listsFiles: boolean) {
    this.#operation = operation;
    this.fields = fields;
    this.#listsFiles = listsFiles;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Counts a completed entry. Folders are counted separately. */
  add(file: ListedFile): void {
    if (file.type === 'folder') this.#folderCount += 1;
    else {
      this.#fileCount += 1;
      this.#totalSize += file.size;
    }
    if (this.#listsFiles && this.#files.length < listedFiles) this.#files.push(toJson(file));
  }

  /** Counts an entry that `include`, `exclude` or `stripComponents` excludes. */
  skip(): void {
    this.#skipped += 1;
  }

  fail(error: ArchiveError, file?: string): void {
    this.#failed += 1;
    if (this.#errors.length >= listedErrors) return;
    const code = archiveExitCodes[error.class];
    this.#errors.push({
      ...(file === undefined ? {} : { file }),
      class: error.class,
      code,
      error: error.message,
    });
  }

  toJson(): JsonObject {
    const omitted = this.#fileCount + this.#folderCount - this.#files.length;
    return {
      operation: this.#operation,
      ...this.fields,
      [countNames[this.#operation]]: this.#fileCount,
      folders: this.#folderCount,
      totalSize: this.#totalSize,
      ...(this.#listsFiles ? { files: this.#files } : {}),
      ...(this.#listsFiles && omitted > 0 ? { filesOmitted: omitted } : {}),
      skipped: this.#skipped,
      failed: this.#failed,
      errors: this.#errors,
    };
  }
}

function toJson({ name, type, size, mode, modified, isEncrypted }: ListedFile): JsonObject {
  const time = modified === undefined ? undefined : new Date(modified * 1000);
  return {
    name,
    type,
    size,
    ...(mode === undefined ? {} : { mode: (mode & 0o7777).toString(8).padStart(4, '0') }),
    ...(time === undefined || Number.isNaN(time.getTime()) ? {} : { modified: time.toISOString() }),
    ...(isEncrypted === true ? { encrypted: true } : {}),
  };
}
