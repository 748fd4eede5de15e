import { createContext, useContext, useEffect, useState } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { useBridge } from '../../api/bridge.ts';
import { useRun } from '../../api/queries/runs/run-queries.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { EditorSession } from '../session/editor-session.ts';
import { TestLoop } from './test-loop.ts';
import { useTestState } from './test-store.ts';
import { useBaseConfigIssue } from '../../api/queries/workflows/base-config-issue-queries.ts';
import { usePreviousRunOutputs } from './use-earlier-run.ts';

/** Creates the test loop of a session, once per page. */
export function useTestLoop(session: EditorSession, showProblem: (problem: Diagnostic) => void): TestLoop {
  const bridge = useBridge();
  const [loop] = useState(
    () => new TestLoop({ session, bridge, showProblem, notify: (reason) => showToast('info', reason) }),
  );
  return loop;
}

const LoopContext = createContext<TestLoop | undefined>(undefined);
export const TestLoopProvider = LoopContext.Provider;

/** Returns the loop from context. */
export function useTestLoopContext(): TestLoop {
  const loop = useContext(LoopContext);
  if (!loop) throw new Error('useLoop is used outside TestLoopProvider');
  return loop;
}

/** Passes updates of the run and of the text to the loop; renders nothing. */
export function TestFollower({ session }: { readonly session: EditorSession }): null {
  const loop = useTestLoopContext();
  const test = useTestState((state) => state.test);
  const { data } = useRun(test?.ref.name ?? '', test?.ref.dagRunId ?? '', test !== undefined);
  useEffect(() => {
    if (data) loop.handleRun(data);
  }, [loop, data]);
  usePreviousRunOutputs(loop);
  const baseConfigIssue = useBaseConfigIssue();
  useEffect(() => loop.store.setState({ baseConfigIssue }), [loop, baseConfigIssue]);
  useEffect(() => {
    let revision = session.view.revision;
    return session.subscribe(() => {
      if (session.view.revision === revision) return;
      revision = session.view.revision;
      loop.compareText();
    });
  }, [loop, session]);
  return null;
}
