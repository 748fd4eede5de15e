import { history, redoDepth, undoDepth } from '@codemirror/commands';
import { Annotation, StateField, Transaction, type Extension } from '@codemirror/state';

/** Label of a transaction, which undo and redo show. */
export const editLabel = Annotation.define<string>();
/** Consecutive edits with the same group, close in time, are undone as one. */
export const editGroup = Annotation.define<string>();

/** Number of undoable edits; older ones are dropped. */
const maxEdits = 1000;

const lastGroup = StateField.define<string | undefined>({
  create: () => undefined,
  update: (value, transaction) => (transaction.docChanged ? transaction.annotation(editGroup) : value),
});

/** The history that all views share. */
export const sharedHistory: Extension = [
  lastGroup,
  history({
    minDepth: maxEdits,
    joinToEvent(transaction, isAdjacent) {
      const group = transaction.annotation(editGroup);
      const before = transaction.startState.field(lastGroup);
      return group === before && (group !== undefined || isAdjacent);
    },
  }),
];

/** Keeps a label for each step of the history, which has none itself. */
export class HistoryLabels {
  #done: readonly string[] = [];
  #undone: readonly string[] = [];

  /** Label of the edit that undo would revert. */
  get undo(): string | undefined {
    return this.#done.at(-1);
  }

  /** Label of the edit that redo would apply. */
  get redo(): string | undefined {
    return this.#undone.at(-1);
  }

  /** Records a transaction. */
  follow(transaction: Transaction): void {
    if (transaction.isUserEvent('undo')) this.#move('undo');
    else if (transaction.isUserEvent('redo')) this.#move('redo');
    else if (transaction.docChanged) this.#add(transaction);
    const { state } = transaction;
    this.#done = newest(this.#done, undoDepth(state));
    this.#undone = newest(this.#undone, redoDepth(state));
  }

  #move(direction: 'undo' | 'redo'): void {
    const label = direction === 'undo' ? this.undo : this.redo;
    if (label === undefined) return;
    if (direction === 'undo') {
      this.#done = this.#done.slice(0, -1);
      this.#undone = [...this.#undone, label];
    } else {
      this.#undone = this.#undone.slice(0, -1);
      this.#done = [...this.#done, label];
    }
  }

  #add(transaction: Transaction): void {
    if (transaction.annotation(Transaction.addToHistory) === false) return;
    const depth = undoDepth(transaction.state);
    const joined = depth === undoDepth(transaction.startState) && depth === this.#done.length;
    const label = transaction.annotation(editLabel) ?? nameTyping(transaction);
    this.#done = joined ? this.#done : [...this.#done, label];
    this.#undone = [];
  }
}

const newest = (labels: readonly string[], count: number): readonly string[] =>
  labels.length > count ? labels.slice(labels.length - count) : labels;

function nameTyping(transaction: Transaction): string {
  if (transaction.isUserEvent('input.paste')) return 'paste';
  if (transaction.isUserEvent('input.complete')) return 'completion';
  if (transaction.isUserEvent('input.replace')) return 'replace';
  if (transaction.isUserEvent('delete.cut')) return 'cut';
  if (transaction.isUserEvent('delete')) return 'delete text';
  if (transaction.isUserEvent('move')) return 'move lines';
  return 'typing';
}
