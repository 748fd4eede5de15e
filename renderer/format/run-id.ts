const shownLength = 13;

/** A run id short enough for a table. The end of a generated id tells runs apart; its beginning is the time. */
export const shortenRunId = (dagRunId: string): string =>
  dagRunId.length <= shownLength ? dagRunId : `…${dagRunId.slice(1 - shownLength)}`;
