import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import {
  archiveOperations,
  archiveTable,
  type ArchiveConfig,
  type ArchiveFormat,
  type ArchiveOperation,
} from '../../model/executors/archive.ts';
import type { StepContext, StepTask } from '../executor.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import { ArchiveError, quote } from './archive-error.ts';
import { Selection } from './entries/selection.ts';

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
