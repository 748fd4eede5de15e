/**
 * Most values and keys of a JSON text from outside. Reading it takes time by their number, and holds up everything else
 * meanwhile: 200,000 take 20 to 150 ms, 25 MB of `{}` two seconds and more.
 */
export const MAX_JSON_VALUES = 200_000;

const [quote, backslash, comma, colon, list, listEnd, map, mapEnd] = Array.from('"\\,:[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** More lists and maps inside each other than a program writes, and fewer than a parser takes. */
const maxDepth = 2_000;

/**
 * What a JSON text has more of than can be read in good time: values and keys, or levels. It is not parsed for that, so it
 * need not be JSON.
 */
export function findJsonExcess(text: string, most = MAX_JSON_VALUES): 'values' | 'levels' | undefined {
  // A value takes a character at least.
  if (text.length <= most) return undefined;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === colon || begins(text, at, code)) values += 1;
    if (code === list || code === map) depth += 1;
    else if (code === listEnd || code === mapEnd) depth -= 1;
    if (depth > maxDepth) return 'levels';
    if (values > most) return 'values';
  }
  return undefined;
}

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
