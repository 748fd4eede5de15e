import cronstrue from 'cronstrue';
import { engineStart, needsBothDays, oneTimePattern } from '../../core/model/workflow-rules.ts';

/** Descriptions by expression: a page shows the same ones many times. */
const descriptions = new Map<string, string>();
const maxDescriptions = 1000;

/** Describes a cron expression (`Every day at 02:00`); one that cannot be described is returned unchanged. */
export function formatCron(expression: string): string {
  const known = descriptions.get(expression);
  if (known !== undefined) return known;
  const text = describeCron(expression);
  if (descriptions.size >= maxDescriptions) descriptions.clear();
  descriptions.set(expression, text);
  return text;
}

function describeCron(expression: string): string {
  if (expression.toLowerCase() === engineStart) return 'At engine start';
  const [, zone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/.exec(expression) ?? [];
  const once = oneTimePattern.exec(fields);
  if (once) return `Once on ${formatDate(once[1]!)} at ${once[2]}${zone ? ` (${zone})` : ''}`;
  try {
    const words = toWords(fields)
      .replace(/^At (\d\d:\d\d)$/, 'Every day at $1')
      .replace(/^At (\d\d:\d\d), Monday through Friday$/, 'Every weekday at $1');
    return zone ? `${words} (${zone})` : words;
  } catch {
    return expression;
  }
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const formatDate = (date: string): string => dateFormat.format(Date.parse(date));

/** Returns the text shown for a schedule without next times. */
export const explainNoTimes = ({ start }: { readonly start: readonly string[] }): string =>
  start.includes(engineStart) ? 'Starts when the engine starts.' : 'No more scheduled times.';

function toWords(fields: string): string {
  const parts = fields.trim().split(/\s+/);
  const weekday = nameWeekdays(parts.pop()?.replace(/^\+/, '') ?? '');
  const month = parts.pop() ?? '';
  const mustMatchBoth = needsBothDays(fields);
  const words = (...days: readonly string[]): string =>
    cronstrue.toString([...parts, ...days].join(' '), {
      use24HourTimeFormat: true,
      verbose: false,
      logicalAndDayFields: mustMatchBoth,
    });
  const whole = words(month, weekday);
  if (mustMatchBoth) return whole;
  // The library joins the two day fields with "and" or a comma, although one match is sufficient.
  const [everyMonth, byDay] = [words('*', weekday), words('*', '*')];
  if (!whole.startsWith(everyMonth) || !everyMonth.startsWith(byDay)) return whole;
  const byWeekday = everyMonth.slice(byDay.length).replace(/^, (?:and )?/, ', or ');
  return byDay + byWeekday + whole.slice(everyMonth.length);
}

/**
 * Expands a step in the weekday field, such as every second day, to a list of days, which reads more clearly.
 */
function nameWeekdays(field: string): string {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 ? [0, 1, 2, 3, 4, 5, 6].filter((day) => day % step === 0).join(',') : field;
}
