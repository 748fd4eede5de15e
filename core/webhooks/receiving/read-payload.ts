import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../base/json.ts';
import { describeJsonIssue } from '../../base/text/json-issue.ts';
import { describeExceededJsonLimit, findExceededJsonLimit } from '../../base/text/json-size.ts';
import { stripBom } from '../../base/text/strip-bom.ts';

/** The payload of a body, or an error. */
export type ReadPayload =
  | { readonly payload: JsonObject; readonly text: string }
  | { readonly problem: 'type' | 'content'; readonly reason: string };

/** Maximum nesting of arrays and objects; deeper ones could not be serialized again. */
const maxDepth = 128;

/** Parses a verified body: JSON, or a form with JSON in its only field `payload`. */
export function readPayload(body: Buffer, contentType: string | undefined): ReadPayload {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    return { problem: 'type', reason: `Unsupported charset ${charset.slice(0, 40)}. Use UTF-8.` };
  const name = type.trim();
  if (name === 'application/x-www-form-urlencoded') return readForm(body);
  if (name === 'application/json' || /^application\/[\w.-]+\+json$/.test(name)) return readJson(body);
  return {
    problem: 'type',
    reason:
      name === ''
        ? 'Missing Content-Type header. Use application/json or application/x-www-form-urlencoded.'
        : `Unsupported Content-Type ${name.slice(0, 80)}. Use application/json or application/x-www-form-urlencoded.`,
  };
}

function readForm(body: Buffer): ReadPayload {
  const payload = new URLSearchParams(body.toString('latin1')).get('payload');
  if (payload === null) return { problem: 'content', reason: 'The form has no field "payload".' };
  return readText(payload);
}

function readJson(body: Buffer): ReadPayload {
  if (!isUtf8(body)) return { problem: 'content', reason: 'The body is not valid UTF-8.' };
  return readText(body.toString('utf8'));
}

const tooDeep: ReadPayload = {
  problem: 'content',
  reason: `The payload is nested more than ${maxDepth} levels deep.`,
};

function readText(text: string): ReadPayload {
  const excess = findExceededJsonLimit(text);
  if (excess === 'levels') return tooDeep;
  if (excess !== undefined)
    return { problem: 'content', reason: `The payload ${describeExceededJsonLimit(excess)}.` };
  let payload: unknown;
  try {
    // Some clients send a byte order mark, which is not part of JSON (RFC 8259, 8.1).
    payload = JSON.parse(stripBom(text));
  } catch {
    return { problem: 'content', reason: `Invalid JSON in the payload: ${describeJsonIssue(text)}.` };
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return { problem: 'content', reason: 'The payload is not a JSON object.' };
  if (isDeeper(payload, maxDepth)) return tooDeep;
  return { payload: payload as JsonObject, text };
}

/** Whether nesting exceeds the specified number of levels; does not recurse deeper. */
function isDeeper(container: object, levels: number): boolean {
  if (levels === 0) return true;
  const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  return values.some((value) => typeof value === 'object' && value !== null && isDeeper(value, levels - 1));
}
