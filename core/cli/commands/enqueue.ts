import path from 'node:path';
import { exitCodes } from '../../base/error-codes.ts';
import { type CommandContext, type OutputFormat, printJson, withHost } from '../command-context.ts';
import { findDag } from '../find-dag.ts';
import { givenParams, type WrittenParams } from '../given-params.ts';
import { tellEnqueued } from '../report/tell-enqueued.ts';

export interface EnqueueInput extends WrittenParams {
  readonly dag: string;
  readonly name?: string;
  readonly runId?: string;
  /** Instead of the workflow's. */
  readonly queue?: string;
  readonly priority?: number;
  readonly singleton: boolean;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Puts a run into its queue and says why it waits; a host that stays starts it. */
export function runEnqueue(context: CommandContext, input: EnqueueInput): Promise<number> {
  return withHost(context, async (host) => {
    const { defaultWorkingDir, queue, priority, singleton } = input;
    const run = await host.enqueueRun({
      source: { file: findDag(input.dag, context) },
      trigger: 'cli',
      name: input.name,
      dagRunId: input.runId,
      params: givenParams(input),
      queue,
      priority,
      singleton,
      defaultWorkingDir: defaultWorkingDir && path.resolve(context.cwd, defaultWorkingDir),
    });
    const { name, dagRunId, status, error, wait } = await host.api.call('runs.get', run, context.caller);
    if (input.format === 'json') await printJson(context, { name, dagRunId, status, error, wait });
    else if (!input.quiet) {
      const reason = wait === undefined ? status : (error ?? '');
      await tellEnqueued(context, run, reason);
    }
    return exitCodes.success;
  });
}
