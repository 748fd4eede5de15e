import { AppError } from '../../base/errors.ts';

/** Reads the place after which a page of a list begins; none for the first page. Throws `bad_request`. */
export function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  // Runs that were taken over from another program have keys below 1.
  if (/^(0|-?[1-9][0-9]{0,15})$/.test(cursor)) return Number(cursor);
  throw new AppError(
    'bad_request',
    'cursor: this is not a cursor of an earlier page; leave it out for the first page',
  );
}
