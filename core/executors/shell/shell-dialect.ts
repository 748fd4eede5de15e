import { isPosixShell, readProgramName } from './shell.ts';

/** Features of a POSIX shell that matter for passing values. */
export interface ShellDialect {
  /** Supports `${NAME:offset:length}`. */
  readonly slices: boolean;
  /** Supports backslash escapes in `$'…'`. */
  readonly ansiQuotes: boolean;
}

/** Programs that run the program in their arguments. */
const wrappers: ReadonlySet<string> = new Set(['env', 'busybox']);

/**
 * Returns the dialect of the shell in a command line, also after `env` as in interpreter lines, or undefined for other
 * programs. `sh` has only the features of every `sh`.
 */
export function readDialect(command: readonly string[]): ShellDialect | undefined {
  const program = findProgram(command);
  if (program === undefined) return undefined;
  const name = readProgramName(program);
  // nix-shell runs its commands with bash.
  if (name === 'nix-shell') return { slices: true, ansiQuotes: true };
  if (!isPosixShell({ command: [program], chosenByStep: false })) return undefined;
  return { slices: !['sh', 'dash', 'ash'].includes(name), ansiQuotes: name !== 'dash' };
}

function findProgram([program, ...args]: readonly string[]): string | undefined {
  if (program === undefined || !wrappers.has(readProgramName(program))) return program;
  // The operating system passes the rest of an interpreter line as one argument.
  const words = args.flatMap((argument) => argument.split(/\s+/));
  return words.find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
}
