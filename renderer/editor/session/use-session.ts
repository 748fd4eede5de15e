import { createContext, useContext, useSyncExternalStore } from 'react';
import type { EditorSession, SessionView } from './editor-session.ts';

const SessionContext = createContext<EditorSession | undefined>(undefined);
export const EditorSessionProvider = SessionContext.Provider;

/** The session of the page, for views inside of it. */
export function useEditorSession(): EditorSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useEditorSession is used outside EditorSessionProvider');
  return session;
}

/** A piece of what the session shows; rendered again only when that piece is another. */
export function useSessionView<Piece>(select: (view: SessionView) => Piece): Piece {
  const session = useEditorSession();
  return useSyncExternalStore(session.subscribe, () => select(session.view));
}
