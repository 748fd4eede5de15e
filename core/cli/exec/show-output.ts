import type { RunRef } from '../../model/run/run.ts';
import type { CommandContext } from '../command-context.ts';
import type { EngineClient } from '../host/host-api.ts';
import { tailLog, type LogTail } from '../logs/tail-log.ts';
import type { StreamName } from '../logs/log-ref.ts';
import { oneLine } from '../report/plain-text.ts';
import type { Channel } from '../terminal.ts';
import { execStep } from './exec-workflow.ts';

/** Output of a command on its way to the terminal. */
export interface ForwardedOutput {
  /** Resolves after all output has been shown. Call it when the run has ended. */
  finish(): Promise<void>;
  close(): void;
}

/**
 * Streams stdout and stderr of the command unchanged while it runs.
 * @param tellWaiting reports why the run has not started
 */
export function showOutput(
  context: CommandContext,
  host: EngineClient,
  run: RunRef,
  tellWaiting: (reason: string) => void,
): ForwardedOutput {
  const { stdout, stderr } = context.terminal;
  const tails: LogTail[] = [];
  const tail = (stream: StreamName, channel: Channel): void => {
    const address = { ...run, step: execStep, section: 'step', attempt: 1, stream } as const;
    const writer = { write: (bytes: Buffer) => channel.write(bytes), end: () => Promise.resolve() };
    tails.push(tailLog(host.api, context.caller, address, writer));
  };
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  const leave = host.api.follow(
    'events.follow',
    { name: run.name, dagRunId: run.dagRunId, after: 0 },
    {
      item({ event }) {
        if (event.type === 'step.started' && event.node.section === 'step' && tails.length === 0) {
          tail('stdout', stdout);
          tail('stderr', stderr);
        }
        if (event.type === 'step.waiting') tellWaiting(oneLine(event.reason));
        if (event.type === 'run.finished') hear();
      },
      end: () => hear(),
    },
    context.caller,
  );
  return {
    async finish() {
      // The run may end before all its events have been received.
      await heard;
      await Promise.all(tails.map((each) => each.ended));
    },
    close() {
      leave();
      for (const each of tails) each.stop();
    },
  };
}
