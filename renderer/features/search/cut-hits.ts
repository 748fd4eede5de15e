/** A part of a line. */
export interface LinePiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** A line cut where a text occurs in it. What only the engine can find, a pattern of another kind, is not marked. */
export function cutHits(line: string, query: string, isPattern: boolean): LinePiece[] {
  const pattern = toPattern(query, isPattern);
  if (pattern === undefined) return [{ text: line, isHit: false }];
  const pieces: LinePiece[] = [];
  let end = 0;
  for (const { 0: text, index } of line.matchAll(pattern)) {
    if (text === '') continue;
    if (index > end) pieces.push({ text: line.slice(end, index), isHit: false });
    pieces.push({ text, isHit: true });
    end = index + text.length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end), isHit: false });
  return pieces;
}

function toPattern(query: string, isPattern: boolean): RegExp | undefined {
  try {
    return new RegExp(isPattern ? query : query.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu');
  } catch {
    return undefined;
  }
}
