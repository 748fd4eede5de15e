import { AppError, messageOf } from '../../base/errors.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { CommandContext, StopSignal } from '../command-context.ts';
import type { HostApi } from '../host/host-api.ts';

/** How signals bear on the run that `engine start` drives. */
export interface SignalWatch {
  /** The first signal that asked to stop. */
  readonly received: StopSignal | undefined;
  /** The run has ended: signals that come before the process has ended as well change nothing any more. */
  close(): void;
}

/**
 * Ctrl-C reaches every process of a terminal's group, and a parent that started this one (npm, the
 * launcher) may pass it on as well: what comes so soon is the same wish.
 */
const echoMs = 250;

/** What it takes to stop a run. */
type StoppingHost = Pick<HostApi, 'api' | 'forceStop'>;

/**
 * The first signal stops the run in order: its steps end, its abort and exit handlers run. The
 * second kills what is still alive.
 */
export function stopOnSignal(context: CommandContext, host: StoppingHost, run: RunRef): SignalWatch {
  let received: StopSignal | undefined;
  let receivedAt = 0;
  let isClosed = false;
  const tell = (text: string): void => void context.terminal.stderr.write(`engine: ${text}\n`);
  // Never taken off again: the last of several would end the process before it has told its exit code.
  context.onSignal((signal) => {
    if (isClosed) return;
    const at = context.clock.monotonic();
    if (received === undefined) {
      received = signal;
      receivedAt = at;
      tell(`${signal}: stopping run ${run.dagRunId} of ${run.name} (repeat to kill its processes)`);
      void requestStop(context, host, run, signal);
    } else if (at - receivedAt >= echoMs) {
      tell(`${signal}: killing the processes of the run`);
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

/** A run that has just ended by itself needs no stop. */
async function requestStop(
  context: CommandContext,
  host: StoppingHost,
  run: RunRef,
  signal: StopSignal,
): Promise<void> {
  try {
    await host.api.call(
      'runs.stop',
      { name: run.name, dagRunId: run.dagRunId },
      { via: 'cli', name: signal },
    );
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_running') return;
    void context.terminal.stderr.write(
      `engine: failed to record the stop request (${messageOf(thrown)}); killing the processes\n`,
    );
    host.forceStop(run);
  }
}
