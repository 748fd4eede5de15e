import { isPosixShell, readProgramName } from './shell.ts';

/** What matters about a POSIX shell when the engine hands it values. */
export interface ShellDialect {
  /** It can cut `${NAME:offset:length}` itself. */
  readonly slices: boolean;
  /** `$'…'` has backslash escapes. */
  readonly ansiQuotes: boolean;
}

/** Programs that start the program named in their arguments. */
const wrappers: ReadonlySet<string> = new Set(['env', 'busybox']);

/**
 * The dialect of the shell that a command line starts, also behind `env` (as interpreter lines have it). Undefined
 * for any other program. `sh` gets what every `sh` can do.
 */
export function readDialect(command: readonly string[]): ShellDialect | undefined {
  const program = findProgram(command);
  if (program === undefined) return undefined;
  const name = readProgramName(program);
  // Its commands are run by bash.
  if (name === 'nix-shell') return { slices: true, ansiQuotes: true };
  if (!isPosixShell({ command: [program], chosenByStep: false })) return undefined;
  return { slices: !['sh', 'dash', 'ash'].includes(name), ansiQuotes: name !== 'dash' };
}

function findProgram([program, ...args]: readonly string[]): string | undefined {
  if (program === undefined || !wrappers.has(readProgramName(program))) return program;
  // A system hands an interpreter line's rest over as one argument.
  const words = args.flatMap((argument) => argument.split(/\s+/));
  return words.find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
}
