/** Replaces characters `from` to `to` of a text by `insert`. Offsets are UTF-16 code units. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * The changes of one edit: ordered, not overlapping, with offsets of the text before the edit. Text outside the ranges
 * stays the same, byte for byte.
 */
export type ChangeSet = readonly TextChange[];

/** Returns the text after the changes. */
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
 * Combines two change sets into one.
 * @param second with offsets of the text after `first`
 */
export function composeChanges(first: ChangeSet, second: ChangeSet): ChangeSet {
  const pieces: Piece[] = [];
  const source = [...getPieces(first)].reverse();
  let at = 0;
  // Copies or skips the text after `first` up to an offset.
  const advance = (end: number, isCopied: boolean): void => {
    while (at < end) {
      const piece = source.pop()!;
      const length = getLength(piece);
      const consumed = Math.min(length, end - at);
      if (consumed < length) source.push(cut(piece, consumed, length));
      if (isCopied) pieces.push(cut(piece, 0, consumed));
      if (length === Infinity && end === Infinity) return;
      at += consumed;
    }
  };
  for (const { from, to, insert } of second) {
    advance(from, true);
    pieces.push(insert);
    advance(to, false);
  }
  advance(Infinity, true);
  return getChanges(pieces);
}

/** Inserted text, or a range of the text before, which may have no end. */
type Piece = string | { readonly from: number; readonly to: number };

function getPieces(changes: ChangeSet): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    pieces.push({ from: at, to: from }, insert);
    at = to;
  }
  return [...pieces, { from: at, to: Infinity }];
}

function getChanges(pieces: readonly Piece[]): ChangeSet {
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

function getLength(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.to - piece.from;
}

function cut(piece: Piece, start: number, end: number): Piece {
  if (typeof piece === 'string') return piece.slice(start, end);
  return { from: piece.from + start, to: piece.from + end };
}

/**
 * A computed edit, or the reason why it is not possible, as a user-facing message. Computing an edit changes nothing.
 */
export type EditResult = Edit | EditRejection;

export interface Edit {
  readonly ok: true;
  readonly changes: ChangeSet;
  /** Nodes to select afterwards; absent to keep the selection. */
  readonly select?: readonly NodeRef[];
  /** For pasted steps: dependencies that were dropped because no step has this name here. */
  readonly lost?: readonly string[];
}

export interface EditRejection {
  readonly ok: false;
  readonly reason: string;
  /** An alternative that a view may offer as a button. */
  readonly offer?: EditOffer;
}

export const reject = (reason: string): EditRejection => ({ ok: false, reason });

/** An edit that makes a rejected connection from `source` to `target` possible, or replaces it. */
export type EditOffer =
  | { readonly kind: 'convert-to-graph' }
  /**
   * `reverse` replaces the dependency of the source on the target by the opposite one; `move` moves the target behind
   * the source in a sequence.
   */
  | { readonly kind: 'reverse' | 'move'; readonly source: NodeRef; readonly target: NodeRef };

/** A step, or a handler (then `name` is `init`, `success`, `failure`, `abort` or `exit`). */
export interface NodeRef {
  readonly section: 'step' | 'handler';
  readonly name: string;
  /** Document index of a further workflow of the file; absent for the main workflow. */
  readonly document?: number;
}
