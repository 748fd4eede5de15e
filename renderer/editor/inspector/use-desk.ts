import { startTransition, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { systemClock } from '../../app/clock.ts';
import { useEditorSession } from '../session/use-session.ts';
import { createDirectClerk } from './clerk/clerk.ts';
import { FormDesk, type DeskView } from './clerk/form-desk.ts';
import { startWorkerClerk } from './clerk/worker-clerk.ts';

/** Returns the desk of the session's forms, and what it shows. */
export function useDesk(): { readonly desk: FormDesk; readonly view: DeskView } {
  const session = useEditorSession();
  const desk = useMemo(
    () =>
      new FormDesk(session, {
        startClerk: 'Worker' in globalThis ? startWorkerClerk : createDirectClerk,
        clock: systemClock,
      }),
    [session],
  );
  const [shown, show] = useState({ desk, view: desk.view });
  useEffect(() => {
    const stop = desk.subscribe((isAwaited) => {
      const take = (): void => show({ desk, view: desk.view });
      // Typing in another view must not wait until a whole form is rendered.
      if (isAwaited) flushSync(take);
      else startTransition(take);
    });
    const close = desk.open();
    return () => {
      stop();
      close();
    };
  }, [desk]);
  return { desk, view: shown.desk === desk ? shown.view : desk.view };
}
