import { type CommandContext, type OutputFormat, withHost } from '../../command-context.ts';
import { findActiveRun } from '../../arguments/find-active-run.ts';
import { watchRun } from '../../start/drive-run.ts';

export interface RestartInput {
  readonly dag: string;
  /** Default: the newest active run. */
  readonly runId?: string;
  readonly format: OutputFormat;
  readonly quiet: boolean;
}

/** Stops an active run, whichever process drives it, and reruns it here with the same parameters. */
export function runRestart(context: CommandContext, input: RestartInput): Promise<number> {
  return withHost(context, async (host) => {
    const { name, dagRunId } = await findActiveRun(context, host, input);
    if (!input.quiet)
      await context.terminal.stderr.write(
        `engine: stopping run ${dagRunId} of ${name}, then starting a new run\n`,
      );
    const run = await host.api.call('runs.restart', { name, dagRunId }, context.caller);
    return watchRun(context, host, run, input);
  });
}
