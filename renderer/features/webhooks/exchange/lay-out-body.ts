import { parseExactJson } from '../../../../core/spec/expand/exact-json.ts';

/** JSON with line breaks and the digits that it came with, out of a JSON body or the `payload` of a form. Undefined for a body that is neither. */
export function layOutBody(body: string): string | undefined {
  const json = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.stringify(parseExactJson(json), null, 2);
  } catch {
    return undefined;
  }
}
