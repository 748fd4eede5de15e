import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { LaunchFailure } from './launcher.ts';
import { OutputRefused } from '../output/output-refused.ts';
import type { ChildRequest } from './start-child.ts';
import type { Refusal } from './start-tries.ts';

/** Linux's bound on one argument or variable (MAX_ARG_STRLEN), its closing zero included. */
export const longestArgumentBytes = 128 * 1024;

/** What is said of a program that could not be started. */
type ProgramStart = Pick<ChildRequest, 'argv' | 'env' | 'cwd'>;

/** Errors that may pass when other processes end. */
const passing: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Whether the same start may succeed a moment later. */
export const mayPass = (error: NodeJS.ErrnoException): boolean => passing.has(error.code);

/** What is wrong with the working directory, if anything. */
export function checkWorkingDirectory(cwd: string): LaunchFailure | undefined {
  const stats = statSync(cwd, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return undefined;
  const message = stats
    ? `working directory ${cwd} is not a directory`
    : `working directory ${cwd} does not exist`;
  return { reason: 'no_working_directory', message };
}

/** Says in words why the attempt's log files could not be opened. */
export function explainOpenError(error: NodeJS.ErrnoException, attemptDir: string): LaunchFailure {
  if (error.code === 'EEXIST') {
    const message = `somebody else has started this attempt: ${attemptDir} has a log already; nothing was started here`;
    return { reason: 'taken', message };
  }
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    const message = `the disk that holds ${attemptDir} is full: the log files could not be created; free some space and run the step again`;
    return { reason: 'storage_full', message };
  }
  if (mayPass(error)) return explainLimit(error);
  return {
    reason: 'other',
    message: `the log files in ${attemptDir} could not be created: ${error.message}`,
  };
}

/** Says in words why the file for a copy of a stream could not be opened. */
export function explainCopyError(
  error: NodeJS.ErrnoException,
  { stream, path }: { readonly stream: string; readonly path: string },
): LaunchFailure {
  if (mayPass(error)) return explainLimit(error);
  const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  const why = full ? 'the disk is full; free some space' : (copyProblems[error.code ?? ''] ?? error.message);
  const message = `${stream} of the step could not be copied to ${path}: ${why}`;
  return { reason: full ? 'storage_full' : 'other', message };
}

const copyProblems: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; name a file',
  ENOTDIR: 'a part of the path is a file, not a folder; name another place',
  EEXIST: 'a part of the path is a file, not a folder; name another place',
  EACCES: 'permission denied; allow writing there, or name another place',
  EPERM: 'permission denied; allow writing there, or name another place',
  EROFS: 'the file system is read-only; name another place',
  ENOENT: 'its folder cannot be made there; name another place',
  ENXIO: 'it is a pipe that nobody reads from; name a file',
};

/** What an error means that a try to start a process ended with. */
export function explainRefusal(thrown: unknown, request: ChildRequest): Refusal {
  if (thrown instanceof OutputRefused)
    return { failure: thrown.failure, mayPass: mayPass(thrown.cause as NodeJS.ErrnoException) };
  const error = thrown as NodeJS.ErrnoException;
  return { failure: explainSpawnError(error, request), mayPass: mayPass(error) };
}

/** Says in words why the program could not be started. */
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
      return { reason: 'other', message: `"${program}" could not be started: ${error.message}` };
  }
}

function explainLimit(error: NodeJS.ErrnoException): LaunchFailure {
  const limits: Record<string, string> = {
    EAGAIN: 'the limit on processes is reached',
    ENOMEM: 'the memory is used up',
  };
  const limit = limits[error.code ?? ''] ?? 'the limit on open files is reached';
  return { reason: 'limit_reached', message: `no process could be started: ${limit} (${error.code})` };
}

/** The system reports a missing program and a missing interpreter of an existing script alike. */
function explainNotFound(program: string, { env, cwd }: ProgramStart): string {
  if (!program.includes('/')) {
    const path = env.PATH ?? '';
    return path === ''
      ? `program "${program}" was not found: PATH is empty`
      : `program "${program}" was not found; PATH searched: ${path}`;
  }
  const file = program.startsWith('/') ? program : `${cwd}/${program}`;
  return existsSync(file)
    ? `program ${program} exists, but the interpreter or loader it names does not`
    : `program ${program} does not exist`;
}

function explainNoAccess(program: string, cwd: string): string {
  try {
    accessSync(cwd, constants.X_OK);
  } catch {
    return `working directory ${cwd} may not be entered (permission denied)`;
  }
  return `program "${program}" may not be executed (permission denied)`;
}

/** Names the largest part, since the system tells only that something was too big. */
function explainTooBig({ argv, env }: ProgramStart): string {
  const parts = [
    ...argv.map((text, index) => ({ name: index === 0 ? 'the program name' : `argument ${index}`, text })),
    ...Object.entries(env).map(([name, value]) => ({ name: `variable ${name}`, text: `${name}=${value}` })),
  ].map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) }));
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = parts.reduce((left, right) => (right.bytes > left.bytes ? right : left));
  return (
    `arguments and environment are too big for the system: ${total} bytes in all, ` +
    `${largest.name} alone has ${largest.bytes} (one may have ${longestArgumentBytes - 1}); pass large data by a file`
  );
}
