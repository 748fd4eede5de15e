import { truncate } from '../base/text/truncate.ts';
import { AppError } from '../base/errors.ts';

/** Maximum length of a subject's name in characters. */
export const maxNameLength = 80;

const allowed = /^[\p{L}\p{M}\p{N} .,\-_+#/:!?@()\u2019]*$/u;
const hasSubstance = /[\p{L}\p{N}]/u;
/** More combining marks on one letter than any script has, such as text that extends out of its line. */
const stackedMarks = /\p{M}{5}/u;

/**
 * Normalizes the name of a subject to a form that is safe in JSON, HTML and attributes with either quotation mark:
 * composed, with single spaces and typographic apostrophes.
 * @throws `bad_request` naming the field `q`
 */
export function readName(input: string): string {
  const name = input
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/['\u2018]/g, '\u2019');
  if (name === '') throw nameError(`The name is empty. ${advice}.`);
  const { length } = [...name];
  if (length > maxNameLength)
    throw nameError(`The name has ${length} characters. The limit is ${maxNameLength}.`);
  if (!allowed.test(name) || stackedMarks.test(name))
    throw nameError(
      `Invalid name ${show(name)}. Use letters, digits, spaces and . , - _ + # / : ! ? @ ( ) '`,
    );
  if (!hasSubstance.test(name))
    throw nameError(`The name ${show(name)} has no letters or digits. ${advice}.`);
  return name;
}

/** Advice for a missing or empty name. */
export const advice = 'Set the subject of the quote';

const show = (name: string): string => truncate(JSON.stringify(name), 60);

const nameError = (message: string): AppError =>
  new AppError('bad_request', message, { details: { field: 'q' } });
