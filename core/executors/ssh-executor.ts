import { untilAborted } from '../base/wait.ts';
import type { JsonObject } from '../base/json.ts';
import { sshTable } from '../model/executor-config.ts';
import { evaluateConfig } from './evaluate-config.ts';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from './executor.ts';
import { formatExit, TailBuffer } from './step-output.ts';
import { ConnectionPool } from './ssh/connection-pool.ts';
import {
  planRemoteCommand,
  RemoteCommand,
  type RemoteExit,
  composeProgram,
  type RemoteCommandSpec,
} from './ssh/remote-command.ts';
import { formatTarget, readTarget, type SshTarget } from './ssh/target.ts';

/** Milliseconds between KILL and closing the channel. */
const closeDelayMs = 2000;

/** Runs a command or script on another host over SSH. */
export const executor: ActionExecutor = {
  async run(context, action, task) {
    const target = readTarget(
      await evaluateConfig(sshTable, action.config as JsonObject, context.expand),
      context,
    );
    const work = await planRemoteCommand(context, action);
    const program = composeProgram(work);
    const pool = await context.resources.get(`ssh ${JSON.stringify(target)}`, () => {
      const opened = new ConnectionPool(target, context.clock);
      return Promise.resolve({ value: opened, close: () => opened.close() });
    });
    const channel = await openUnlessAborted(pool, task.signal);
    if (channel === undefined) return { error: 'stopped before the command started' };
    const tail = new TailBuffer();
    const output: StepTask['output'] = {
      ...task.output,
      write(name, bytes) {
        if (name === 'stderr') tail.push(bytes);
        return task.output.write(name, bytes);
      },
    };
    const command = new RemoteCommand(channel, program, output, context.clock);
    pool.add(command);
    return toEnd(await runUntilExit(command, work, { context, task }), { target, tail, context, task });
  },
};

/** Returns undefined if the attempt ends before the channel is open; the channel is then closed when it opens. */
async function openUnlessAborted(pool: ConnectionPool, signal: AbortSignal) {
  if (signal.aborted) return undefined;
  const opening = pool.openChannel();
  try {
    return await untilAborted(signal, () => opening);
  } catch (error) {
    if (!signal.aborted) throw error;
    opening.then(
      (late) => late.close(),
      () => {},
    );
    return undefined;
  }
}

interface Attempt {
  readonly context: StepContext;
  readonly task: StepTask;
}

/** Sends the step's signal when the attempt must end, KILL after the clean-up time, and then closes the channel. */
async function runUntilExit(
  command: RemoteCommand,
  { stopSignal }: RemoteCommandSpec,
  { context: { clock, cleanUpMs }, task: { signal } }: Attempt,
): Promise<RemoteExit> {
  const timers: (() => void)[] = [];
  const end = (): void => {
    command.signal(stopSignal);
    timers.push(
      clock.after(cleanUpMs, () => command.signal('KILL')),
      clock.after(cleanUpMs + closeDelayMs, () => command.close()),
    );
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await command.ended;
  } finally {
    signal.removeEventListener('abort', end);
    for (const dispose of timers) dispose();
  }
}

function toEnd(
  { started, ...end }: RemoteExit,
  { target, tail, context, task }: Attempt & { readonly target: SshTarget; readonly tail: TailBuffer },
): ExecutorResult {
  const maskSecrets = (text: string): string => context.relay?.maskSecrets?.(text) ?? text;
  const text = tail.text(maskSecrets);
  const suffix = text === '' ? '' : `: ${text}`;
  const where = formatTarget(target);
  if (!started && !task.signal.aborted) {
    const code = end.exitCode === undefined ? '' : ` (exit code ${end.exitCode})`;
    return {
      ...end,
      error: `${where}: the host did not run the command${code}${suffix}. The host requires a POSIX shell "sh", a login that can run commands, and a writable temporary folder for scripts.`,
    };
  }
  if (end.exitCode === 0) return end;
  if (end.exitCode === undefined && end.signal === undefined)
    return { error: `Lost the connection to ${where} while the command was running${suffix}` };
  return { ...end, error: `${formatExit(end, task.signal.aborted)}${suffix}` };
}
