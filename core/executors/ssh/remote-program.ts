import { randomUUID } from 'node:crypto';
import { quoteForShell } from '../../base/text/quote-for-shell.ts';

/** One command for the other host. */
export interface RemoteWork {
  /** Program and arguments that take the place of the shell; nothing of it is read as shell text. */
  readonly argv: readonly string[];
  /** Text of a script; `argv` names it by {@link scriptPath}. */
  readonly script: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Without `SIG`: sent when the connection is lost. */
  readonly stopSignal: string;
  /** Seconds between that and KILL. */
  readonly cleanUpSec: number;
}

/** What is sent to it. */
export interface RemoteProgram {
  readonly program: string;
  /** Printed as a line of its own when the work begins. */
  readonly marker: string;
}

/** What is asked of the host: a shell that is given the rest through its input, where no other user sees it. */
export const remoteShell = 'exec sh -s';

/** The script's place on the host: a file that has no name any more. */
export const scriptPath = '/dev/fd/4';

/** Where a script lies for a moment. */
const scriptFile = '${TMPDIR:-/tmp}/step.XXXXXXXX';

/**
 * The program for the shell there. It is one compound command, so that the shell has read all of it before any is
 * run, and what comes after it on the input are words for the watcher: names of signals, one a line. The input's end
 * means that the work is over or that the connection is lost: whatever is left of the group is ended.
 * Throws for a text with a NUL character, which no shell takes.
 */
export function composeProgram({ argv, script, env, ...ending }: RemoteWork): RemoteProgram {
  const marker = `step-begins-${randomUUID()}`;
  const lines = [
    '{',
    'exec 3<&0 </dev/null',
    ...watcher(ending),
    'exec 3<&-',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
    ...(script === undefined ? [] : placeScript(script)),
    `printf '%s\\n' ${quoteForShell(marker)}`,
    `exec ${argv.map(quoteForShell).join(' ')}`,
    '}',
    '',
  ];
  const program = lines.join('\n');
  if (program.includes('\0'))
    throw new Error('The command, or a value in it, contains a NUL character. Remove it.');
  return { program, marker };
}

/**
 * Runs beside the work, in its process group, and hears the signals that it passes on. `$$` is the work's own number,
 * since the work takes the place of the shell.
 */
function watcher({ stopSignal, cleanUpSec }: Pick<RemoteWork, 'stopSignal' | 'cleanUpSec'>): string[] {
  return [
    '(',
    "trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2",
    'send() { kill -s "$1" -- "-$$" || kill -s "$1" "$$"; }',
    'while IFS= read -r word; do send "$word"; done',
    'kill -0 "$$" || send KILL',
    `send ${quoteForShell(stopSignal)}`,
    `sleep ${cleanUpSec}`,
    'send KILL',
    ') <&3 3<&- >/dev/null 2>&1 &',
  ];
}

/** The file is open and without a name before anything of it runs, so that nothing is left however the work ends. */
function placeScript(script: string): string[] {
  return [
    `step_file=$(umask 077 && mktemp "${scriptFile}") || exit 126`,
    `printf '%s' ${quoteForShell(script)} >"$step_file" && exec 4<"$step_file" || { rm -f "$step_file"; exit 126; }`,
    'rm -f "$step_file"',
    'unset step_file',
  ];
}
