import cronstrue from 'cronstrue';

/** A cron expression in words (`Every day at 02:00`); one that cannot be put in words comes back as written. */
export function describeCron(expression: string): string {
  const [, zone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/.exec(expression) ?? [];
  try {
    const words = cronstrue.toString(fields, { use24HourTimeFormat: true, verbose: false });
    const sentence = words.replace(/^At (\d\d:\d\d)$/, 'Every day at $1');
    return zone ? `${sentence} (${zone})` : sentence;
  } catch {
    return expression;
  }
}
