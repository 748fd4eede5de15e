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
import { Listeners } from '../../../core/base/emitter.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { EditResult, NodeRef, ChangeSet } from '../../../core/edit/text-change.ts';
import type { TextRange } from '../../../core/edit/outline.ts';
import { DocumentClient, type DocumentWorker } from './document-client.ts';
import { editGroup, editLabel, HistoryLabels, sharedHistory } from './edit-history.ts';
import { exactLineBreaks, findLineBreak } from './line-breaks.ts';
import {
  findNode,
  findWorkflow,
  nodeSelection,
  readSelectedNodes,
  refreshSelection,
  setSelectedNodes,
} from './node-selection.ts';

/** Label and group of an edit. */
export interface EditLabels {
  /** Label in the infinitive and lower case: `rename step`. Displayed by undo. */
  readonly label: string;
  /** Consecutive edits with the same group, such as typing in one field, are undone as one if close in time. */
  readonly group?: string;
}

/** The view that a change comes from, so that it ignores its own changes. */
export type ViewName = 'code' | 'canvas' | 'outline' | 'inspector' | 'other';

/** State of a session for the views; a new object for every change. */
export interface SessionView {
  /** Counts the changes of the text. */
  readonly revision: number;
  /** Whether the text differs from the file's. */
  readonly isDirty: boolean;
  /** Labels of undo and redo, if available. */
  readonly undo: string | undefined;
  readonly redo: string | undefined;
  readonly selection: readonly NodeRef[];
  /** Document index of the workflow that the views show; undefined for the main one. */
  readonly document: number | undefined;
  readonly selectedIn: ViewName;
  /** The latest analysis. Its offsets refer to its own text: see {@link EditorSession.locate}. */
  readonly analysis: Analysis | undefined;
  /** The latest analysis of a workflow without errors, for views that draw it. */
  readonly validAnalysis: Analysis | undefined;
  /** The latest analysis with an outline: of a text that is valid YAML, or empty. */
  readonly outlined: Analysis | undefined;
  /** Whether the text has changed since {@link analysis}, or an edit is being computed. */
  readonly isStale: boolean;
  /** Set if the analysis fails, which is a bug. */
  readonly failure: string | undefined;
}

export interface EditorSessionOptions {
  /** A base configuration has the fields of a workflow without name and steps. Default: a workflow. */
  readonly kind?: 'workflow' | 'base';
  /** Without the extension. */
  readonly fileName: string;
  /** Contents of the file. */
  readonly saved: { readonly text: string; readonly hash: string };
  /** The initial text if it differs: a draft. */
  readonly text?: string;
  /** Starts the owner of the parsed text; called by {@link EditorSession.start}. */
  readonly startDocumentWorker: () => DocumentWorker;
  readonly clock: Clock;
}

/**
 * One workflow file being edited: its text, which is the document of all views, one edit history, the selection
 * and the latest analysis. Views request edits with {@link edit} and render {@link view}.
 */
export class EditorSession {
  readonly kind: 'workflow' | 'base';
  readonly fileName: string;
  readonly #clock: Clock;
  readonly #startDocumentWorker: () => DocumentWorker;
  #client: DocumentClient | undefined;
  readonly #labels = new HistoryLabels();
  readonly #listeners = new Listeners();
  readonly #pane = new Compartment();
  #state: EditorState;
  #editor: EditorView | undefined;
  #saved: EditorSessionOptions['saved'];
  #savedDocument: EditorState['doc'];
  /** Resolves after the requested edits. */
  #edits: Promise<unknown> = Promise.resolve();
  #pendingCount = 0;
  #text: { readonly doc: EditorState['doc']; readonly text: string };
  /** Changes from the text of the latest analysis to the current one. */
  #sinceAnalysis: DocumentChanges;
  #view: SessionView;

  constructor({
    kind = 'workflow',
    fileName,
    saved,
    text = saved.text,
    startDocumentWorker,
    clock,
  }: EditorSessionOptions) {
    this.kind = kind;
    this.fileName = fileName;
    this.#clock = clock;
    this.#startDocumentWorker = startDocumentWorker;
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

  get state(): EditorState {
    return this.#state;
  }

  get view(): SessionView {
    return this.#view;
  }

  /** Text and hash of the file when it was last read or written. */
  get saved(): EditorSessionOptions['saved'] {
    return this.#saved;
  }

  /** Notifies of every change of {@link view}. */
  readonly subscribe = this.#listeners.add;

  /**
   * Has an edit computed and applies it, after the pending ones.
   * @returns the applied edit, or why it was not possible
   */
  edit(request: EditRequest, labels: EditLabels): Promise<EditResult> {
    this.#pendingCount += 1;
    this.#show({ isStale: true });
    const made = this.#edits.then(() => this.#make(request, labels));
    this.#edits = made;
    return made;
  }

  async #make(request: EditRequest, labels: EditLabels): Promise<EditResult> {
    let result: EditResult;
    try {
      result = (await this.#client?.computeEdit(request)) ?? closed;
    } catch (failure) {
      result = { ok: false, reason: failure instanceof Error ? failure.message : String(failure) };
    }
    this.#pendingCount -= 1;
    if (result.ok && result.changes.length > 0) this.apply(result.changes, labels);
    else this.#show({ isStale: this.#isStale() });
    if (result.ok && result.select) this.select(result.select, 'other');
    return result;
  }

  /** Resolves when the edits requested so far are applied; undefined if they are. */
  get pendingEdits(): Promise<unknown> | undefined {
    return this.#pendingCount > 0 ? this.#edits : undefined;
  }

  #afterEdits(act: () => unknown): void {
    if (this.pendingEdits) void this.pendingEdits.then(act);
    else act();
  }

  #isStale(): boolean {
    return this.#pendingCount > 0 || this.#view.analysis?.text !== this.text;
  }

  /** Asks about the latest text. Rejects if the session is not started. */
  readonly ask: DocumentClient['ask'] = async (query) => {
    if (!this.#client) throw new Error(closed.reason);
    return this.#client.ask(query);
  };

  /** Applies changes with offsets of {@link text}. */
  apply(changes: ChangeSet, { label, group }: EditLabels): void {
    const structural = group === undefined ? [isolateHistory.of('full')] : [editGroup.of(group)];
    this.dispatch({
      changes: changes.map(({ from, to, insert }) => ({ from, to, insert })),
      annotations: [editLabel.of(label), Transaction.time.of(this.#clock.now()), ...structural],
    });
  }

  /** Replaces the whole text, as one edit that touches only the difference. */
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

  /** Undoes the last edit of any view. */
  undo(): void {
    this.#afterEdits(() => undo({ state: this.#state, dispatch: this.#take }));
  }

  /** Redoes the last undone edit. */
  redo(): void {
    this.#afterEdits(() => redo({ state: this.#state, dispatch: this.#take }));
  }

  /** Selects nodes of one workflow, that of the last node, in all views. The views switch to it. */
  select(nodes: readonly NodeRef[], from: ViewName): void {
    const last = nodes.at(-1);
    const document = last ? last.document : this.#view.document;
    this.#select(
      nodes.filter((ref) => ref.document === document),
      document,
      from,
    );
  }

  /**
   * Switches all views to a workflow of the file and clears the selection.
   * @param document undefined for the main one
   */
  selectWorkflow(document: number | undefined, from: ViewName): void {
    this.#select([], document, from);
  }

  #select(nodes: readonly NodeRef[], document: number | undefined, from: ViewName): void {
    const { analysis, selection, document: shown } = this.#view;
    if (nodes.length === 0 && selection.length === 0 && document === shown) return;
    const getAnchor = (range: TextRange | undefined): number => (range ? this.locate(range).from : -1);
    const outline = analysis?.outline;
    this.#view = { ...this.#view, selectedIn: from };
    this.dispatch({
      effects: setSelectedNodes.of({
        nodes,
        anchors: nodes.map((ref) => getAnchor(outline && findNode(outline, ref))),
        document,
        documentAnchor: getAnchor(outline && findWorkflow(outline, document)),
      }),
    });
  }

  /** Maps a range of the latest analysis to the current text. */
  locate({ from, to }: TextRange): TextRange {
    const start = this.#sinceAnalysis.mapPos(Math.min(from, this.#sinceAnalysis.length), 1);
    return {
      from: start,
      to: Math.max(start, this.#sinceAnalysis.mapPos(Math.min(to, this.#sinceAnalysis.length), -1)),
    };
  }

  /** Maps a position in the current text to the text of the latest analysis. */
  locateInAnalysis(at: number): number {
    // The code pane calls this while a change is being applied, which is not included here yet.
    return this.#sinceAnalysis.invertedDesc.mapPos(Math.min(at, this.#sinceAnalysis.newLength), -1);
  }

  /** Records that the file contains this text, after a save or reload. */
  markSaved(saved: EditorSessionOptions['saved']): void {
    this.#saved = saved;
    this.#savedDocument = this.#state.toText(saved.text);
    // So that undo stops at the saved state.
    this.dispatch({ annotations: isolateHistory.of('full') });
    this.#show({ isDirty: !this.#state.doc.eq(this.#savedDocument) });
  }

  /** Dispatches transactions to the document, for the code pane; other views use {@link apply}. */
  dispatch(...specs: readonly TransactionSpec[]): void {
    this.#take(this.#state.update(...specs));
  }

  /** Opens the document in a code pane, one at a time; closing it leaves the document unchanged. */
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

  /** The open code pane. */
  get editor(): EditorView | undefined {
    return this.#editor;
  }

  /** Starts analyzing the text. @returns a function that stops; a session can be started again */
  start(): Dispose {
    const client = new DocumentClient(this.text, {
      clock: this.#clock,
      worker: this.#startDocumentWorker(),
      file: `${this.fileName}.yaml`,
      kind: this.kind,
      onAnalysis: (analysis) => this.#takeAnalysis(analysis),
      onFailure: (failure) => this.#show({ failure: String(failure) }),
    });
    this.#client = client;
    return () => {
      client.close();
      if (this.#client === client) this.#client = undefined;
    };
  }

  /** Applies a finished transaction as it is; those of the history bypass the filters on purpose. */
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
    this.#client?.setText(
      this.text,
      typed || transactions.some((one) => one.annotation(editGroup) !== undefined),
    );
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
      isStale: this.#pendingCount > 0,
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
  }

  #show(changes: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#listeners.notify();
  }
}

const closed = { ok: false, reason: 'The editor is closed.' } as const;

/** Applies changes to the text; unchanged parts are not read from the document again. */
function applyToText(text: string, changes: DocumentChanges): string {
  const chunks: string[] = [];
  let copiedTo = 0;
  changes.iterChanges((from, to, _fromNow, _toNow, inserted) => {
    chunks.push(text.slice(copiedTo, from), inserted.toString());
    copiedTo = to;
  });
  return chunks.join('') + text.slice(copiedTo);
}
