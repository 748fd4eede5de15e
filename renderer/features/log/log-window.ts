/**
 * Chromium cuts elements off at 33,554,428 px, and places what lies beyond 2^24 px only to every other pixel;
 * this many lines stay below both.
 */
export const windowLines = 500_000;
const windowStep = 250_000;

/**
 * First line of the part of a log that can be scrolled at once. Logs of any usual size are one part; of a
 * larger one it is the part at the end, until the user asks for an earlier one.
 */
const lastWindowStart = (totalLines: number): number =>
  totalLines <= windowLines ? 0 : Math.ceil((totalLines - windowLines) / windowStep) * windowStep;

/** The part of a log that is scrolled at once: from its first line to the one after its last. */
export interface LogWindow {
  readonly start: number;
  readonly end: number;
}

/**
 * The part that begins at a line.
 * @param start absent for the part at the end of the log
 */
export function windowAt(start: number | undefined, totalLines: number): LogWindow {
  const begin = start ?? lastWindowStart(totalLines);
  return { start: begin, end: Math.min(totalLines, begin + windowLines) };
}

/** First line of the part before; parts overlap by half. */
export const earlierStart = ({ start }: LogWindow): number => Math.max(0, start - windowStep);

/** First line of the part after; absent for the part at the end, which moves on with the log. */
export const laterStart = ({ start }: LogWindow, totalLines: number): number | undefined =>
  start + windowStep >= lastWindowStart(totalLines) ? undefined : start + windowStep;
