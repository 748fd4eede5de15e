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
    checkExpression(value, place, report);
    return [value.trim()];
  }
  value.forEach((expression, index) => checkExpression(expression, placeOf(place, index), report));
  return value.map((expression) => expression.trim());
}

function checkExpression(expression: string, place: Place, report: Report): void {
  const reason = findFault(expression.trim());
  if (reason === undefined) return;
  const shown = expression.slice(0, 60);
  report.error(
    place,
    `"${shown}" is no schedule: ${reason}. Write five fields, minute hour day month weekday, such as "30 6 * * 1-5".`,
  );
}

function findFault(expression: string): string | undefined {
  if (/^(CRON_)?TZ=/.test(expression))
    return 'a time zone is not supported yet by this version; leave it out';
  const fields = expression.split(/\s+/, 6);
  if (expression === '' || fields.length !== 5) {
    return expression === ''
      ? 'it is empty'
      : `it has ${fields.length > 5 ? 'more than five fields' : `${fields.length} field${fields.length === 1 ? '' : 's'}`}`;
  }
  // The cron library would put the present moment in the place of a question mark.
  if (expression.includes('?')) return '"?" is not known; use "*"';
  try {
    const { pattern } = new CronPattern(expression, undefined, { mode: '5-part' });
    return pattern === '' ? 'it is empty' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'it is not understood';
    return message.replace(/^\w+: /, '').replace(/\.$/, '');
  }
}
