/** The schedule entry that starts a workflow when the scheduler starts. It has no next time. */
export const engineStart = '@reboot';

// The rule of Vixie cron and its descendants (Debian's cron, cronie).
/**
 * Whether a cron expression requires both the day of the month and the day of the week to match: this is so when either
 * field starts with a star, with or without a step; otherwise one is enough. A day of the week that starts with `+`
 * also requires both.
 * @param fields five or six fields, without a time zone
 */
export function needsBothDays(fields: string): boolean {
  const fieldTexts = fields.trim().split(/\s+/);
  const [day = '', weekday = ''] = [fieldTexts.at(-3), fieldTexts.at(-1)];
  return /^[*]/.test(day) || /^[*+]/.test(weekday);
}
