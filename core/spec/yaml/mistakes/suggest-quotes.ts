const LONGEST = 60;

/** Quotes a string as a YAML value; undefined if it is too long to show. */
export function quoteText(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  if (text.includes("'") && !/["\\]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns advice such as "Put the text in quotes: 'a: b'." */
export function suggestQuotes(text: string): string {
  const quoted = text === '' ? undefined : quoteText(text);
  return quoted === undefined ? 'Put the whole text in quotes.' : `Put the whole text in quotes: ${quoted}.`;
}

/** Returns the value on the line of an offset, after `- ` and the first `key: `. */
export function readValueAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end).trimEnd();
  return line.replace(/^[ \t]*(?:-[ \t]+)*(?:[\w.-]+:[ \t]+)?/, '');
}
