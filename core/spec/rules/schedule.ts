import { CronPattern } from 'croner';
import { pluralize } from '../../base/text.ts';
import type { ScheduleKind } from '../../model/fire-time.ts';
import type { Schedule } from '../../model/workflow.ts';
import { cronNicknames, engineStart, needsBothDays, oneTimePattern } from '../../model/workflow-rules.ts';
import type { AuthoredSchedule } from '../authored.ts';
import { MAX_SCHEDULE_ENTRIES, MAX_SCHEDULE_LENGTH } from '../limits.ts';
import { parseOneTime } from '../schedule/cron.ts';
import { type Report, getField, type SourceRef } from '../source.ts';

/** Reads `schedule`: an expression, a list, or a map of `start`, `stop` and `restart`. */
export function readSchedule(
  value: AuthoredSchedule | undefined,
  source: SourceRef,
  report: Report,
): Schedule {
  const isMap = typeof value === 'object' && !Array.isArray(value);
  const written = isMap ? value : { start: value };
  const count = Object.values(written).flat().length;
  if (count > MAX_SCHEDULE_ENTRIES) {
    report.error(
      source,
      `The schedule has ${count.toLocaleString('en-US')} entries. The limit is ${MAX_SCHEDULE_ENTRIES}; combine entries with lists and ranges, such as "0 8-18 * * *".`,
    );
    return { start: [], stop: [], restart: [] };
  }
  const read = (kind: ScheduleKind): string[] => {
    const at = isMap ? getField(source, kind) : source;
    const entries = written[kind] ?? [];
    if (typeof entries === 'string') return [readExpression(entries, kind, at, report)];
    return entries.map((entry, index) => readExpression(entry, kind, getField(at, index), report));
  };
  return { start: read('start'), stop: read('stop'), restart: read('restart') };
}

/**
 * Parses an optional time zone and five fields, six with seconds, a nickname, or a date with a time. A question mark means any value, as
 * in some cron implementations.
 */
function readExpression(expression: string, kind: ScheduleKind, source: SourceRef, report: Report): string {
  if (expression.length > MAX_SCHEDULE_LENGTH) {
    const reason = `${expression.length.toLocaleString('en-US')} characters (the limit is 1,000)`;
    reportCronError(expression, reason, source, report);
    return expression.slice(0, MAX_SCHEDULE_LENGTH);
  }
  const [, zone, fields = ''] = /^(?:(?:CRON_)?TZ=(\S*)\s*)?(.*)$/s.exec(expression.trim()) ?? [];
  if (fields.toLowerCase() === engineStart) {
    if (kind !== 'start')
      report.error(source, '"@reboot" can only be used for "start". Move it there, or remove it.');
    return engineStart;
  }
  const { cron, fault: reason } = readCron(fields, zone);
  if (reason !== undefined) reportCronError(expression, reason, source, report);
  else if (!oneTimePattern.test(cron) && differsInDagu(cron)) {
    report.warning(
      source,
      `"${expression.slice(0, 60)}" runs on days that match both day fields, as in cron; Dagu runs on days that match either field. To match either, list the days without "*", such as "1-31/2" for "*/2".`,
    );
  }
  return zone === undefined ? cron : `CRON_TZ=${zone} ${cron}`;
}

/** Returns the fields of an expression in the form of the model, and what is wrong with it, as half a sentence. */
export function readCron(text: string, zone?: string): { readonly cron: string; readonly fault?: string } {
  const cron = cronNicknames[text.toLowerCase()] ?? text.replaceAll('?', '*');
  const fault = findTimeZoneError(zone) ?? findExpressionError(cron);
  return fault === undefined ? { cron } : { cron, fault };
}

/**
 * Whether Dagu's parser (robfig/cron) selects different days: it treats a step such as `*` + `/2` as a list of days,
 * so that matching either day field is enough.
 */
function differsInDagu(cron: string): boolean {
  const { day, dayOfWeek, useAndLogic } = new CronPattern(cron, undefined, { mode: '5-or-6-parts' });
  const isEveryDay = day.every(Boolean) || dayOfWeek.slice(0, 7).every(Boolean);
  return !isEveryDay && !useAndLogic && needsBothDays(cron);
}

function reportCronError(expression: string, reason: string, source: SourceRef, report: Report): void {
  const shown = expression.slice(0, 60);
  report.error(
    source,
    `Invalid cron expression "${shown}": ${reason}. Use five fields (minute hour day month weekday), such as "30 6 * * 1-5".`,
  );
}

/** Validates `timezone`. */
export function readTimeZone(
  zone: string | undefined,
  source: SourceRef,
  report: Report,
): string | undefined {
  const name = zone?.trim() || undefined;
  const problem = findTimeZoneError(name);
  if (problem !== undefined) report.error(source, `${problem[0]!.toUpperCase()}${problem.slice(1)}.`);
  return name;
}

/** Adds a time zone to the expressions that have none. */
export function applyTimeZone(schedule: Schedule, zone: string | undefined): Schedule {
  if (zone === undefined) return schedule;
  const apply = (expressions: readonly string[]): string[] =>
    expressions.map((text) =>
      text.startsWith('CRON_TZ=') || text === engineStart ? text : `CRON_TZ=${zone} ${text}`,
    );
  return { start: apply(schedule.start), stop: apply(schedule.stop), restart: apply(schedule.restart) };
}

const knownZones = new Set<string>();

function findTimeZoneError(zone: string | undefined): string | undefined {
  if (zone === undefined || knownZones.has(zone)) return undefined;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    knownZones.add(zone);
    return undefined;
  } catch {
    return `unknown time zone "${zone.slice(0, 40)}"; use a name such as Europe/Berlin`;
  }
}

/** Returns why an expression without a time zone is invalid, as the second half of a sentence. */
export function findExpressionError(expression: string): string | undefined {
  if (expression === '') return 'the expression is empty';
  if (oneTimePattern.test(expression))
    return Number.isNaN(parseOneTime(expression)) ? 'this date or time does not exist' : undefined;
  if (expression.startsWith('@'))
    return `valid words are ${[...Object.keys(cronNicknames), engineStart].join(', ')}`;
  const { length } = expression.split(/\s+/, 7);
  if (length < 5) return `the expression has ${pluralize(length, 'field')}`;
  if (length > 6) return 'the expression has more than six fields';
  try {
    const { pattern } = new CronPattern(expression, undefined, { mode: '5-or-6-parts' });
    return pattern === '' ? 'the expression is empty' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unrecognized syntax';
    return message.replace(/^\w+: /, '').replace(/\.$/, '');
  }
}
