import { shellQuote } from '../../base/text.ts';
import { explainUnsupportedShell } from '../../spec/rules/shell.ts';
import type { StepContext } from '../executor.ts';

/** Program and leading arguments. */
type ShellCommand = readonly string[];

/** Command line conventions of a shell. Only families with real arguments receive positional parameters. */
interface ShellFamily {
  readonly programs: readonly string[];
  /** Flag that stops at the first failing command; added unless the step specifies the shell. */
  readonly strict?: string;
  /** Flags that are always added before the others. */
  readonly quiet?: readonly string[];
  /** Flag before command text. */
  readonly commandFlag: string;
  /** Flags before a script file. */
  readonly fileFlags: readonly string[];
  /** Required file name extension. */
  readonly extension?: string;
  /**
   * How positional parameters are passed to command text: after a name for `$0`, directly, or not at all if the shell
   * would parse them as more text.
   */
  readonly positional: 'after-name' | 'direct' | 'none';
  /** The shell does not run script files, so scripts are passed as command text. */
  readonly scriptAsText?: true;
  /**
   * The shell parses its whole command line itself: the text is wrapped in one outer pair of quotes, which it removes.
   */
  readonly rawCommandLine?: true;
}

const other: ShellFamily = { programs: [], commandFlag: '-c', fileFlags: [], positional: 'direct' };

/** Flags by shell. */
const families: readonly ShellFamily[] = [
  {
    programs: ['sh', 'bash', 'zsh', 'ksh', 'ash', 'dash'],
    strict: '-e',
    commandFlag: '-c',
    fileFlags: [],
    positional: 'after-name',
  },
  { programs: ['fish'], commandFlag: '-c', fileFlags: [], positional: 'direct' },
  { programs: ['perl', 'ruby', 'node'], commandFlag: '-e', fileFlags: [], positional: 'direct' },
  {
    programs: ['pwsh', 'powershell'],
    quiet: ['-NoProfile', '-NonInteractive'],
    commandFlag: '-Command',
    // Windows rejects scripts by default; other systems ignore the flag.
    fileFlags: ['-ExecutionPolicy', 'Bypass', '-File'],
    extension: '.ps1',
    positional: 'none',
  },
  {
    programs: ['cmd'],
    quiet: ['/d', '/s'],
    commandFlag: '/c',
    fileFlags: ['/c'],
    extension: '.cmd',
    positional: 'none',
    rawCommandLine: true,
  },
  // nix-shell would parse a file as a Nix expression. Command text is run by bash.
  {
    programs: ['nix-shell'],
    commandFlag: '--run',
    fileFlags: [],
    positional: 'none',
    scriptAsText: true,
  },
];

/** A shell as a step uses it. */
export interface Shell {
  readonly command: ShellCommand;
  /** The step specifies the shell, so no flags are added. */
  readonly chosenByStep: boolean;
}

/** Returns the default shell: `ENGINE_DEFAULT_SHELL`, else `sh` (PowerShell on Windows). */
export function findDefaultShell(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): ShellCommand {
  const configured = env.ENGINE_DEFAULT_SHELL?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (configured.length > 0) return configured;
  return platform === 'win32' ? ['powershell'] : ['sh'];
}

const forPeople = ['sh', 'bash', 'zsh', 'ksh', 'ash', 'dash', 'fish', 'pwsh', 'powershell', 'cmd'];

/** Whether a program is an interactive shell. */
export const isInteractiveShell = (program: string): boolean => forPeople.includes(readProgramName(program));

/** Returns the argument list for command text. The text and the parameters are separate arguments. */
export function buildCommandArgv(shell: Shell, text: string, positional: readonly string[]): string[] {
  const family = findFamily(shell.command);
  const [program = 'sh'] = shell.command;
  const flags = listFlags(shell, family);
  const argv = [
    ...flags,
    ...(endsWithCommandFlag(flags, family) ? [] : [family.commandFlag]),
    enclose(text, family),
  ];
  if (family.positional === 'none') return argv;
  return [...argv, ...(family.positional === 'after-name' ? [program] : []), ...positional];
}

/** Returns the argument list for a script file. */
export function buildScriptArgv(shell: Shell, file: string, positional: readonly string[]): string[] {
  const family = findFamily(shell.command);
  // `cmd` would parse parameters as a part of its command line; they are in the environment instead.
  if (family.rawCommandLine)
    return [...listFlags(shell, family), ...family.fileFlags, enclose(`"${file}"`, family)];
  if (family.scriptAsText) return buildCommandArgv(shell, `exec bash ${shellQuote(file)}`, []);
  return [...listFlags(shell, family), ...family.fileFlags, file, ...positional];
}

/** Returns the file name extension that the shell requires, or an empty string. */
export const findScriptExtension = ({ command }: Shell): string => findFamily(command).extension ?? '';

/** Whether the shell parses its whole command line itself, so that it must not be quoted on Windows. */
export const readsRawCommandLine = ({ command }: Shell): boolean =>
  findFamily(command).rawCommandLine ?? false;

/** Whether the shell is a POSIX shell. */
export const isPosixShell = ({ command }: Shell): boolean => findFamily(command).strict !== undefined;

/** Returns the lower-case program name of a path, without `.exe`. */
export const readProgramName = (path: string): string =>
  path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');

const enclose = (text: string, { rawCommandLine }: ShellFamily): string =>
  rawCommandLine ? `"${text}"` : text;

function findFamily([program = '']: ShellCommand): ShellFamily {
  const name = readProgramName(program);
  return families.find(({ programs }) => programs.includes(name)) ?? other;
}

/**
 * Returns the program with its own arguments, the family's flags and, unless the step specifies the shell, the strict
 * flag.
 */
function listFlags({ command, chosenByStep }: Shell, family: ShellFamily): string[] {
  const strict = family.strict !== undefined && !chosenByStep ? [family.strict] : [];
  const [program = 'sh', ...shellArgs] = command;
  const quiet = family.quiet ?? [];
  // Bash requires long options, which may have values, before all others.
  if (shellArgs[0]?.startsWith('--')) {
    const end = endsWithCommandFlag(command, family) ? -1 : shellArgs.length;
    return [program, ...quiet, ...shellArgs.slice(0, end), ...strict, ...shellArgs.slice(end)];
  }
  // The user's arguments come last, because the last one may be the flag before the text.
  return [program, ...quiet, ...strict, ...shellArgs];
}

/** Whether the configured shell includes the command flag, as in `bash -c` and `bash -lc`. */
function endsWithCommandFlag(flags: readonly string[], family: ShellFamily): boolean {
  const last = flags.length > 1 ? flags.at(-1)! : '';
  if (last === family.commandFlag) return true;
  return family.commandFlag === '-c' && /^-[a-z]*c$/.test(last);
}

/**
 * Returns the step's shell, else the workflow's, else the default shell, with the step's packages.
 * @throws for `direct`, which is not a shell, and for packages with another shell than `nix-shell`
 */
export function chooseShell({ step, shell, env }: Pick<StepContext, 'step' | 'shell' | 'env'>): Shell {
  const named = step.shell ?? shell;
  if (named?.[0] === 'direct') {
    throw new Error(
      'the shell "direct" runs a program without a shell: write the command as a list, program first',
    );
  }
  const chosenByStep = step.shell !== undefined && step.shell.length > 0;
  const command = named !== undefined && named.length > 0 ? named : findDefaultShell(env, process.platform);
  return { command: addPackages(command, step.shellPackages ?? []), chosenByStep };
}

function addPackages(command: ShellCommand, packages: readonly string[]): ShellCommand {
  if (packages.length === 0) return command;
  const [program = ''] = command;
  if (readProgramName(program) !== 'nix-shell') throw new Error(explainUnsupportedShell(program));
  return [...command, ...packages.flatMap((name) => ['-p', name])];
}

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
