import { CronPattern } from 'croner';
import { countThings } from '../../base/text/count-things.ts';
import type { Schedule } from '../../model/workflow/workflow.ts';
import type { AuthoredSchedule } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { placeOf, type Place } from '../source/source-node.ts';

/** Reads `schedule`: an expression, a list, or a map of `start`, `stop` and `restart`. */
export function readSchedule(value: AuthoredSchedule | undefined, place: Place, report: Report): Schedule {
  if (value === undefined) return { start: [], stop: [], restart: [] };
  if (typeof value === 'string' || Array.isArray(value)) {
    return { start: readExpressions(value, place, report), stop: [], restart: [] };
  }
  return {
    start: readExpressions(value.start, placeOf(place, 'start'), report),
    stop: readExpressions(value.stop, placeOf(place, 'stop'), report),
    restart: readExpressions(value.restart, placeOf(place, 'restart'), report),
  };
}

function readExpressions(value: string | string[] | undefined, place: Place, report: Report): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    return [readExpression(value, place, report)];
  }
  return value.map((expression, index) => readExpression(expression, placeOf(place, index), report));
}

/** Words for whole expressions, as cron programs have them. */
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * An optional time zone, then five fields, six with seconds, or a nickname. A question mark stands for "any", as in
 * some cron programs.
 */
function readExpression(expression: string, place: Place, report: Report): string {
  const [, zone, fields = ''] = /^(?:(?:CRON_)?TZ=(\S*)\s*)?(.*)$/s.exec(expression.trim()) ?? [];
  const cron = nicknames[fields.toLowerCase()] ?? fields.replaceAll('?', '*');
  const reason = findZoneFault(zone) ?? findFault(cron);
  if (reason !== undefined) reportFault(expression, reason, place, report);
  return zone === undefined ? cron : `CRON_TZ=${zone} ${cron}`;
}

function reportFault(expression: string, reason: string, place: Place, report: Report): void {
  const shown = expression.slice(0, 60);
  report.error(
    place,
    `"${shown}" is no schedule: ${reason}. Write five fields, minute hour day month weekday, such as "30 6 * * 1-5".`,
  );
}

/** Checks `timezone`. */
export function readTimeZone(zone: string | undefined, place: Place, report: Report): string | undefined {
  const name = zone?.trim() || undefined;
  const fault = findZoneFault(name);
  if (fault !== undefined) report.error(place, `${fault[0]!.toUpperCase()}${fault.slice(1)}.`);
  return name;
}

/** Gives a time zone to the expressions that name none. */
export function applyTimeZone(schedule: Schedule, zone: string | undefined): Schedule {
  if (zone === undefined) return schedule;
  const apply = (expressions: readonly string[]): string[] =>
    expressions.map((text) => (text.startsWith('CRON_TZ=') ? text : `CRON_TZ=${zone} ${text}`));
  return { start: apply(schedule.start), stop: apply(schedule.stop), restart: apply(schedule.restart) };
}

const knownZones = new Set<string>();

function findZoneFault(zone: string | undefined): string | undefined {
  if (zone === undefined || knownZones.has(zone)) return undefined;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    knownZones.add(zone);
    return undefined;
  } catch {
    return `there is no time zone "${zone.slice(0, 40)}"; write one such as Europe/Berlin`;
  }
}

function findFault(expression: string): string | undefined {
  if (expression === '') return 'it is empty';
  if (expression.startsWith('@')) return `known words are ${Object.keys(nicknames).join(', ')}`;
  const { length } = expression.split(/\s+/, 7);
  if (length < 5) return `it has ${countThings(length, 'field')}`;
  if (length > 6) return 'it has more than six fields';
  try {
    const { pattern } = new CronPattern(expression, undefined, { mode: '5-or-6-parts' });
    return pattern === '' ? 'it is empty' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'it is not understood';
    return message.replace(/^\w+: /, '').replace(/\.$/, '');
  }
}
