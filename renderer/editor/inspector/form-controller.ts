import { startTransition, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EditResult, NodeRef } from '../../../core/edit/text-change.ts';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import { RpcWorker, RestartingRpcWorker } from '../../base/rpc-worker.ts';
import { systemClock } from '../../base/clock.ts';
import type { EditOutcome, EditorSession, EditLabels } from '../session/editor-session.ts';
import { useEditorSession } from '../session/panel-state.ts';
import type { Inspection, InspectedTarget, Target } from './inspect.ts';
import { type FormWorker, type FormWorkerTask, createDirectFormWorker } from './form-worker.ts';
import type { EditRequest } from './edit-request.ts';

const startWorker = (): Worker =>
  new Worker(new URL('./form-worker-thread.ts', import.meta.url), { type: 'module' });

/** Starts the worker that reads texts and computes edits. */
function startFormWorkerThread(): FormWorker {
  const worker = new RpcWorker<FormWorkerTask, Inspection | EditResult>(new RestartingRpcWorker(startWorker));
  return {
    inspect: (text, target) => worker.ask({ text, ...target }) as Promise<Inspection>,
    edit: (text, request) => worker.ask({ text, request }) as Promise<EditResult>,
    dispose: () => worker.dispose(),
  };
}

/** State of the forms: the latest reading of the selection. */
export interface FormState {
  readonly target: Target;
  /** Document index of a further workflow in the file. */
  readonly document: number | undefined;
  /** One entry per target, or one for the workflow; undefined before the first reading. */
  readonly inspected: readonly InspectedTarget[] | undefined;
  /** Counts the readings. */
  readonly reading: number;
}

/** The last reading. */
interface ReadText {
  readonly text: string;
  readonly target: Target;
  readonly document: number | undefined;
}

/** Minimum time between two readings of changes made in other views, because each redraws the whole form. */
const pauseMs = 300;

interface FormControllerPorts {
  readonly startFormWorker: () => FormWorker;
  readonly clock: Clock;
}

/** Connects the forms to the session: reads the selection from the latest text and applies edits in order. */
export class FormController {
  readonly #session: EditorSession;
  readonly #ports: FormControllerPorts;
  #formWorker: FormWorker | undefined;
  readonly #listeners = new Listeners<boolean>();
  #view: FormState = { target: [], document: undefined, inspected: undefined, reading: 0 };
  #isBusy = false;
  #isClosed = false;
  #shown: ReadText | undefined;
  #edits: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];
  #stop: Dispose | undefined;
  /** Ends the pause after a reading. */
  #cancel: Dispose | undefined;

  constructor(session: EditorSession, ports: FormControllerPorts) {
    this.#session = session;
    this.#ports = ports;
  }

  get view(): FormState {
    return this.#view;
  }

  /** Notifies of every reading, and whether a user of the form is waiting for it. */
  readonly subscribe = this.#listeners.add;

  /** Follows the session from now on. */
  open(): Dispose {
    this.#isClosed = false;
    this.#isBusy = false;
    this.#formWorker = this.#ports.startFormWorker();
    this.#stop = this.#session.subscribe(() => this.#requestInspection());
    this.#requestInspection();
    return () => {
      this.#isClosed = true;
      this.#stop?.();
      this.#cancel?.();
      this.#cancel = undefined;
      this.#formWorker?.dispose();
    };
  }

  /** Applies an edit after the pending ones. Resolves when the forms show the result. */
  apply(request: EditRequest, words: EditLabels): Promise<EditOutcome> {
    const made = this.#edits.then(() => this.#make(request, words));
    this.#edits = made.catch(() => undefined);
    return made;
  }

  async #make(request: EditRequest, words: EditLabels): Promise<EditOutcome> {
    for (;;) {
      const { text } = this.#session;
      const result = await this.#formWorker!.edit(text, request);
      // The text has been edited elsewhere in the meantime, so the edit is out of date.
      if (this.#session.text !== text) continue;
      if (result.ok && result.changes.length === 0) return { ok: true };
      const applied = this.#session.apply(result, words);
      if (applied.ok) await this.#read();
      return applied;
    }
  }

  /** Reads until the latest text has been read. */
  #read(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#requestInspection();
    });
  }

  #requestInspection(): void {
    if (this.#isBusy || this.#isClosed) return;
    const { text } = this.#session;
    const { selection: target, document } = this.#session.view;
    const { text: read, target: shownTarget, document: within } = this.#shown ?? {};
    const isSame = shownTarget === target && within === document;
    if (read === text && isSame) return this.#settle();
    // Edits in the form and changes of the selection show immediately.
    if (isSame && this.#cancel && this.#waiting.length === 0) return;
    this.#pause();
    this.#isBusy = true;
    const refs: readonly (NodeRef | undefined)[] = target.length === 0 ? [undefined] : target;
    const inspectedText = { text, target, document };
    this.#formWorker!.inspect(text, { refs, document }).then(
      (inspection) => this.#take(inspectedText, inspection),
      () => this.#take(inspectedText, []),
    );
  }

  #pause(): void {
    this.#cancel?.();
    this.#cancel = this.#ports.clock.after(pauseMs, () => {
      this.#cancel = undefined;
      this.#requestInspection();
    });
  }

  #take(inspectedText: ReadText, inspection: Inspection): void {
    this.#isBusy = false;
    if (this.#isClosed) return;
    this.#shown = inspectedText;
    const found = inspection.filter((one) => one !== undefined);
    // A step that was just renamed is found after the next analysis; until then its form stays.
    if (found.length === inspection.length && found.length > 0) {
      const { target, document } = inspectedText;
      this.#view = { target, document, inspected: found, reading: this.#view.reading + 1 };
      const isAwaited = this.#waiting.length > 0;
      this.#listeners.notify(isAwaited);
    }
    this.#requestInspection();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Returns the desk of the session's forms, and its content. */
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
