import { useEffect, createContext, useContext, useState } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { useBridge } from '../../api/bridge.ts';
import { isActive } from '../../format/labels.ts';
import { useRun } from '../../api/run-queries.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useBaseConfigIssue } from '../../api/version-queries.ts';
import { useSessionView } from '../session/panel-state.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { TestLoop } from './test-loop.ts';
import { useTestState } from './test-store.ts';

/** Number of runs searched for the latest complete one. */
const lastViewed = 20;

/** Loads the latest run from before the visit into the loop, for the outputs of its steps. */
function usePreviousRunOutputs(loop: TestLoop): void {
  const bridge = useBridge();
  const name = useSessionView((view) => view.validAnalysis?.workflows[0]?.name);
  useEffect(() => {
    if (name === undefined) return undefined;
    let isCurrent = true;
    const find = async (): Promise<void> => {
      const { dagRuns } = await bridge.call('runs.listOf', { name, limit: lastViewed });
      const newest = dagRuns.find((run) => run.onlySteps === undefined && !isActive(run));
      if (!newest || !isCurrent) return;
      const run = await bridge.call('runs.get', { name, dagRunId: newest.dagRunId });
      if (isCurrent) loop.loadEarlierRun(run);
    };
    // Without it, completion offers no values; that needs no error message.
    find().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [bridge, loop, name]);
}

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
