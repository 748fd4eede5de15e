import { startTransition, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { systemClock } from '../../app/clock.ts';
import { useEditorSession } from '../session/use-session.ts';
import { createDirectFormWorker } from './form-worker/form-worker.ts';
import { FormController, type FormState } from './form-worker/form-controller.ts';
import { startFormWorkerThread } from './form-worker/start-form-worker.ts';

/** Returns the desk of the session's forms, and what it shows. */
export function useFormController(): { readonly desk: FormController; readonly view: FormState } {
  const session = useEditorSession();
  const desk = useMemo(
    () =>
      new FormController(session, {
        startFormWorker: 'Worker' in globalThis ? startFormWorkerThread : createDirectFormWorker,
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
