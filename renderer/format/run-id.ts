const shownLength = 13;

/** Shortens a run id for tables. Runs differ in the end of a generated id; its beginning is the time. */
export const shortenRunId = (dagRunId: string): string =>
  dagRunId.length <= shownLength ? dagRunId : `…${dagRunId.slice(1 - shownLength)}`;

const generatedId = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** Shortens generated run ids in a sentence, and prevents line breaks inside them. */
export const shortenRunIds = (text: string): string =>
  text.replaceAll(generatedId, (id) => shortenRunId(id).replace('…', '…\u2060'));
