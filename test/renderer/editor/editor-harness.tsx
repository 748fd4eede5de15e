import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { Outline, TextRange } from '../../../core/edit/outline.ts';
import { EditorSession } from '../../../renderer/editor/session/editor-session.ts';
import type { DocumentWorker } from '../../../renderer/editor/session/analysis-feed.ts';
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

/** An analyst that responds when a test tells it to. */
export class HeldDocumentWorker implements DocumentWorker {
  readonly asked: string[] = [];
  #waiting: ((analysis: Analysis) => void)[] = [];
  isDisposed = false;

  analyze(text: string): Promise<Analysis> {
    this.asked.push(text);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Responds to the oldest request. */
  async answer(outline: Outline = { documents: [] }): Promise<void> {
    const text = this.asked[this.asked.length - this.#waiting.length] ?? '';
    this.#waiting.shift()?.({ text, workflows: [], diagnostics: [], outline });
    await Promise.resolve();
    await Promise.resolve();
  }

  dispose(): void {
    this.isDisposed = true;
  }
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
    startDocumentWorker: () => ({
      analyze: (now, file) => Promise.resolve(analyze(now, file)),
      dispose: () => undefined,
    }),
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
