/**
 * Splits a string into words at whitespace. Quotes group a word: in single quotes all characters are literal, in
 * double quotes `\"` and `\\` are escapes. An unclosed quote is literal. Nothing is expanded.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const findEnd = createQuoteFinder(text);
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at += 1;
      continue;
    }
    const start = at;
    while (at < text.length && !/\s/.test(text[at]!)) {
      at = text[at] === '\\' ? Math.min(at + 2, text.length) : (findEnd(at) ?? at) + 1;
    }
    words.push(unquote(text.slice(start, at)));
  }
  return words;
}

function unquote(word: string): string {
  const findEnd = createQuoteFinder(word);
  const fragments: string[] = [];
  let from = 0;
  for (let at = 0; at < word.length; at += 1) {
    const end = findEnd(at);
    if (end === undefined) continue;
    const quoted = word.slice(at + 1, end);
    fragments.push(word.slice(from, at), word[at] === '"' ? quoted.replaceAll(/\\(["\\])/g, '$1') : quoted);
    at = end;
    from = end + 1;
  }
  return fragments.join('') + word.slice(from);
}

/**
 * @returns a function that returns the offset of the quote that closes the one at an offset, or undefined if there is
 * none. Offsets must ascend: after an unclosed quote, no later one of its kind is closed either, so that all searches
 * together read the text at most twice.
 */
function createQuoteFinder(text: string): (at: number) => number | undefined {
  const open = new Set<string>();
  return (at) => {
    const quote = text[at]!;
    if ((quote !== '"' && quote !== "'") || open.has(quote)) return undefined;
    const end = quote === "'" ? text.indexOf(quote, at + 1) : findDoubleQuote(text, at + 1);
    if (end >= 0) return end;
    open.add(quote);
    return undefined;
  };
}

/** Returns the offset of the next unescaped `"`, or -1. */
function findDoubleQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
}
