import { quoteForShell } from '../../base/text/quote-for-shell.ts';
/** Program and leading arguments. */
export type ShellCommand = readonly string[];

/** What a shell is called with. Only families that take real arguments get positional parameters. */
interface ShellFamily {
  readonly programs: readonly string[];
  /** Stops at the first failing command; added when the step itself names no shell. */
  readonly strict?: string;
  /** Always given, before the rest. */
  readonly quiet?: readonly string[];
  /** Before command text. */
  readonly commandFlag: string;
  /** Before a script file. */
  readonly fileFlags: readonly string[];
  /** File name ending that it insists on. */
  readonly extension?: string;
  /**
   * How positional parameters reach command text: after a name for `$0`, directly, or not at all, where
   * the shell would read them as more text.
   */
  readonly positional: 'after-name' | 'direct' | 'none';
  /** Reads no script files: what runs one is text for it as well. */
  readonly scriptAsText?: true;
  /** Reads its whole command line itself: text goes into one outer pair of quotes, which it takes off. */
  readonly rawCommandLine?: true;
}

const other: ShellFamily = { programs: [], commandFlag: '-c', fileFlags: [], positional: 'direct' };

/** Peer engine facts 1.6: flags by shell. */
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
    // Windows refuses scripts unless told otherwise; other systems pass over it.
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
  // A file would be read as a Nix expression. Text is run by bash.
  {
    programs: ['nix-shell'],
    commandFlag: '--run',
    fileFlags: [],
    positional: 'none',
    scriptAsText: true,
  },
];

/** A shell as a step will use it. */
export interface Shell {
  readonly command: ShellCommand;
  /** The step named it itself, so that its flags are the user's business alone. */
  readonly chosenByStep: boolean;
}

/** The shell when neither step nor workflow names one: `ENGINE_DEFAULT_SHELL`, else `sh` (PowerShell on Windows). */
export function findDefaultShell(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): ShellCommand {
  const configured = env.ENGINE_DEFAULT_SHELL?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (configured.length > 0) return configured;
  return platform === 'win32' ? ['powershell'] : ['sh'];
}

const forPeople = ['sh', 'bash', 'zsh', 'ksh', 'ash', 'dash', 'fish', 'pwsh', 'powershell', 'cmd'];

/** Whether a program is a shell that a person can type into. */
export const isInteractiveShell = (program: string): boolean => forPeople.includes(readProgramName(program));

/** The argument list that runs command text. The text and the parameters are arguments of their own, never joined. */
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

/** The argument list that runs a script file. */
export function buildScriptArgv(shell: Shell, file: string, positional: readonly string[]): string[] {
  const family = findFamily(shell.command);
  // `cmd` would read parameters as text of its command line; they are in the environment.
  if (family.rawCommandLine)
    return [...listFlags(shell, family), ...family.fileFlags, enclose(`"${file}"`, family)];
  if (family.scriptAsText) return buildCommandArgv(shell, `exec bash ${quoteForShell(file)}`, []);
  return [...listFlags(shell, family), ...family.fileFlags, file, ...positional];
}

/** The file name ending a script for this shell needs; empty for most. */
export const findScriptExtension = ({ command }: Shell): string => findFamily(command).extension ?? '';

/** Whether the shell reads its whole command line itself, so that it must not be quoted on Windows. */
export const readsRawCommandLine = ({ command }: Shell): boolean =>
  findFamily(command).rawCommandLine ?? false;

/** Whether the shell reads POSIX shell language. */
export const isPosixShell = ({ command }: Shell): boolean => findFamily(command).strict !== undefined;

/** The lower-case program name of a path, without `.exe`. */
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

/** The shell with its own arguments, the family's, and the strict flag where it is ours to add. */
function listFlags({ command, chosenByStep }: Shell, family: ShellFamily): string[] {
  const strict = family.strict !== undefined && !chosenByStep ? [family.strict] : [];
  const [program = 'sh', ...own] = command;
  const quiet = family.quiet ?? [];
  // Bash takes long options, which may have words of their own, before all others.
  if (own[0]?.startsWith('--')) {
    const end = endsWithCommandFlag(command, family) ? -1 : own.length;
    return [program, ...quiet, ...own.slice(0, end), ...strict, ...own.slice(end)];
  }
  // The user's arguments come last: one of them may be the flag that takes the text.
  return [program, ...quiet, ...strict, ...own];
}

/** `bash -c` and `bash -lc` as a configured shell bring the flag themselves. */
function endsWithCommandFlag(flags: readonly string[], family: ShellFamily): boolean {
  const last = flags.length > 1 ? flags.at(-1)! : '';
  if (last === family.commandFlag) return true;
  return family.commandFlag === '-c' && /^-[a-z]*c$/.test(last);
}
