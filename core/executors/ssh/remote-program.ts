import { randomUUID } from 'node:crypto';
import { shellQuote } from '../../base/text/shell-quote.ts';

/** A command for another host. */
export interface RemoteCommandSpec {
  /** Program and arguments that replace the shell; they are not parsed as shell text. */
  readonly argv: readonly string[];
  /** Text of a script; `argv` refers to it by {@link scriptPath}. */
  readonly script: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Without `SIG`; sent when the connection is lost. */
  readonly stopSignal: string;
  /** Seconds between the stop signal and KILL. */
  readonly cleanUpSec: number;
}

/** Input that is sent to the other host. */
export interface RemoteProgram {
  readonly program: string;
  /** Printed on a separate line when the command starts. */
  readonly marker: string;
}

/** The command of the SSH channel: a shell that reads the rest from its input, where other users cannot see it. */
export const remoteShell = 'exec sh -s';

/** Path of the script on the host: an open file that is already deleted. */
export const scriptPath = '/dev/fd/4';

/** Temporary path of the script before it is opened and deleted. */
const scriptFile = '${TMPDIR:-/tmp}/step.XXXXXXXX';

/**
 * Returns the program for the remote shell. It is one compound command, so that the shell reads all of it before it
 * runs any of it; the input after it contains words for the watcher: signal names, one per line. The end of the input
 * means that the work is over or the connection is lost, and the rest of the process group is ended.
 * @throws if the text contains a NUL character, which no shell accepts
 */
export function composeProgram({ argv, script, env, ...ending }: RemoteCommandSpec): RemoteProgram {
  const marker = `step-begins-${randomUUID()}`;
  const lines = [
    '{',
    'exec 3<&0 </dev/null',
    ...watcher(ending),
    'exec 3<&-',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}`),
    ...(script === undefined ? [] : uploadScript(script)),
    `printf '%s\\n' ${shellQuote(marker)}`,
    `exec ${argv.map(shellQuote).join(' ')}`,
    '}',
    '',
  ];
  const program = lines.join('\n');
  if (program.includes('\0'))
    throw new Error('The command, or a value in it, contains a NUL character. Remove it.');
  return { program, marker };
}

/**
 * Returns the watcher, which runs next to the work in its process group and passes on signals. `$$` is the process id
 * of the work, because the work replaces the shell.
 */
function watcher({ stopSignal, cleanUpSec }: Pick<RemoteCommandSpec, 'stopSignal' | 'cleanUpSec'>): string[] {
  return [
    '(',
    "trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2",
    'send() { kill -s "$1" -- "-$$" || kill -s "$1" "$$"; }',
    'while IFS= read -r word; do send "$word"; done',
    'kill -0 "$$" || send KILL',
    `send ${shellQuote(stopSignal)}`,
    `sleep ${cleanUpSec}`,
    'send KILL',
    ') <&3 3<&- >/dev/null 2>&1 &',
  ];
}

/** The file is opened and deleted before it runs, so that nothing is left however the work ends. */
function uploadScript(script: string): string[] {
  return [
    `step_file=$(umask 077 && mktemp "${scriptFile}") || exit 126`,
    `printf '%s' ${shellQuote(script)} >"$step_file" && exec 4<"$step_file" || { rm -f "$step_file"; exit 126; }`,
    'rm -f "$step_file"',
    'unset step_file',
  ];
}
