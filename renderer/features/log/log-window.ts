/** Height of a line that is not wrapped, pixels. */
export const lineHeight = 20;
/** Chromium cuts elements off at 33,554,428 px; this many lines stay well below. */
export const windowLines = 1_500_000;
const windowStep = 500_000;

/**
 * First line of the part of a log that can be scrolled at once. Logs of any usual size are one part; of a
 * larger one it is the part at the end, until the user asks for an earlier one.
 */
export const lastWindowStart = (totalLines: number): number =>
  totalLines <= windowLines ? 0 : Math.ceil((totalLines - windowLines) / windowStep) * windowStep;

/** The part before. */
export const earlierWindowStart = (start: number): number => Math.max(0, start - windowStep);
