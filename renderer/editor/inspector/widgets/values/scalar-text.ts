import type { JsonValue } from '../../../../../core/base/json.ts';

/** Parses typed text as a number if it is written like one; `007` and `1.0` stay strings. */
export function readScalar(text: string): JsonValue {
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(text) ? Number(text) : text;
}

/** Parses typed text like {@link readScalar}, but keeps the type of the previous value: string or boolean. */
export function parseLike(text: string, before: JsonValue | undefined): JsonValue {
  if (typeof before === 'string') return text;
  if ((text === 'true' || text === 'false') && typeof before === 'boolean') return text === 'true';
  return readScalar(text);
}
