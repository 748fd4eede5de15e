const shownLength = 13;

/** A run id short enough for a table. The end of a generated id tells runs apart; its beginning is the time. */
export const shortenRunId = (dagRunId: string): string =>
  dagRunId.length <= shownLength ? dagRunId : `…${dagRunId.slice(1 - shownLength)}`;

const generatedId = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** A sentence with its generated ids as tables have them, none of which is parted at the end of a line. */
export const shortenRunIds = (text: string): string =>
  text.replaceAll(generatedId, (id) => shortenRunId(id).replace('…', '…\u2060'));
