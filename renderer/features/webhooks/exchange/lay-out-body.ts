import { parseExactJson } from '../../../../core/spec/expand/exact-json.ts';

/**
 * Formats a JSON body, or the `payload` field of a form, with line breaks and unchanged numbers. Undefined for
 * other bodies.
 */
export function prettyPrintBody(body: string): string | undefined {
  const json = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.stringify(parseExactJson(json), null, 2);
  } catch {
    return undefined;
  }
}
