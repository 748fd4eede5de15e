import { exitCodes } from '../../../base/error-codes.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';

export interface SuspendInput {
  readonly dag: string;
  /** False resumes it. */
  readonly suspend: boolean;
  readonly format: OutputFormat;
}

/** Pauses or resumes the schedule of a workflow. Idempotent. */
export function runSuspend(context: CommandContext, { dag, suspend, format }: SuspendInput): Promise<number> {
  return withHost(context, async ({ api, workflows }) => {
    const fileName = await workflows.findInFolder(dag);
    const { suspended } = await api.call('dags.suspend', { fileName, suspend }, context.caller);
    if (format === 'json') await printJson(context, { fileName, suspended });
    else
      await printLines(context, [
        suspended
          ? `Suspended the schedule of ${fileName}. Manual runs still work: engine start ${fileName}`
          : `Resumed the schedule of ${fileName}.`,
      ]);
    return exitCodes.success;
  });
}
