import { exitCodes } from '../../base/error-codes.ts';
import { formatDuration } from '../../base/text.ts';
import type { PingCheckView, PingView } from '../../contract/pings.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { formatDateTime, formatFields, formatTable, oneLine } from '../format.ts';

/** Number of pings that `show` prints. */
const shownPings = 10;

export interface PingInput extends ResultFormat {
  readonly name: string;
}

export interface PingCreateInput extends PingInput {
  readonly schedule?: string;
  readonly timezone?: string;
  /** Seconds. */
  readonly every?: number;
  readonly grace?: number;
  /** Separated by commas. */
  readonly tags?: string;
}

/** Lists ping checks by name. */
export function runPings(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { checks } = await api.call('pings.list', {}, context.caller);
    if (format === 'json') await printJson(context, { checks });
    else if (checks.length === 0)
      await context.terminal.stderr.write(
        'No ping checks. Create the first with: engine pings create NAME --every 1d\n',
      );
    else await printLines(context, tabulate(checks));
    return exitCodes.success;
  });
}

/** Creates a ping check and prints its URL. */
export function runPingCreate(context: CommandContext, input: PingCreateInput): Promise<number> {
  const { name, schedule, timezone, every, grace, tags } = input;
  return withHost(context, async ({ api }) => {
    const check = await api.call(
      'pings.create',
      {
        name,
        ...(schedule !== undefined && { schedule }),
        ...(timezone !== undefined && { timezone }),
        ...(every !== undefined && { periodSec: every }),
        ...(grace !== undefined && { graceSec: grace }),
        ...(tags !== undefined && { tags: tags.split(',').filter((tag) => tag !== '') }),
      },
      context.caller,
    );
    if (input.format === 'json') await printJson(context, { check });
    else await printLines(context, [check.url]);
    return exitCodes.success;
  });
}

/** Shows a ping check with its URL and last pings. */
export function runPingShow(context: CommandContext, { name, format }: PingInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const check = await api.call('pings.get', { name }, context.caller);
    const { pings } = await api.call('pings.history', { name, limit: shownPings }, context.caller);
    if (format === 'json') {
      await printJson(context, { check, pings });
      return exitCodes.success;
    }
    const fields = formatFields([
      ['Name', check.name],
      ['Status', check.status],
      ['Expected', formatExpected(check)],
      ['Last ping', formatTime(check.lastPingAt)],
      ['Next ping', formatTime(check.expectedAt)],
      ['Tags', check.tags.join(', ')],
      ['URL', check.url],
    ]);
    await printLines(context, [...fields, ...(pings.length > 0 ? ['', ...tabulatePings(pings)] : [])]);
    return exitCodes.success;
  });
}

/** Deletes a ping check with its pings. */
export function runPingDelete(context: CommandContext, { name, format }: PingInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const check = await api.call('pings.delete', { name }, context.caller);
    if (format === 'json') await printJson(context, { check });
    else await printLines(context, [`Deleted ping check ${check.name} and its pings.`]);
    return exitCodes.success;
  });
}

const formatTime = (iso: string | undefined): string =>
  iso === undefined ? '-' : formatDateTime(new Date(iso));

const formatExpected = ({ schedule, timezone, periodSec, graceSec }: PingCheckView): string => {
  const when =
    periodSec === undefined
      ? `${schedule}${timezone === undefined ? '' : ` (${timezone})`}`
      : `every ${formatDuration(periodSec * 1000)}`;
  return `${when}, grace ${formatDuration(graceSec * 1000)}`;
};

const tabulate = (checks: readonly PingCheckView[]): string[] =>
  formatTable(
    ['NAME', 'STATUS', 'EXPECTED', 'LAST PING', 'TAGS'],
    checks.map((check) => [
      check.name,
      check.status,
      formatExpected(check),
      formatTime(check.lastPingAt),
      oneLine(check.tags.join(', ')),
    ]),
  );

const tabulatePings = (pings: readonly PingView[]): string[] =>
  formatTable(
    ['AT', 'PING', 'TOOK', 'LOG'],
    pings.map(({ at, kind, exitCode, durationMs, body = '' }) => [
      formatTime(at),
      exitCode === undefined ? kind : `${kind} (${exitCode})`,
      durationMs === undefined ? '' : formatDuration(durationMs),
      oneLine(body).slice(0, 60),
    ]),
  );
