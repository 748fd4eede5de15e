import type { JsonValue } from '../../../../../core/base/json.ts';

/** What was typed, as a number where it is one and is written like one; `007` and `1.0` stay texts. */
export function readScalar(text: string): JsonValue {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(text) ? Number(text) : text;
}

/** The same with the type of what was there before: `true` in the place of a truth value is one. */
export function readLike(text: string, before: JsonValue | undefined): JsonValue {
  if (typeof before === 'string') return text;
  if ((text === 'true' || text === 'false') && typeof before === 'boolean') return text === 'true';
  return readScalar(text);
}
