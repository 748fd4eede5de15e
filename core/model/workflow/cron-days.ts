/** The entry of a schedule that starts a workflow when the scheduling service starts. It has no next time. */
export const engineStart = '@reboot';

// The rule of Vixie cron and its descendants (Debian's cron, cronie).
/**
 * Whether a cron expression runs only on days that match both the day of the month and the day of the week: both must
 * match when either field begins with a star, with or without a step; otherwise one is enough. A day of the week that
 * begins with `+` asks for both as well.
 * @param fields five or six fields, without a time zone
 */
export function needsBothDays(fields: string): boolean {
  const parts = fields.trim().split(/\s+/);
  const [day = '', weekday = ''] = [parts.at(-3), parts.at(-1)];
  return /^[*]/.test(day) || /^[*+]/.test(weekday);
}
