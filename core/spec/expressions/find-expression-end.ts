/** Where the `}}` of a `${{` stands, outside texts in single quotes; -1 when there is none. @param from behind the `${{` */
export function findExpressionEnd(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith('}}', at)) return at;
  }
  return -1;
}
