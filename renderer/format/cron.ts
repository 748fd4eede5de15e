import cronstrue from 'cronstrue';
import { engineStart, needsBothDays } from '../../core/model/workflow/cron-days.ts';

/** A cron expression in words (`Every day at 02:00`); one that cannot be put in words comes back as written. */
export function describeCron(expression: string): string {
  if (expression.toLowerCase() === engineStart) return 'At engine start';
  const [, zone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/.exec(expression) ?? [];
  try {
    const words = toWords(fields).replace(/^At (\d\d:\d\d)$/, 'Every day at $1');
    return zone ? `${words} (${zone})` : words;
  } catch {
    return expression;
  }
}

/** What to show in place of the next times of a schedule that has none. */
export const describeNoTimes = ({ start }: { readonly start: readonly string[] }): string =>
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
  // The library joins the two day fields by "and", or a comma, where one of them is enough.
  const [everyMonth, byDay] = [words('*', weekday), words('*', '*')];
  if (!whole.startsWith(everyMonth) || !everyMonth.startsWith(byDay)) return whole;
  const byWeekday = everyMonth.slice(byDay.length).replace(/^, (?:and )?/, ', or ');
  return byDay + byWeekday + whole.slice(everyMonth.length);
}

/** The days that a step such as every second one means, as a list, which has clearer words. */
function nameWeekdays(field: string): string {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 ? [0, 1, 2, 3, 4, 5, 6].filter((day) => day % step === 0).join(',') : field;
}
