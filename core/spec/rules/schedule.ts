import { CronPattern } from 'croner';
import type { Schedule } from '../../model/workflow.ts';
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

/** An optional time zone and five fields. A question mark stands for "any", as in some cron programs. */
function readExpression(expression: string, place: Place, report: Report): string {
  const [, zone, fields = ''] = /^(?:(?:CRON_)?TZ=(\S*)\s*)?(.*)$/s.exec(expression.trim()) ?? [];
  const cron = fields.replaceAll('?', '*');
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

function findZoneFault(zone: string | undefined): string | undefined {
  if (zone === undefined) return undefined;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return `there is no time zone "${zone.slice(0, 40)}"; write one such as Europe/Berlin`;
  }
}

function findFault(expression: string): string | undefined {
  const fields = expression.split(/\s+/, 6);
  if (expression === '' || fields.length !== 5) {
    return expression === ''
      ? 'it is empty'
      : `it has ${fields.length > 5 ? 'more than five fields' : `${fields.length} field${fields.length === 1 ? '' : 's'}`}`;
  }
  try {
    const { pattern } = new CronPattern(expression, undefined, { mode: '5-part' });
    return pattern === '' ? 'it is empty' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'it is not understood';
    return message.replace(/^\w+: /, '').replace(/\.$/, '');
  }
}
