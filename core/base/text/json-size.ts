/**
 * Most values and keys of a JSON text from outside. Reading it takes time by their number, and holds up everything else
 * meanwhile: 200,000 take 20 to 150 ms, 25 MB of `{}` two seconds and more.
 */
export const MAX_JSON_VALUES = 200_000;

/**
 * Most keys of one object of a JSON text from outside. An object is slower by its number of keys than anything else of
 * that size: to check and copy one of 10,000 takes 15 ms, one of 100,000 half a second.
 */
export const MAX_OBJECT_KEYS = 10_000;

/**
 * Bytes, or characters, of JSON from which on each step with it, such as reading or storing it, gets a turn of the event
 * loop of its own.
 */
export const LARGE_JSON = 1024 * 1024;

const [quote, backslash, comma, colon, list, listEnd, map, mapEnd] = Array.from('"\\,:[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** More lists and maps inside each other than a program writes, and fewer than a parser takes. */
const maxDepth = 2_000;

/**
 * What a JSON text has more of than can be read in good time: values and keys, keys of one object, or levels. It is not
 * parsed for that, so it need not be JSON.
 */
export function findJsonExcess(
  text: string,
  maxValues = MAX_JSON_VALUES,
  maxKeys = MAX_OBJECT_KEYS,
): 'values' | 'keys' | 'levels' | undefined {
  // A value takes a character at least, a key four with its value.
  if (text.length <= Math.min(maxValues, 4 * maxKeys)) return undefined;
  const keys = [0];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === colon || begins(text, at, code)) values += 1;
    if (code === list || code === map) keys.push(0);
    else if (code === listEnd || code === mapEnd) keys.pop();
    else if (code === colon && (keys[keys.length - 1]! += 1) > maxKeys) return 'keys';
    if (keys.length > maxDepth) return 'levels';
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** What to say of an excess, after the name of the text. */
export const describeJsonExcess = (excess: 'values' | 'keys'): string =>
  excess === 'values'
    ? `has more than ${MAX_JSON_VALUES} values and keys`
    : `has an object with more than ${MAX_OBJECT_KEYS} keys`;

/** Whether a list or a map begins that has something in it. */
const begins = (text: string, at: number, code: number): boolean =>
  (code === list && text.charCodeAt(at + 1) !== listEnd) ||
  (code === map && text.charCodeAt(at + 1) !== mapEnd);

/** Where the quote is that closes a string; the end of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
