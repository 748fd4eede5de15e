import type { RunRef } from '../../model/run.ts';
import { type CommandContext, printLines } from '../command-context.ts';
import { oneLine } from './plain-text.ts';

/** Says in one line that a run waits in its queue, and why. */
export async function tellEnqueued(
  context: CommandContext,
  { name, dagRunId }: RunRef,
  reason: string,
): Promise<void> {
  await printLines(context, [`run ${dagRunId} of ${name} enqueued: ${oneLine(reason)}`]);
}
