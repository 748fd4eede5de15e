/** Characters `from` to `to` of a text give way to `insert`. Offsets are UTF-16 code units, as everywhere in JavaScript. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * What one edit does to a text. Ordered, without overlap; all offsets are those of the text before. What lies
 * outside of the ranges stays as it is, byte for byte.
 */
export type ChangeSet = readonly TextChange[];

/** The text after the changes. */
export function applyChanges(text: string, changes: ChangeSet): string {
  let result = '';
  let at = 0;
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/**
 * The changes that lead from a text to what `second` makes of the text after `first`.
 * @param second with offsets of the text after `first`
 */
export function composeChanges(first: ChangeSet, second: ChangeSet): ChangeSet {
  const pieces: Piece[] = [];
  const source = [...piecesOf(first)].reverse();
  let at = 0;
  // Hands the text after `first` on up to an offset, or drops it.
  const advance = (end: number, isKept: boolean): void => {
    while (at < end) {
      const piece = source.pop()!;
      const length = lengthOf(piece);
      const taken = Math.min(length, end - at);
      if (taken < length) source.push(cut(piece, taken, length));
      if (isKept) pieces.push(cut(piece, 0, taken));
      if (length === Infinity && end === Infinity) return;
      at += taken;
    }
  };
  for (const { from, to, insert } of second) {
    advance(from, true);
    pieces.push(insert);
    advance(to, false);
  }
  advance(Infinity, true);
  return changesOf(pieces);
}

/** Text that is put in, or a stretch of the text before, which may have no end. */
type Piece = string | { readonly from: number; readonly to: number };

function piecesOf(changes: ChangeSet): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    pieces.push({ from: at, to: from }, insert);
    at = to;
  }
  return [...pieces, { from: at, to: Infinity }];
}

function changesOf(pieces: readonly Piece[]): ChangeSet {
  const changes: TextChange[] = [];
  let at = 0;
  let insert = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      insert += piece;
    } else if (piece.from < piece.to) {
      if (piece.from > at || insert !== '') changes.push({ from: at, to: piece.from, insert });
      at = piece.to;
      insert = '';
    }
  }
  return changes;
}

function lengthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.to - piece.from;
}

function cut(piece: Piece, start: number, end: number): Piece {
  if (typeof piece === 'string') return piece.slice(start, end);
  return { from: piece.from + start, to: piece.from + end };
}
