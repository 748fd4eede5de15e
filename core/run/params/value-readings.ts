import { parseJsonContainer } from '../values/json-text.ts';

/** A text of a parameter, and the value that it stands for. */
export interface Reading {
  readonly text: string;
  /** Made anew each time, since a check may fill something in. */
  value(): unknown;
}

const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * What a text stands for where no text is wanted: null when it is empty, `true` or `false`, a decimal number, a JSON
 * list or object. Undefined when it is nothing of that.
 */
export function readAs(text: string): Reading | undefined {
  if (text === '') return { text, value: () => null };
  if (text === 'true' || text === 'false') return { text, value: () => text === 'true' };
  if (decimal.test(text))
    return Number.isFinite(Number(text)) ? { text, value: () => Number(text) } : undefined;
  if (parseJsonContainer(text) === undefined) return undefined;
  return { text, value: () => JSON.parse(text) as unknown };
}
