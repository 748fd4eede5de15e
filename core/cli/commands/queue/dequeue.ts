import { AppError } from '../../../base/errors.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import type { RunRef } from '../../../model/run/run.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';

export interface DequeueInput {
  readonly queue: string;
  /** Default: the run that has waited longest. */
  readonly dagRun?: RunRef;
  readonly format: OutputFormat;
}

/** Removes a queued run from its queue. The run ends as aborted. */
export function runDequeue(
  context: CommandContext,
  { queue, dagRun, format }: DequeueInput,
): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { caller } = context;
    if (dagRun !== undefined) {
      const { wait } = await api.call('runs.get', dagRun, caller);
      if (wait !== undefined && wait.queue !== queue) {
        throw new AppError(
          'not_queued',
          `Run ${dagRun.dagRunId} of ${dagRun.name} is in queue "${wait.queue}", not in "${queue}".`,
        );
      }
    }
    const run =
      dagRun === undefined
        ? await api.call('queues.dequeue', { queue }, caller)
        : await api.call('runs.dequeue', dagRun, caller);
    if (format === 'json') await printJson(context, { ...run, queue });
    else await printLines(context, [`Removed run ${run.dagRunId} of ${run.name} from queue ${queue}.`]);
    return exitCodes.success;
  });
}
