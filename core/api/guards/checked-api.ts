import type { TObject } from 'typebox';
import { Errors } from 'typebox/value';
import { AppError, toAppError, toErrorBody, fieldError } from '../../base/errors.ts';
import { findNearest } from '../../base/text/nearest.ts';
import { operations, streams } from '../../contract/operations.ts';
import { describeValidationIssue } from './describe-validation-issue.ts';
import type { EngineApi } from '../engine-host.ts';

/**
 * Wraps an API to validate inputs, which every transport does. An invalid input is rejected with `bad_request` naming
 * the field. A separate module, because loading the schemas takes longer than a short run.
 */
export function checkInputs(api: EngineApi): EngineApi {
  return {
    async call(name, input, caller) {
      checkInput(findEntry(operations, name).input, input);
      return api.call(name, input, caller);
    },
    follow(name, input, observer, caller) {
      try {
        checkInput(findEntry(streams, name).input, input);
      } catch (error) {
        observer.end(toErrorBody(toAppError(error)));
        return () => {};
      }
      return api.follow(name, input, observer, caller);
    },
    ...(api.recordRejection && { recordRejection: api.recordRejection }),
  };
}

function findEntry<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw new AppError('not_found', `Unknown operation "${name}".`);
  return entry;
}

/**
 * Validates an input.
 * @throws `bad_request` naming the field
 */
export function checkInput(schema: TObject, input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new AppError('bad_request', 'The request must be an object with the fields of the operation.');
  }
  const fieldNames = Object.keys(schema.properties);
  for (const field of Object.keys(input)) {
    if (!fieldNames.includes(field)) throw fieldError(field, describeUnknown(field, fieldNames));
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
  if (missing !== '') throw fieldError(field, 'is missing');
  if (first.keyword === 'boolean') {
    const place = first.schemaPath.slice(1, first.schemaPath.lastIndexOf('/'));
    const { properties = {} } = resolvePointer(schema, place) as Partial<TObject>;
    throw fieldError(field, describeUnknown(field.split('.').at(-1)!, Object.keys(properties)));
  }
  throw fieldError(field, describeValidationIssue(first, resolvePointer(defined, first.instancePath)));
}

function describeUnknown(field: string, fieldNames: readonly string[]): string {
  const nearest = findNearest(field, fieldNames);
  if (nearest !== undefined) return `unknown field. Did you mean "${nearest}"?`;
  return fieldNames.length === 0
    ? 'unknown field. No fields are allowed here.'
    : `unknown field. Known fields: ${fieldNames.join(', ')}.`;
}

/** Returns the value at a JSON pointer into the input. */
function resolvePointer(input: unknown, pointer: string): unknown {
  let value = input;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
