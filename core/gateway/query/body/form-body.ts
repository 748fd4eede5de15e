import type { Body } from '../query.ts';
import { decodeParameters } from '../scan/parameters.ts';
import { bodyError } from './body-error.ts';

/**
 * Parses a form body into one object with strings.
 * @throws GatewayError PGRST102 for a duplicate field or invalid UTF-8
 */
export function readFormBody(text: string): Body {
  const fields = new Map<string, string>();
  for (const { name, value } of decodeParameters(text.trim(), 'PGRST102')) {
    if (fields.has(name)) throw bodyError('Duplicate form field', JSON.stringify(name));
    fields.set(name, value);
  }
  const json = JSON.stringify(Object.fromEntries(fields));
  return { json, isArray: false, keys: [...fields.keys()], count: 1 };
}
