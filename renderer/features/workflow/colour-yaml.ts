/** A piece of a line with its highlighting. */
export interface YamlToken {
  readonly kind: 'text' | 'key' | 'comment' | 'string' | 'mark' | 'variable';
  readonly text: string;
}

/**
 * Highlights keys, comments, quoted strings and variables of one line. It is not a parser and knows no context.
 */
export function highlightYaml(line: string): YamlToken[] {
  const [, indent = '', rest = ''] = /^(\s*(?:- +)*)(.*)$/.exec(line) ?? [];
  const pieces: YamlToken[] = indent === '' ? [] : [{ kind: 'mark', text: indent }];
  const [, key, colon, value] = /^([\w.$-]+|"[^"]*"|'[^']*')(:(?:\s|$))(.*)$/.exec(rest) ?? [];
  if (key === undefined || colon === undefined) return [...pieces, ...colourValue(rest)];
  return [...pieces, { kind: 'key', text: key }, { kind: 'mark', text: colon }, ...colourValue(value ?? '')];
}

const valuePattern = /(?<comment>(?:^|\s)#.*$)|(?<string>"[^"]*"|'[^']*')|(?<variable>\$\{[^}]*\}|\$\w+)/g;

function colourValue(text: string): YamlToken[] {
  const pieces: YamlToken[] = [];
  let end = 0;
  for (const match of text.matchAll(valuePattern)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    const { comment, string } = match.groups ?? {};
    pieces.push({ kind: comment ? 'comment' : string ? 'string' : 'variable', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}
