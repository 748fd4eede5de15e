import type { NodeRef } from '../../../../core/edit/text-change.ts';
import type { TextRange } from '../../../../core/edit/outline.ts';
import { InspectorPane } from '../../../../renderer/editor/inspector/inspector-pane.tsx';
import { EditorCommandsProvider } from '../../../../renderer/editor/run/editor-commands.ts';
import { EditorSession } from '../../../../renderer/editor/session/editor-session.ts';
import { EditorSessionProvider } from '../../../../renderer/editor/session/session-hooks.ts';
import { FakeBridge } from '../../../rig/fake-bridge.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { renderWith } from '../../../rig/render-with.tsx';
import { analyze } from '../../../rig/analyze.ts';

/** A session for a text, analyzed in this thread. */
export function startSession(text: string) {
  const session = new EditorSession({
    fileName: 'etl',
    saved: { text, hash: 'h1' },
    startDocumentWorker: () => ({
      analyze: (now, file) => Promise.resolve(analyze(now, file)),
      dispose: () => undefined,
    }),
    clock: new FakeClock(),
  });
  return { session, stop: session.start() };
}

/** Shows the form of the selection; by default of the workflow. */
export function openForm(text: string, ...selection: readonly NodeRef[]) {
  const { session, stop } = startSession(text);
  const shown: TextRange[] = [];
  session.select(selection, 'other');
  const ignore = (): void => undefined;
  const commands = {
    ...{ rename: ignore, listSteps: ignore, edit: ignore, showProblem: ignore },
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
