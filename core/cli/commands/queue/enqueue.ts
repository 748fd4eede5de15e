import { type CommandContext, type OutputFormat, withHost } from '../../command-context.ts';
import { readCliParams, type CliParams } from '../../arguments/given-params.ts';
import { hostFolder } from '../../host/host-folder.ts';
import { printEnqueued } from '../../report/print-enqueued.ts';

export interface EnqueueInput extends CliParams {
  readonly dag: string;
  readonly name?: string;
  readonly runId?: string;
  /** Overrides the workflow's queue. */
  readonly queue?: string;
  readonly priority?: number;
  readonly singleton: boolean;
  readonly defaultWorkingDir?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Queues a run and shows why it waits. A serving host starts it. */
export function runEnqueue(context: CommandContext, input: EnqueueInput): Promise<number> {
  return withHost(context, async (host) => {
    const { defaultWorkingDir, queue, priority, singleton } = input;
    const run = await host.enqueueRun({
      source: await host.workflows.find(input.dag),
      trigger: 'cli',
      startedBy: context.caller.name,
      trace: context.caller.trace,
      name: input.name,
      dagRunId: input.runId,
      params: readCliParams(input),
      queue,
      priority,
      singleton,
      defaultWorkingDir: hostFolder(context, defaultWorkingDir),
    });
    return printEnqueued(context, host, run, input);
  });
}
