/**
 * Finds the `}}` that closes a `${{`, outside single-quoted strings. Returns -1 if there is none.
 * @param from offset after the `${{`
 */
export function findExpressionEnd(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith('}}', at)) return at;
  }
  return -1;
}
