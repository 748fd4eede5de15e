const dayMs = 86_400_000;

/** Formats a future time in the machine's time zone: `14:30`, or on another day `Fri 14:30`. */
export function formatTime(iso: string, now: number): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === new Date(now).toDateString()) return time;
  const isNear = at.getTime() - now < 6 * dayMs;
  const day = at.toLocaleDateString(
    'en-GB',
    isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${time}`;
}
