import { vi } from 'vitest';
import type { Outline, TextRange } from '../../../core/edit/outline.ts';
import { EditorSession } from '../../../renderer/editor/session/editor-session.ts';
import {
  diffAnalysis,
  emptyAnalysis,
  mergeAnalysis,
  type AnalysisPatch,
} from '../../../renderer/editor/session/analysis-patch.ts';
import type { DocumentWorker } from '../../../renderer/editor/session/document-client.ts';
import {
  WorkflowDocument,
  type DocumentAnswer,
  type DocumentQuestion,
} from '../../../renderer/editor/session/workflow-document.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { InspectorPane } from '../../../renderer/editor/inspector/inspector-pane.tsx';
import { EditorCommandsProvider } from '../../../renderer/editor/run/editor-commands.ts';
import { usePanels, EditorSessionProvider } from '../../../renderer/editor/session/panel-state.ts';
import {
  buildCanvasGraph,
  type BuiltGraph,
  type CanvasGraph,
} from '../../../renderer/editor/canvas/canvas-graph.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { analyze } from '../../harness/workflow-texts.ts';
import { FakeBridge, renderWith } from '../renderer-harness.tsx';

/** A worker that answers in this thread; it copies what it sends and receives, as a worker does. */
export function startDirectWorker(): DocumentWorker {
  const document = new WorkflowDocument();
  return {
    ask: async (question) => structuredClone(document.answer(structuredClone(question))),
    dispose: () => undefined,
  };
}

/** A worker that sends an analysis when a test tells it to; it answers other questions immediately. */
export class HeldDocumentWorker implements DocumentWorker {
  /** The texts to be analyzed. */
  readonly asked: string[] = [];
  readonly #direct = startDirectWorker();
  #known = emptyAnalysis;
  #waiting: ((patch: AnalysisPatch) => void)[] = [];
  isDisposed = false;

  ask(question: DocumentQuestion): Promise<DocumentAnswer> {
    if (question.query.kind !== 'analysis') return this.#direct.ask(question);
    this.asked.push(question.text);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Responds to the oldest request. */
  async answer(outline: Outline = { documents: [] }): Promise<void> {
    const analysis = { workflows: [], diagnostics: [], outline };
    this.#waiting.shift()?.(diffAnalysis(this.#known, analysis));
    this.#known = mergeAnalysis(this.#known, analysis);
    await Promise.resolve();
    await Promise.resolve();
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** Provides the worker of pages, which start it themselves, in this thread. */
export function stubDocumentWorker(): void {
  class ThreadStub extends EventTarget {
    readonly #worker = startDirectWorker();

    postMessage({ id, ...question }: DocumentQuestion & { readonly id: number }): void {
      void this.#worker.ask(question).then((result) => {
        this.dispatchEvent(new MessageEvent('message', { data: { id, result } }));
      });
    }

    terminate(): void {
      this.#worker.dispose();
    }
  }
  vi.stubGlobal('Worker', ThreadStub);
}

export function openSession(text: string, draft?: string) {
  const clock = new FakeClock();
  const documentWorker = new HeldDocumentWorker();
  const session = new EditorSession({
    fileName: 'etl',
    saved: { text, hash: 'h1' },
    ...(draft !== undefined && { text: draft }),
    startDocumentWorker: () => documentWorker,
    clock,
  });
  return { session, clock, documentWorker, stop: session.start() };
}

/** An edit by keyboard or clipboard: with a user event. */
export function type(
  session: EditorSession,
  from: number,
  insert: string,
  to = from,
  event = 'input.type',
): void {
  session.dispatch({ changes: { from, to, insert }, userEvent: event });
}

/** A session for a text, analyzed in this thread. */
export function startSession(text: string) {
  const clock = new FakeClock();
  const session = new EditorSession({
    fileName: 'etl',
    saved: { text, hash: 'h1' },
    startDocumentWorker: startDirectWorker,
    clock,
  });
  return { session, clock, stop: session.start() };
}

/** Shows the form of the selection; by default of the workflow. */
export function openForm(text: string, ...selection: readonly NodeRef[]) {
  const { session, stop } = startSession(text);
  const shown: TextRange[] = [];
  session.select(selection, 'other');
  const ignore = (): void => undefined;
  const commands = {
    ...{ rename: ignore, listSteps: ignore, edit: ignore, editTriggers: ignore, showProblem: ignore },
    ...{ toggleWorkflow: ignore, saveAndRun: ignore },
    editWorkflow: (field: string) => {
      session.selectWorkflow(undefined, 'other');
      usePanels.setState({ wantsFocus: field });
    },
    run: { runAll: ignore, runStep: ignore, runUpTo: ignore, dryRun: ignore, showLog: ignore },
    showText: (range: TextRange) => void shown.push(range),
  };
  const bridge = new FakeBridge({
    'queues.list': () => Promise.reject(new Error('none')),
    'dags.list': () => ({ dags: [], total: 0 }),
  });
  renderWith(
    bridge,
    <EditorSessionProvider value={session}>
      <EditorCommandsProvider value={commands}>
        <InspectorPane onClose={ignore} />
      </EditorCommandsProvider>
    </EditorSessionProvider>,
  );
  return { session, shown, bridge, stop };
}

/** The rendered canvas of a text. */
export const drawText = (text: string): CanvasGraph => buildText(text).graph;

/** The same with its model. @param before an earlier state of the text */
export function buildText(text: string, before?: BuiltGraph): BuiltGraph {
  const analysis = analyze(text, 'etl.yaml');
  const sources = {
    analysis,
    document: analysis.outline.documents[0]!,
    workflow: analysis.workflows[0],
  };
  return { ...sources, graph: buildCanvasGraph(sources, before) };
}

/** A graph of steps, each with its dependencies. */
export const drawSteps = (steps: Readonly<Record<string, readonly string[]>>): CanvasGraph =>
  drawText(
    `type: graph\nsteps:\n${Object.entries(steps)
      .map(
        ([name, depends]) => `  - name: ${name}\n    command: echo\n    depends: [${depends.join(', ')}]\n`,
      )
      .join('')}`,
  );
