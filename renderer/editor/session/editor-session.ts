import { isolateHistory, redo, undo } from '@codemirror/commands';
import {
  ChangeSet as DocumentChanges,
  Compartment,
  EditorState,
  Transaction,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/listeners.ts';
import type { Analysis } from '../../../core/edit/analysis.ts';
import type { EditResult, NodeRef } from '../../../core/edit/edit-result.ts';
import type { TextRange } from '../../../core/edit/outline.ts';
import type { ChangeSet } from '../../../core/edit/text-change.ts';
import { readEditable, type EditableText } from '../../../core/edit/yaml/editable-text.ts';
import { AnalysisFeed, type Analyst } from './analysis-feed.ts';
import { editGroup, editLabel, HistoryLabels, sharedHistory } from './edit-history.ts';
import { ReadAhead } from './read-ahead.ts';
import { exactLineBreaks, findLineBreak } from './line-breaks.ts';
import {
  findNode,
  findWorkflow,
  nodeSelection,
  readSelectedNodes,
  refreshSelection,
  setSelectedNodes,
} from './node-selection.ts';

/** What an edit is called, and what it belongs to. */
export interface EditWords {
  /** What it does, in the infinitive and lower case: `rename step`. Undo shows it. */
  readonly label: string;
  /** Edits in a row with the same group are undone as one while they follow each other quickly: typing in one field. */
  readonly group?: string;
}

/** What became of an edit. */
export type Applied = { readonly ok: true } | Extract<EditResult, { ok: false }>;

/** Which view something came from, so that it is not told of its own doing. */
export type ViewName = 'code' | 'canvas' | 'outline' | 'inspector' | 'other';

/** What the views show of a session; a new object for every change. */
export interface SessionView {
  /** Counts the changes of the text. */
  readonly revision: number;
  /** Whether the text differs from the file's. */
  readonly isDirty: boolean;
  /** What undo and redo would do, when there is something to undo or redo. */
  readonly undo: string | undefined;
  readonly redo: string | undefined;
  readonly selection: readonly NodeRef[];
  /** The workflow of the file that the views are about: the index of its document, undefined for the main one. */
  readonly document: number | undefined;
  readonly selectedIn: ViewName;
  /** The newest there is. Its offsets are those of its own text: see {@link EditorSession.locate}. */
  readonly analysis: Analysis | undefined;
  /** The newest that had a workflow without errors, for views that draw one. */
  readonly validAnalysis: Analysis | undefined;
  /** The newest that could tell what stands where: that of a text that is YAML, or empty. */
  readonly outlined: Analysis | undefined;
  /** Whether the text has changed since {@link analysis}. */
  readonly isStale: boolean;
  /** Set when texts cannot be looked at, which is a defect of the program. */
  readonly failure: string | undefined;
}

export interface SessionParts {
  /** Without the ending. */
  readonly fileName: string;
  /** What the file holds. */
  readonly saved: { readonly text: string; readonly hash: string };
  /** What to begin with when it is not that: a draft. */
  readonly text?: string;
  /** Begins to look at texts; called by {@link EditorSession.start}. */
  readonly startAnalyst: () => Analyst;
  readonly clock: Clock;
}

/**
 * One workflow file being edited: its text, which is the document of all views, one history of edits, the
 * selection and the newest analysis. Views send edits with {@link apply} and draw what {@link view} holds.
 */
export class EditorSession {
  readonly fileName: string;
  readonly #clock: Clock;
  readonly #startAnalyst: () => Analyst;
  #feed: AnalysisFeed | undefined;
  readonly #ahead: ReadAhead;
  readonly #labels = new HistoryLabels();
  readonly #listeners = new Listeners();
  readonly #pane = new Compartment();
  #state: EditorState;
  #editor: EditorView | undefined;
  #saved: SessionParts['saved'];
  #savedDocument: EditorState['doc'];
  #editable: EditableText | undefined;
  #text: { readonly doc: EditorState['doc']; readonly text: string };
  /** From the text of the newest analysis to the present one. */
  #sinceAnalysis: DocumentChanges;
  #view: SessionView;

  constructor({ fileName, saved, text = saved.text, startAnalyst, clock }: SessionParts) {
    this.fileName = fileName;
    this.#clock = clock;
    this.#ahead = new ReadAhead(clock);
    this.#startAnalyst = startAnalyst;
    this.#saved = saved;
    this.#state = EditorState.create({
      doc: text,
      extensions: [
        exactLineBreaks(findLineBreak(saved.text || text)),
        sharedHistory,
        nodeSelection,
        EditorState.allowMultipleSelections.of(true),
        this.#pane.of([]),
      ],
    });
    this.#savedDocument = this.#state.toText(saved.text);
    this.#text = { doc: this.#state.doc, text };
    this.#sinceAnalysis = DocumentChanges.empty(this.#state.doc.length);
    this.#view = {
      ...{ revision: 0, isDirty: text !== saved.text, undo: undefined, redo: undefined },
      ...{
        selection: [],
        document: undefined,
        selectedIn: 'other',
        analysis: undefined,
        validAnalysis: undefined,
        outlined: undefined,
      },
      ...{ isStale: true, failure: undefined },
    };
  }

  /** The document, byte for byte as it would be saved. */
  get text(): string {
    const { doc } = this.#state;
    if (this.#text.doc !== doc) this.#text = { doc, text: doc.toString() };
    return this.#text.text;
  }

  /** The text as edits take it; of each state of the text only what is new is read. */
  get editable(): EditableText {
    const { text } = this;
    this.#editable = readEditable(text, this.#editable);
    return this.#editable;
  }

  get state(): EditorState {
    return this.#state;
  }

  get view(): SessionView {
    return this.#view;
  }

  /** The text and hash that the file had when it was last read or written. */
  get saved(): SessionParts['saved'] {
    return this.#saved;
  }

  /** Tells of every change of {@link view}. */
  readonly subscribe = this.#listeners.add;

  /**
   * Makes an edit, whose offsets are those of {@link text}.
   * @returns the refusal, when the edit is one
   */
  apply(edit: EditResult | ChangeSet, { label, group }: EditWords): Applied {
    const result: EditResult = 'ok' in edit ? edit : { ok: true, changes: edit };
    if (!result.ok) return result;
    const structural = group === undefined ? [isolateHistory.of('full')] : [editGroup.of(group)];
    this.dispatch({
      changes: result.changes.map(({ from, to, insert }) => ({ from, to, insert })),
      annotations: [editLabel.of(label), Transaction.time.of(this.#clock.now()), ...structural],
    });
    if (result.select) this.select(result.select, 'other');
    return { ok: true };
  }

  /** Makes the whole text another, as one edit that touches only what differs. */
  replaceText(text: string, label: string): void {
    const now = this.text;
    const shortest = Math.min(now.length, text.length);
    let from = 0;
    while (from < shortest && now[from] === text[from]) from += 1;
    let tail = 0;
    while (tail < shortest - from && now.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
    if (from === now.length && now.length === text.length) return;
    this.apply([{ from, to: now.length - tail, insert: text.slice(from, text.length - tail) }], { label });
  }

  /** Takes the last edit back, whichever view made it. @returns whether there was one */
  undo(): boolean {
    return undo({ state: this.#state, dispatch: this.#take });
  }

  /** Makes the edit again that was undone last. @returns whether there was one */
  redo(): boolean {
    return redo({ state: this.#state, dispatch: this.#take });
  }

  /** Selects nodes in all views, of one workflow: that of the last of them. The views turn to it. */
  select(nodes: readonly NodeRef[], from: ViewName): void {
    const last = nodes.at(-1);
    const document = last ? last.document : this.#view.document;
    this.#select(
      nodes.filter((ref) => ref.document === document),
      document,
      from,
    );
  }

  /** Turns all views to a workflow of the file, with none of its nodes selected. @param document undefined for the main one */
  selectWorkflow(document: number | undefined, from: ViewName): void {
    this.#select([], document, from);
  }

  #select(nodes: readonly NodeRef[], document: number | undefined, from: ViewName): void {
    const { analysis, selection, document: shown } = this.#view;
    if (nodes.length === 0 && selection.length === 0 && document === shown) return;
    const anchorOf = (range: TextRange | undefined): number => (range ? this.locate(range).from : -1);
    const outline = analysis?.outline;
    this.#view = { ...this.#view, selectedIn: from };
    this.dispatch({
      effects: setSelectedNodes.of({
        nodes,
        anchors: nodes.map((ref) => anchorOf(outline && findNode(outline, ref))),
        document,
        documentAnchor: anchorOf(outline && findWorkflow(outline, document)),
      }),
    });
  }

  /** Where a range of the newest analysis is in the text by now. */
  locate({ from, to }: TextRange): TextRange {
    const start = this.#sinceAnalysis.mapPos(Math.min(from, this.#sinceAnalysis.length), 1);
    return {
      from: start,
      to: Math.max(start, this.#sinceAnalysis.mapPos(Math.min(to, this.#sinceAnalysis.length), -1)),
    };
  }

  /** The place in the text of the newest analysis that a place in the text of now was. */
  locateInAnalysis(at: number): number {
    // The code pane asks while it takes in a change, which is not counted here yet.
    return this.#sinceAnalysis.invertedDesc.mapPos(Math.min(at, this.#sinceAnalysis.newLength), -1);
  }

  /** Takes note that the file holds this text now: it has been saved, or read again. */
  markSaved(saved: SessionParts['saved']): void {
    this.#saved = saved;
    this.#savedDocument = this.#state.toText(saved.text);
    // So that undo stops at what was saved.
    this.dispatch({ annotations: isolateHistory.of('full') });
    this.#show({ isDirty: !this.#state.doc.eq(this.#savedDocument) });
  }

  /** Hands transactions to the document: for the code pane; other views use {@link apply}. */
  dispatch(...specs: readonly TransactionSpec[]): void {
    this.#take(this.#state.update(...specs));
  }

  /** Shows the document in a code pane. There is one at a time; disposing of it leaves the document as it is. */
  openEditor(parent: HTMLElement, extensions: Extension): EditorView {
    this.dispatch({ effects: this.#pane.reconfigure(extensions) });
    const editor = new EditorView({
      parent,
      state: this.#state,
      dispatchTransactions: (transactions, target) => {
        target.update(transactions);
        this.#accept(transactions, target.state);
      },
    });
    this.#editor = editor;
    return editor;
  }

  closeEditor(editor: EditorView): void {
    if (this.#editor === editor) {
      this.#editor = undefined;
      this.dispatch({ effects: this.#pane.reconfigure([]) });
    }
    editor.destroy();
  }

  /** The code pane, while it is open. */
  get editor(): EditorView | undefined {
    return this.#editor;
  }

  /** Has the text looked at from now on. @returns what ends that; a session may be started again */
  start(): Dispose {
    const feed = new AnalysisFeed({
      clock: this.#clock,
      analyst: this.#startAnalyst(),
      file: `${this.fileName}.yaml`,
      onAnalysis: (analysis) => this.#takeAnalysis(analysis),
      onFailure: (failure) => this.#show({ failure: String(failure) }),
    });
    this.#feed = feed;
    feed.take(this.text, false);
    return () => {
      feed.close();
      this.#ahead.close();
      if (this.#feed === feed) this.#feed = undefined;
    };
  }

  /** A finished transaction is taken as it is: one of the history has been through no filter, on purpose. */
  #take = (transaction: Transaction): void => {
    if (this.#editor) this.#editor.dispatch(transaction);
    else this.#accept([transaction], transaction.state);
  };

  #accept(transactions: readonly Transaction[], state: EditorState): void {
    this.#state = state;
    let changed = false;
    for (const transaction of transactions) {
      this.#labels.follow(transaction);
      if (!transaction.docChanged) continue;
      changed = true;
      if (this.#text.doc === transaction.startState.doc)
        this.#text = { doc: transaction.newDoc, text: applyToText(this.#text.text, transaction.changes) };
      this.#sinceAnalysis = this.#sinceAnalysis.compose(transaction.changes);
    }
    const { nodes, document } = readSelectedNodes(state);
    if (!changed) {
      if (nodes !== this.#view.selection || document !== this.#view.document)
        this.#show({ selection: nodes, document });
      return;
    }
    const typed = transactions.some((one) => one.isUserEvent('input') || one.isUserEvent('delete'));
    this.#feed?.take(this.text, typed || transactions.some((one) => one.annotation(editGroup) !== undefined));
    this.#show({
      revision: this.#view.revision + 1,
      isDirty: !state.doc.eq(this.#savedDocument),
      undo: this.#labels.undo,
      redo: this.#labels.redo,
      ...{ selection: nodes, document },
      isStale: true,
    });
  }

  #takeAnalysis(analysis: Analysis): void {
    this.#sinceAnalysis = DocumentChanges.empty(this.#state.doc.length);
    this.#view = {
      ...this.#view,
      analysis,
      ...(analysis.workflows.length > 0 && { validAnalysis: analysis }),
      ...((analysis.outline.documents.length > 0 || analysis.text.trim() === '') && { outlined: analysis }),
      isStale: false,
      failure: undefined,
    };
    const selected = readSelectedNodes(this.#state);
    const refreshed = analysis.outline.documents.length > 0 ? refreshSelection(selected, analysis) : selected;
    if (refreshed !== selected)
      this.dispatch({
        effects: setSelectedNodes.of(refreshed),
        annotations: Transaction.addToHistory.of(false),
      });
    this.#show({});
    this.#ahead.take(this.editable);
  }

  #show(changes: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#listeners.tell();
  }
}

/** The text after changes, of which what is kept is not read from the document again. */
function applyToText(text: string, changes: DocumentChanges): string {
  const parts: string[] = [];
  let kept = 0;
  changes.iterChanges((from, to, _fromNow, _toNow, inserted) => {
    parts.push(text.slice(kept, from), inserted.toString());
    kept = to;
  });
  return parts.join('') + text.slice(kept);
}
