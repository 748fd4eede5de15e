import { createContext, useContext, useSyncExternalStore } from 'react';
import type { EditorSession, SessionView } from './editor-session.ts';

const SessionContext = createContext<EditorSession | undefined>(undefined);
export const EditorSessionProvider = SessionContext.Provider;

/** Returns the session from context. */
export function useEditorSession(): EditorSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useEditorSession is used outside EditorSessionProvider');
  return session;
}

/** Selects a part of the session's state; rerenders only when that part changes. */
export function useSessionView<Piece>(select: (view: SessionView) => Piece): Piece {
  const session = useEditorSession();
  return useSyncExternalStore(session.subscribe, () => select(session.view));
}
