import type { TObject } from 'typebox';
import { Errors } from 'typebox/value';
import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/nearest.ts';

/** Checks an operation's input against its schema. Throws `bad_request` naming the first field that does not fit. */
export function checkInput(schema: TObject, input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new AppError('bad_request', 'The request must be an object with the fields of the operation');
  }
  const known = Object.keys(schema.properties);
  for (const field of Object.keys(input)) {
    if (known.includes(field)) continue;
    const nearest = findNearest(field, known);
    throw refuse(field, `unknown field${nearest === undefined ? '' : `; did you mean “${nearest}”?`}`);
  }
  const defined = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const [first] = Errors(schema, defined);
  if (first === undefined) return;
  const missing =
    first.keyword === 'required'
      ? ((first.params as { requiredProperties?: string[] }).requiredProperties?.[0] ?? '')
      : '';
  const field = [first.instancePath.slice(1).replaceAll('/', '.'), missing]
    .filter((part) => part !== '')
    .join('.');
  throw refuse(field, missing === '' ? first.message : 'is missing');
}

const refuse = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}`, { details: { field } });
