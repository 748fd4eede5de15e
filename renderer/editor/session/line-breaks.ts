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

/** How lines of a text end, where most of them agree. */
export type LineBreak = '\n' | '\r\n';

/** The line break that most lines of a text have. */
export function findLineBreak(text: string): LineBreak {
  const all = text.split('\n').length - 1;
  const carriageReturns = text.split('\r\n').length - 1;
  return carriageReturns * 2 > all ? '\r\n' : '\n';
}

/**
 * Keeps a document byte for byte what the file holds. CodeMirror would count every line break as one character and
 * forget which it was; here only `\n` ends a line, so a `\r` before it is an ordinary character of the document, and
 * offsets are those of the text. What people type, paste or delete is corrected so that no line break is torn apart
 * and new ones are like those of the file. Edits of other views say exactly what they mean and are left alone.
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
        if (!hasReturns && !insertsReturn(transaction)) return transaction;
        return correct(transaction, lineBreak);
      }
      return hasReturns && transaction.selection !== undefined ? snapSelection(transaction) : transaction;
    }),
  ];
}

/** Whether a document has had a return; to look for one in all of it takes too long for a key. */
const returns = StateField.define<boolean>({
  create: ({ doc }) => holdsReturn(doc),
  update: (value, transaction) => value || (transaction.docChanged && insertsReturn(transaction)),
});

const holdsReturn = (text: Text): boolean => text.toString().includes('\r');

function insertsReturn(transaction: Transaction): boolean {
  let found = false;
  transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    found ||= holdsReturn(inserted);
  });
  return found;
}

/** Whether a place lies between the two characters of one line break. */
export const isInsideBreak = (doc: Text, at: number): boolean =>
  at > 0 && at < doc.length && doc.sliceString(at - 1, at + 1) === '\r\n';

interface Change {
  from: number;
  to: number;
  insert: string;
}

function correct(transaction: Transaction, lineBreak: LineBreak): Transaction | readonly object[] {
  const { doc } = transaction.startState;
  if (!tearsBreaks(transaction)) return writeBreaks(transaction, lineBreak);
  const changes: Change[] = [];
  let changed = false;
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const written = { from: fromA, to: toA, insert: inserted.toString() };
    const meant = keepBreaksWhole(doc, written, lineBreak);
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
      annotations: keptAnnotations(transaction),
      scrollIntoView: transaction.scrollIntoView,
    },
  ];
}

/** Whether a change begins or ends inside of a line break, or puts in half of one at such a place. */
function tearsBreaks({ changes, startState: { doc } }: Transaction): boolean {
  let found = false;
  changes.iterChanges((fromA, toA) => {
    found ||= isInsideBreak(doc, fromA) || isInsideBreak(doc, toA);
  }, true);
  return found;
}

/** The line breaks of what is put in like those of the file; cursors and fields of snippets stay where they are meant. */
function writeBreaks(transaction: Transaction, lineBreak: LineBreak): Transaction | readonly object[] {
  const isCompletion = transaction.isUserEvent('input.complete');
  const changes: Change[] = [];
  transaction.changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    for (const { 0: found, index } of inserted.toString().matchAll(/\r?\n|\r/g)) {
      // A snippet repeats the indentation of its line, for which it takes the return of an empty one.
      const meant = found !== '\r' ? lineBreak : isCompletion ? '' : found;
      const from = fromB + index;
      if (meant !== found) changes.push({ from, to: from + found.length, insert: meant });
    }
  }, true);
  return changes.length === 0 ? transaction : [transaction, { changes, sequential: true }];
}

function keptAnnotations(transaction: Transaction) {
  const time = transaction.annotation(Transaction.time);
  return time === undefined ? [] : [Transaction.time.of(time)];
}

function keepBreaksWhole(doc: Text, { from, to, insert }: Change, lineBreak: LineBreak): Change {
  const fromInside = isInsideBreak(doc, from);
  const toInside = isInsideBreak(doc, to);
  let text = insert.replace(/\r\n|\n/g, lineBreak);
  if (from === to) {
    if (!fromInside) return { from, to, insert: text };
    // Between the two: the text goes before the break, whose own return it may repeat at its end.
    text = text.replace(/\r$/, '');
    return { from: from - 1, to: to - 1, insert: text };
  }
  // A single return deleted forwards means its whole line break.
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

/** No cursor stands inside of a line break. */
function snapSelection(transaction: Transaction): Transaction | readonly [Transaction, object] {
  const { doc } = transaction.startState;
  const { ranges, mainIndex } = transaction.newSelection;
  const isInside = ({ anchor, head }: SelectionRange): boolean =>
    isInsideBreak(doc, anchor) || isInsideBreak(doc, head);
  if (!ranges.some(isInside)) return transaction;
  const snapped = ranges.map(({ anchor, head, goalColumn }) =>
    EditorSelection.range(outside(doc, anchor), outside(doc, head), goalColumn),
  );
  return [transaction, { selection: EditorSelection.create(snapped, mainIndex), sequential: true }];
}

const outside = (doc: Text, at: number): number => (isInsideBreak(doc, at) ? at - 1 : at);
