/** The requested position: a 0-based line, or a time. */
export type GoToTarget = { readonly line: number } | { readonly time: number };

const dayMs = 86_400_000;

/**
 * Parses a typed position: a line (`1200`, `1,200`), a time of day (`14:03`, `14:03:05`), a time since the
 * start (`+90s`, `+2m`, `+1:30`), or a full date (ISO 8601).
 * @param startedAt start of the attempt, in epoch milliseconds
 * @returns undefined for invalid input
 */
export function parseGoToTarget(
  typed: string,
  startedAt: number | undefined,
  timeZone?: string,
): GoToTarget | undefined {
  const text = typed.trim();
  if (/^[\d,. ]+$/.test(text) && /\d/.test(text)) {
    const line = Number(text.replaceAll(/\D/g, ''));
    return line >= 1 ? { line: line - 1 } : undefined;
  }
  if (startedAt === undefined) return undefined;
  const since = readSince(text);
  if (since !== undefined) return { time: startedAt + since };
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(text);
  if (clock) return { time: nextTimeOfDay(clock, startedAt, timeZone) };
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : { time: date };
}

function readSince(text: string): number | undefined {
  const clock = /^\+(?:(\d+):)?(\d+):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (clock) return (Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1000;
  const span = /^\+(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text);
  if (!span) return undefined;
  const factor = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[span[2] ?? 's']!;
  return Number(span[1]) * factor;
}

/** Returns the first time after the start that matches the time of day. */
function nextTimeOfDay(clock: RegExpExecArray, startedAt: number, timeZone: string | undefined): number {
  const wanted = (Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)) * 1000;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const [hours = 0, minutes = 0, seconds = 0] = format.format(startedAt).split(':').map(Number);
  const began = (hours * 3600 + minutes * 60 + seconds) * 1000;
  const timeOfDayOffset = wanted - began;
  const base = startedAt - (startedAt % 1000);
  return base + (timeOfDayOffset < 0 ? timeOfDayOffset + dayMs : timeOfDayOffset);
}
