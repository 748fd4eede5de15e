import { AppError, getErrorMessage } from '../base/errors.ts';
import type { RunRef } from '../model/run.ts';
import type { CommandContext, StopSignal } from './command-context.ts';
import type { EngineClient } from './host/engine-client.ts';
import { hostNotice, type LogFormat } from './log-output.ts';

/** Signal handling for the run that `engine start` drives. */
export interface SignalWatch {
  /** The first signal that asked to stop. */
  readonly received: StopSignal | undefined;
  /** Stops watching after the run has ended; later signals have no effect. */
  close(): void;
}

/**
 * Ctrl-C reaches every process in a terminal's group, and a parent process (npm, the launcher) may forward it as well.
 * A signal within this time counts as the same one.
 */
const echoMs = 250;

/** Host functions for stopping a run. */
type RunStopper = Pick<EngineClient, 'api' | 'forceStop'>;

/**
 * Stops the run gracefully at the first signal: its steps end, its abort and exit handlers run. The second kills all
 * remaining processes.
 */
export function stopOnSignal(context: CommandContext, host: RunStopper, run: RunRef): SignalWatch {
  let received: StopSignal | undefined;
  let receivedAt = 0;
  let isClosed = false;
  const print = (text: string): void => void context.terminal.stderr.write(`engine: ${text}\n`);
  // Never removed: the last of several signals would end the process before it has set its exit code.
  context.onSignal((signal) => {
    if (isClosed) return;
    const at = context.clock.monotonic();
    if (received === undefined) {
      received = signal;
      receivedAt = at;
      print(`${signal}: stopping run ${run.dagRunId} of ${run.name} (repeat to kill its processes)`);
      void requestStop(context, host, run, signal);
    } else if (at - receivedAt >= echoMs) {
      print(`${signal}: killing the processes of the run`);
      host.forceStop(run);
    }
  });
  return {
    get received() {
      return received;
    },
    close: () => void (isClosed = true),
  };
}

/** Requests the stop. Ignores a run that has just ended. */
async function requestStop(
  context: CommandContext,
  host: RunStopper,
  run: RunRef,
  signal: StopSignal,
): Promise<void> {
  try {
    await host.api.call(
      'runs.stop',
      { name: run.name, dagRunId: run.dagRunId },
      { via: 'cli', name: signal },
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_running') return;
    void context.terminal.stderr.write(
      `engine: failed to record the stop request (${getErrorMessage(error)}); killing the processes\n`,
    );
    host.forceStop(run);
  }
}

/**
 * Resolves at the first signal; each later one calls `force`. Call it before starting anything that needs a graceful
 * shutdown: until then a signal ends the process.
 * @param format log format of the process
 */
export function waitForSignal(context: CommandContext, format: LogFormat, force: () => void): Promise<void> {
  const print = hostNotice(context, format);
  return new Promise((resolve) => {
    let isStopping = false;
    context.onSignal((signal) => {
      const text = isStopping
        ? 'killing the processes of active runs'
        : 'shutting down (repeat to kill running steps)';
      print(`${signal}: ${text}`);
      if (isStopping) force();
      isStopping = true;
      resolve();
    }, 'always');
  });
}
