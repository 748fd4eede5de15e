import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useEditorSession } from '../session/use-session.ts';
import { createDirectClerk } from './clerk/clerk.ts';
import { FormDesk, type DeskView } from './clerk/form-desk.ts';
import { startWorkerClerk } from './clerk/worker-clerk.ts';

/** The desk of the session's forms, and what it shows. */
export function useDesk(): { readonly desk: FormDesk; readonly view: DeskView } {
  const session = useEditorSession();
  const desk = useMemo(
    () => new FormDesk(session, 'Worker' in globalThis ? startWorkerClerk : createDirectClerk),
    [session],
  );
  useEffect(() => desk.open(), [desk]);
  return { desk, view: useSyncExternalStore(desk.subscribe, () => desk.view) };
}
