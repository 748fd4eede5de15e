import { useEffect } from 'react';
import { useBridge } from '../../../api/bridge.ts';
import type { DraftKeeper } from '../../save/draft-keeper.ts';
import type { EditorSession } from '../../session/editor-session.ts';

/**
 * Saves the changes of the last second when the window closes. A browser is asked to wait for that; the desktop
 * window is not, because it would not close at all.
 */
export function useUnloadGuard(session: EditorSession, drafts: DraftKeeper): void {
  const { transport } = useBridge();
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!session.view.isDirty || drafts.revision !== undefined) return;
      void drafts.flush();
      if (transport === 'http') event.preventDefault();
    };
    // A hidden page may be terminated without further events, as on a phone.
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
