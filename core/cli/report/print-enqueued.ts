import { exitCodes } from '../../base/error-codes.ts';
import type { RunRef } from '../../model/run/run.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../command-context.ts';
import type { EngineClient } from '../host/host-api.ts';
import { oneLine } from './plain-text.ts';

/** Reports that a run is queued, and why. JSON: `{name, dagRunId, status, error, wait}`. */
export async function printEnqueued(
  context: CommandContext,
  { api }: Pick<EngineClient, 'api'>,
  run: RunRef,
  { format, quiet }: { readonly format: OutputFormat; readonly quiet: boolean },
): Promise<number> {
  const { name, dagRunId, status, error, wait } = await api.call(
    'runs.get',
    { name: run.name, dagRunId: run.dagRunId },
    context.caller,
  );
  if (format === 'json') await printJson(context, { name, dagRunId, status, error, wait });
  else if (!quiet) {
    const reason = wait === undefined ? status : oneLine(error ?? '');
    await printLines(context, [`Queued run ${dagRunId} of ${name}: ${reason}`]);
  }
  return exitCodes.success;
}
