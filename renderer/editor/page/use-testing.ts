import { useCallback } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { TestLoop } from '../run/test-loop.ts';
import { useRunKeys } from '../run/use-run-keys.ts';
import { useTestLoop } from '../run/use-test-loop.ts';
import type { EditorSession } from '../session/editor-session.ts';
import type { EditorCommands } from './editor-commands.ts';
import { revealProblem } from './problems/go-to-problem.ts';

/** The test loop of the page with its shortcuts, and navigation to problems of the text. */
export function useTestLoopShortcuts(
  session: EditorSession,
  openProblems: (isOpen: true) => void,
): Pick<EditorCommands, 'showProblem'> & { readonly loop: TestLoop } {
  const showProblem = useCallback(
    (problem: Diagnostic) => {
      openProblems(true);
      revealProblem(session, problem);
    },
    [session, openProblems],
  );
  const loop = useTestLoop(session, showProblem);
  useRunKeys(loop, session);
  return { showProblem, loop };
}
