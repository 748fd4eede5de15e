import { useEffect } from 'react';
import { useBridge } from '../../../api/bridge.ts';
import type { DraftKeeper } from '../../save/draft-keeper.ts';
import type { EditorSession } from '../../session/editor-session.ts';

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
    // A page that is hidden may be ended without another word, as on a phone or by the system.
    const onHide = (): void => {
      if (document.visibilityState === 'hidden') void drafts.flush();
    };
    const onLeave = (): void => void drafts.flush();
    window.addEventListener('beforeunload', onUnload);
    window.addEventListener('pagehide', onLeave);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      window.removeEventListener('pagehide', onLeave);
      document.removeEventListener('visibilitychange', onHide);
    };
  }, [session, drafts, transport]);
}
