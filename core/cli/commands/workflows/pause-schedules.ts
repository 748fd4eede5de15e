import { exitCodes } from '../../../base/error-codes.ts';
import { toIso } from '../../../base/clock.ts';
import {
  type CommandContext,
  type OutputFormat,
  printJson,
  printLines,
  withHost,
} from '../../command-context.ts';
import { formatDateTime } from '../../report/time-text.ts';

export interface PauseSchedulesInput {
  /** False resumes them. */
  readonly suspend: boolean;
  /** Duration of the pause in milliseconds; absent until resumed. */
  readonly forMs?: number | undefined;
  readonly format: OutputFormat;
}

/** Pauses or resumes all schedules of the home. Idempotent. */
export function runPauseSchedules(context: CommandContext, input: PauseSchedulesInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    if (input.suspend) await pause(context, api, input);
    else {
      const { wasPaused } = await api.call('schedules.resume', {}, context.caller);
      if (input.format === 'json') await printJson(context, { wasPaused });
      else
        await printLines(context, [
          wasPaused ? 'Resumed all schedules.' : 'The schedules of this home are not paused.',
        ]);
    }
    return exitCodes.success;
  });
}

type Api = Parameters<Parameters<typeof withHost>[1]>[0]['api'];

async function pause(
  context: CommandContext,
  api: Api,
  { forMs, format }: PauseSchedulesInput,
): Promise<void> {
  const until = forMs === undefined ? undefined : toIso(context.clock.now() + forMs);
  const response = await api.call(
    'schedules.pause',
    { ...(until !== undefined && { until }) },
    context.caller,
  );
  if (format === 'json') return printJson(context, response);
  const end =
    response.pause.until === undefined ? '' : ` until ${formatDateTime(new Date(response.pause.until))}`;
  await printLines(context, [
    `Paused all schedules${end}. Manual runs still work. Resume with: engine resume --all`,
  ]);
}
