import {
  EditorSelection,
  EditorState,
  StateField,
  Transaction,
  type ChangeSpec,
  type Extension,
  type SelectionRange,
  type Text,
} from '@codemirror/state';

/** Line break of a text. */
export type LineBreak = '\n' | '\r\n';

/** Returns the most common line break of a text. */
export function findLineBreak(text: string): LineBreak {
  const all = text.split('\n').length - 1;
  const carriageReturns = text.split('\r\n').length - 1;
  return carriageReturns * 2 > all ? '\r\n' : '\n';
}

/**
 * Keeps the document byte for byte equal to the file. CodeMirror would normalize line breaks to one character;
 * here only `\n` ends a line, so a `\r` before it is an ordinary character of the document, and offsets match
 * the text. Typing, pasting and deleting are corrected so that no line break is split and new ones match the
 * file. Edits of other views are exact and left alone.
 */
export function exactLineBreaks(lineBreak: LineBreak): Extension {
  return [
    EditorState.lineSeparator.of('\n'),
    returns,
    EditorState.transactionFilter.of((transaction) => {
      const hasReturns = lineBreak === '\r\n' || transaction.startState.field(returns);
      const typed = transaction.annotation(Transaction.userEvent) !== undefined;
      if (transaction.docChanged) {
        if (!typed) return transaction;
        if (!hasReturns && !insertsCarriageReturn(transaction)) return transaction;
        return correct(transaction, lineBreak);
      }
      return hasReturns && transaction.selection !== undefined ? snapSelection(transaction) : transaction;
    }),
  ];
}

/**
 * Whether a document has ever contained a carriage return; searching all of it takes too long for a key press.
 */
const returns = StateField.define<boolean>({
  create: ({ doc }) => containsCarriageReturn(doc),
  update: (value, transaction) => value || (transaction.docChanged && insertsCarriageReturn(transaction)),
});

const containsCarriageReturn = (text: Text): boolean => text.toString().includes('\r');

function insertsCarriageReturn(transaction: Transaction): boolean {
  let found = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    found ||= containsCarriageReturn(inserted);
  });
  return found;
}

/** Whether a position is between the two characters of one line break. */
export const isInsideLineBreak = (doc: Text, at: number): boolean =>
  at > 0 && at < doc.length && doc.sliceString(at - 1, at + 1) === '\r\n';

interface Change {
  from: number;
  to: number;
  insert: string;
}

function correct(transaction: Transaction, lineBreak: LineBreak): Transaction | readonly object[] {
  const { doc } = transaction.startState;
  if (!splitsLineBreak(transaction)) return writeBreaks(transaction, lineBreak);
  const changes: Change[] = [];
  let changed = false;
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const written = { from: fromA, to: toA, insert: inserted.toString() };
    const meant = preserveLineBreakPairs(doc, written, lineBreak);
    changed ||= meant.from !== written.from || meant.to !== written.to || meant.insert !== written.insert;
    changes.push(meant);
  }, true);
  if (!changed) return transaction;
  const set = transaction.startState.changes(mergeOverlaps(changes));
  const selection = transaction.startState.selection.map(set, 1);
  return [
    {
      changes: set,
      selection,
      effects: transaction.effects,
      userEvent: transaction.annotation(Transaction.userEvent),
      annotations: preservedAnnotations(transaction),
      scrollIntoView: transaction.scrollIntoView,
    },
  ];
}

/** Whether a change begins or ends inside a line break, or inserts half of one there. */
function splitsLineBreak({ changes, startState: { doc } }: Transaction): boolean {
  let found = false;
  changes.iterChanges((fromA, toA) => {
    found ||= isInsideLineBreak(doc, fromA) || isInsideLineBreak(doc, toA);
  }, true);
  return found;
}

/**
 * Converts inserted line breaks to those of the file; cursors and snippet fields keep their intended positions.
 */
function writeBreaks(transaction: Transaction, lineBreak: LineBreak): Transaction | readonly object[] {
  const isCompletion = transaction.isUserEvent('input.complete');
  const changes: Change[] = [];
  transaction.changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    for (const { 0: found, index } of inserted.toString().matchAll(/\r?\n|\r/g)) {
      // A snippet repeats the indentation of its line, which on an empty line includes the carriage return.
      const meant = found !== '\r' ? lineBreak : isCompletion ? '' : found;
      const from = fromB + index;
      if (meant !== found) changes.push({ from, to: from + found.length, insert: meant });
    }
  }, true);
  return changes.length === 0 ? transaction : [transaction, { changes, sequential: true }];
}

function preservedAnnotations(transaction: Transaction) {
  const time = transaction.annotation(Transaction.time);
  return time === undefined ? [] : [Transaction.time.of(time)];
}

function preserveLineBreakPairs(doc: Text, { from, to, insert }: Change, lineBreak: LineBreak): Change {
  const fromInside = isInsideLineBreak(doc, from);
  const toInside = isInsideLineBreak(doc, to);
  let text = insert.replace(/\r\n|\n/g, lineBreak);
  if (from === to) {
    if (!fromInside) return { from, to, insert: text };
    // Between the two: the text is inserted before the break, whose carriage return it may repeat at its end.
    text = text.replace(/\r$/, '');
    return { from: from - 1, to: to - 1, insert: text };
  }
  // Deleting a carriage return forwards deletes the whole line break.
  if (toInside && from === to - 1 && insert === '') return { from, to: to + 1, insert: text };
  return { from: fromInside ? from - 1 : from, to: toInside ? to - 1 : to, insert: text };
}

function mergeOverlaps(changes: readonly Change[]): ChangeSpec[] {
  const merged: Change[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    if (last && change.from < last.to) {
      last.to = Math.max(last.to, change.to);
      last.insert += change.insert;
    } else merged.push({ ...change });
  }
  return merged;
}

/** Moves cursors out of line breaks. */
function snapSelection(transaction: Transaction): Transaction | readonly [Transaction, object] {
  const { doc } = transaction.startState;
  const { ranges, mainIndex } = transaction.newSelection;
  const isInside = ({ anchor, head }: SelectionRange): boolean =>
    isInsideLineBreak(doc, anchor) || isInsideLineBreak(doc, head);
  if (!ranges.some(isInside)) return transaction;
  const snapped = ranges.map(({ anchor, head, goalColumn }) =>
    EditorSelection.range(outside(doc, anchor), outside(doc, head), goalColumn),
  );
  return [transaction, { selection: EditorSelection.create(snapped, mainIndex), sequential: true }];
}

const outside = (doc: Text, at: number): number => (isInsideLineBreak(doc, at) ? at - 1 : at);
