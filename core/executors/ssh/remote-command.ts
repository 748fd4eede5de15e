import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import type { ClientChannel } from 'ssh2';
import type { Clock } from '../../base/clock.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { splitWords } from '../../spec/split-words.ts';
import { shellQuote } from '../../base/text.ts';
import type { StepOutput } from '../step-output.ts';
import { chooseShell, buildCommandArgv, buildScriptArgv, readDialect } from '../shell/shell.ts';
import { type StepContext, getStopSignal } from '../executor.ts';
import { bindVariables } from '../shell/bind-variables.ts';
import { findInterpreter } from '../process.ts';
import { chooseVariables } from '../evaluate-config.ts';

/** Result of a command on another host. */
export interface RemoteExit {
  readonly exitCode?: number;
  /** With `SIG`. */
  readonly signal?: string;
  /** Whether the command started. */
  readonly started: boolean;
}

/** Maximum number of bytes that are held back while waiting for the marker. */
const maxLoginOutput = 64 * 1024;

/**
 * Milliseconds without output after which background processes that the command left in another session are not waited
 * for.
 */
const lingerMs = 5000;

/** A command on another host, from the first byte sent until the channel is closed. */
export class RemoteCommand {
  /** Neither exit code nor signal means that the connection was lost. Never rejects. */
  readonly ended: Promise<RemoteExit>;
  readonly #channel: ClientChannel;
  readonly #output: Pick<StepOutput, 'write'>;
  readonly #marker: string;
  #loginOutput: Buffer | undefined = Buffer.alloc(0);
  readonly #waiting: string[] = [];
  #end: Omit<RemoteExit, 'started'> | undefined;
  readonly #clock: Clock;
  #cancelClose: () => void = () => {};

  constructor(
    channel: ClientChannel,
    { program, marker }: RemoteProgram,
    output: Pick<StepOutput, 'write'>,
    clock: Clock,
  ) {
    this.#marker = marker;
    this.#clock = clock;
    this.#channel = channel;
    this.#output = output;
    // Data written to a closing channel is lost; the result of the command reports this.
    channel.on('error', () => {});
    channel.on('exit', (code: number | null, signal?: string) => {
      this.#end = code === null ? { signal: signal ?? 'unknown' } : { exitCode: code };
      // The end of the input notifies the watcher that the work has ended.
      channel.end();
      this.#scheduleClose();
    });
    const closed = new Promise<void>((resolve) => void channel.once('close', () => resolve()));
    const forwarded = [
      forward(channel, (bytes) => this.#onStdout(bytes)),
      forward(channel.stderr, (bytes) => this.#take('stderr', bytes)),
    ];
    this.ended = Promise.all([closed, ...forwarded]).then(() => this.#finish());
    channel.write(program);
  }

  /** Sends a signal (without `SIG`) to the command's process group once it exists. */
  signal(name: string): void {
    if (this.#loginOutput === undefined) this.#channel.write(`${name}\n`);
    else this.#waiting.push(name);
  }

  /** Closes the channel; the watcher on the host ends the remaining processes. */
  close(): void {
    this.#channel.end();
    this.#channel.close();
    this.#channel.resume();
    this.#channel.stderr.resume();
  }

  /** Sends the output before the marker to stderr, because it comes from the login and not from the command. */
  async #onStdout(bytes: Buffer): Promise<void> {
    if (this.#loginOutput === undefined) return this.#take('stdout', bytes);
    const seen = Buffer.concat([this.#loginOutput, bytes]);
    const line = Buffer.from(`${this.#marker}\n`);
    const at = seen.indexOf(line);
    if (at < 0) {
      const retainedLength = Math.min(seen.length, maxLoginOutput);
      this.#loginOutput = seen.subarray(seen.length - retainedLength);
      return this.#output.write('stderr', seen.subarray(0, seen.length - retainedLength));
    }
    this.#loginOutput = undefined;
    for (const name of this.#waiting) this.signal(name);
    await this.#output.write('stderr', seen.subarray(0, at));
    await this.#output.write('stdout', seen.subarray(at + line.length));
  }

  async #take(stream: 'stdout' | 'stderr', bytes: Buffer): Promise<void> {
    await this.#output.write(stream, bytes);
    this.#scheduleClose();
  }

  /** Closes the channel after a time without output, if the command has ended. */
  #scheduleClose(): void {
    if (this.#end === undefined) return;
    this.#cancelClose();
    this.#cancelClose = this.#clock.after(lingerMs, () => this.close());
  }

  async #finish(): Promise<RemoteExit> {
    this.#cancelClose();
    if (this.#loginOutput === undefined) return { ...this.#end, started: true };
    await this.#output.write('stderr', this.#loginOutput);
    return { ...this.#end, started: false };
  }
}

/** Passes on all data with backpressure. Resolves at the end of the stream. */
function forward(source: Readable, take: (bytes: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    let last: Promise<void> = Promise.resolve();
    source.on('data', (bytes: Buffer) => {
      source.pause();
      last = take(bytes).finally(() => source.resume());
    });
    source.once('end', () => resolve(last));
  });
}

/** A command without its variables. */
type Plan = Pick<RemoteCommandSpec, 'argv' | 'script'> & {
  readonly extraEnv?: Readonly<Record<string, string>>;
};

/**
 * Converts a step's action to a command for the other host. The rules are the same as for a local step, with `sh` if
 * neither the step nor the workflow specifies a shell. Rejects if a value cannot be expanded.
 */
export async function planRemoteCommand(
  context: StepContext,
  action: ExecutorAction,
): Promise<RemoteCommandSpec> {
  const { command, argv = [], script } = action;
  const texts = [command, script, ...argv].filter((text) => text !== undefined);
  const env = chooseVariables(context, texts);
  const { extraEnv, ...plan } = await planAction({ ...context, env }, action);
  return {
    ...plan,
    env: { ...env, ...extraEnv },
    stopSignal: getStopSignal(context),
    cleanUpSec: Math.ceil(context.cleanUpMs / 1000),
  };
}

async function planAction(context: StepContext, { command, argv, script }: ExecutorAction): Promise<Plan> {
  const words = argv ?? (script === undefined || command === undefined ? undefined : splitWords(command));
  if (words === undefined) {
    const text = script ?? command ?? '';
    const isScript = script !== undefined || text.trim().includes('\n');
    return isScript ? planScript(context, text) : planCommand(context, text);
  }
  const program = await Promise.all(words.map((word) => context.expand(word)));
  return script === undefined ? { argv: program, script } : planProgram(context, program, script);
}

const chooseRemoteShell = ({ step, shell, env }: StepContext) =>
  chooseShell({ step, shell: shell ?? ['sh'], env });

async function planCommand(context: StepContext, command: string): Promise<Plan> {
  const shell = chooseRemoteShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), command);
  return {
    argv: buildCommandArgv(shell, text, context.positional),
    script: undefined,
    ...withExtraEnv(extraEnv),
  };
}

async function planScript(context: StepContext, script: string): Promise<Plan> {
  const named = findInterpreter(context.step, script);
  if (named !== undefined) return planProgram(context, named, script);
  const shell = chooseRemoteShell(context);
  const { text, extraEnv } = await bindVariables(context, readDialect(shell.command), script);
  return {
    argv: buildScriptArgv(shell, scriptPath, context.positional),
    script: text,
    ...withExtraEnv(extraEnv),
  };
}

/** Only a shell receives the run's parameters: for another program, extra arguments could mean anything. */
async function planProgram(context: StepContext, program: readonly string[], script: string): Promise<Plan> {
  const dialect = readDialect(program);
  const { text, extraEnv } = await bindVariables(context, dialect, script);
  const positional = dialect === undefined ? [] : context.positional;
  return { argv: [...program, scriptPath, ...positional], script: text, ...withExtraEnv(extraEnv) };
}

const withExtraEnv = (extraEnv: Plan['extraEnv']): Pick<Plan, 'extraEnv'> =>
  extraEnv === undefined ? {} : { extraEnv };

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
interface RemoteProgram {
  readonly program: string;
  /** Printed on a separate line when the command starts. */
  readonly marker: string;
}

/** The command of the SSH channel: a shell that reads the rest from its input, where other users cannot see it. */
export const remoteShell = 'exec sh -s';

/** Path of the script on the host: an open file that is already deleted. */
const scriptPath = '/dev/fd/4';

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
