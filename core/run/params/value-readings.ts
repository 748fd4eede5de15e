import { parseJsonContainer } from '../values/json-text.ts';

/** A way to read the string of a parameter, and the resulting value. */
export interface Reading {
  readonly text: string;
  /** Creates a new value each time, because validation may fill something in. */
  value(): unknown;
}

const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * Reads a string where the schema asks for another type: null when it is empty, `true` or `false`, a decimal number, a
 * JSON list or object. Returns undefined when it is none of these.
 */
export function readAs(text: string): Reading | undefined {
  if (text === '') return { text, value: () => null };
  if (text === 'true' || text === 'false') return { text, value: () => text === 'true' };
  if (decimal.test(text))
    return Number.isFinite(Number(text)) ? { text, value: () => Number(text) } : undefined;
  if (parseJsonContainer(text) === undefined) return undefined;
  return { text, value: () => JSON.parse(text) as unknown };
}
