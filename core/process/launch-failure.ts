import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { LaunchFailure } from './launcher.ts';
import type { ChildRequest, StartFailure } from './spawn.ts';

/** Why a file for output could not be opened; `cause` is the system error. */
export class OutputOpenError extends Error {
  readonly failure: LaunchFailure;

  constructor(failure: LaunchFailure, cause: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** Linux limit for one argument or variable (MAX_ARG_STRLEN), including its terminating zero. */
export const maxArgumentBytes = 128 * 1024;

/** A program that could not be started. */
type ProgramStart = Pick<ChildRequest, 'argv' | 'env' | 'cwd'>;

/** Errors that may disappear when other processes end. */
const transientCodes: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Whether the same start may succeed a moment later. */
export const isTransient = (error: NodeJS.ErrnoException): boolean => transientCodes.has(error.code);

/** Returns the problem with the working directory, if any. */
export function checkWorkingDirectory(cwd: string): LaunchFailure | undefined {
  const stats = statSync(cwd, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return undefined;
  const message = stats
    ? `working directory ${cwd} is not a directory`
    : `working directory ${cwd} does not exist`;
  return { reason: 'no_working_directory', message };
}

/** Explains why the attempt's log files could not be opened. */
export function explainOpenError(error: NodeJS.ErrnoException, attemptDir: string): LaunchFailure {
  if (error.code === 'EEXIST') {
    const message = `this attempt was already started by another process: ${attemptDir} contains a log`;
    return { reason: 'taken', message };
  }
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    const message = `cannot create the log files: the disk of ${attemptDir} is full; free some space and run the step again`;
    return { reason: 'storage_full', message };
  }
  if (isTransient(error)) return explainLimit(error);
  return {
    reason: 'other',
    message: `cannot create the log files in ${attemptDir}: ${error.message}`,
  };
}

/** Explains why the file for a copy of a stream could not be opened. */
export function explainCopyError(
  error: NodeJS.ErrnoException,
  { stream, path }: { readonly stream: string; readonly path: string },
): LaunchFailure {
  if (isTransient(error)) return explainLimit(error);
  const isDiskFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  const problem = isDiskFull
    ? 'the disk is full; free some space'
    : (copyProblems[error.code ?? ''] ?? error.message);
  const message = `cannot copy ${stream} of the step to ${path}: ${problem}`;
  return { reason: isDiskFull ? 'storage_full' : 'other', message };
}

const copyProblems: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; use a file',
  ENOTDIR: 'a part of the path is a file, not a folder; use another path',
  EEXIST: 'a part of the path is a file, not a folder; use another path',
  EACCES: 'permission denied; fix the permissions, or use another path',
  EPERM: 'permission denied; fix the permissions, or use another path',
  EROFS: 'the file system is read-only; use another path',
  ENOENT: 'the folder cannot be created; use another path',
  ENXIO: 'it is a pipe without a reader; use a file',
};

/** Interprets the error of a failed process start. */
export function explainLaunchError(cause: unknown, request: ChildRequest): StartFailure {
  if (cause instanceof OutputOpenError)
    return { failure: cause.failure, isTransient: isTransient(cause.cause as NodeJS.ErrnoException) };
  const error = cause as NodeJS.ErrnoException;
  return { failure: explainSpawnError(error, request), isTransient: isTransient(error) };
}

/** Explains why the program could not be started. */
export function explainSpawnError(error: NodeJS.ErrnoException, request: ProgramStart): LaunchFailure {
  const program = request.argv[0] ?? '';
  switch (error.code) {
    case 'ENOENT':
      return { reason: 'not_found', message: explainNotFound(program, request) };
    case 'EACCES':
    case 'EPERM':
      return { reason: 'not_executable', message: explainNoAccess(program, request.cwd) };
    case 'E2BIG':
      return { reason: 'too_big', message: explainTooBig(request) };
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return explainLimit(error);
    default:
      return { reason: 'other', message: `cannot start "${program}": ${error.message}` };
  }
}

function explainLimit(error: NodeJS.ErrnoException): LaunchFailure {
  const limits: Record<string, string> = {
    EAGAIN: 'the process limit is reached',
    ENOMEM: 'out of memory',
  };
  const limit = limits[error.code ?? ''] ?? 'the limit on open files is reached';
  return { reason: 'limit_reached', message: `cannot start a process: ${limit} (${error.code})` };
}

/** Explains ENOENT, which the system uses for a missing program and for a missing interpreter of an existing script. */
function explainNotFound(program: string, { env, cwd }: ProgramStart): string {
  if (!program.includes('/')) {
    const path = env.PATH ?? '';
    return path === ''
      ? `program "${program}" not found: PATH is empty`
      : `program "${program}" not found; PATH searched: ${path}`;
  }
  const file = program.startsWith('/') ? program : `${cwd}/${program}`;
  return existsSync(file)
    ? `program ${program} exists, but its interpreter or loader was not found`
    : `program ${program} does not exist`;
}

function explainNoAccess(program: string, cwd: string): string {
  try {
    accessSync(cwd, constants.X_OK);
  } catch {
    return `permission denied for working directory ${cwd}`;
  }
  return `permission denied to run "${program}"`;
}

/** Names the largest part, because the system only reports that something was too big. */
function explainTooBig({ argv, env }: ProgramStart): string {
  const sizes = [
    ...argv.map((text, index) => ({ name: index === 0 ? 'the program name' : `argument ${index}`, text })),
    ...Object.entries(env).map(([name, value]) => ({ name: `variable ${name}`, text: `${name}=${value}` })),
  ].map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return (
    `arguments and environment exceed the limit of the system: ${total} bytes in total, ` +
    `${largest.name} alone has ${largest.bytes} (the limit for one is ${maxArgumentBytes - 1}); pass large data in a file`
  );
}
