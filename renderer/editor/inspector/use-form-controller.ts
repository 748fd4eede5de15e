import { startTransition, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { systemClock } from '../../app/clock.ts';
import { useEditorSession } from '../session/use-session.ts';
import { createDirectFormWorker } from './form-worker/form-worker.ts';
import { FormController, type FormState } from './form-worker/form-controller.ts';
import { startFormWorkerThread } from './form-worker/start-form-worker.ts';

/** Returns the desk of the session's forms, and what it shows. */
export function useFormController(): { readonly controller: FormController; readonly view: FormState } {
  const session = useEditorSession();
  const controller = useMemo(
    () =>
      new FormController(session, {
        startFormWorker: 'Worker' in globalThis ? startFormWorkerThread : createDirectFormWorker,
        clock: systemClock,
      }),
    [session],
  );
  const [shown, show] = useState({ controller, view: controller.view });
  useEffect(() => {
    const stop = controller.subscribe((isAwaited) => {
      const take = (): void => show({ controller, view: controller.view });
      // Typing in another view must not wait until a whole form is rendered.
      if (isAwaited) flushSync(take);
      else startTransition(take);
    });
    const close = controller.open();
    return () => {
      stop();
      close();
    };
  }, [controller]);
  return { controller, view: shown.controller === controller ? shown.view : controller.view };
}
