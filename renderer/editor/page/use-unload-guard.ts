import { useEffect } from 'react';
import { useBridge } from '../../api/bridge.ts';
import type { DraftKeeper } from '../save/draft-keeper.ts';
import type { EditorSession } from '../session/editor-session.ts';

/**
 * When the window goes, changes of the last second are kept. A browser is asked to wait for that; the desktop window, which
 * would not close at all then, is not.
 */
export function useUnloadGuard(session: EditorSession, drafts: DraftKeeper): void {
  const { transport } = useBridge();
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!session.view.isDirty || drafts.revision !== undefined) return;
      void drafts.flush();
      if (transport === 'http') event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [session, drafts, transport]);
}
