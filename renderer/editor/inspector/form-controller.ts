import { startTransition, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EditResult, NodeRef } from '../../../core/edit/text-change.ts';
import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { Inspection, InspectedTarget, Target } from '../../../core/edit/inspect.ts';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import { systemClock } from '../../base/clock.ts';
import type { EditorSession, EditLabels } from '../session/editor-session.ts';
import { useEditorSession } from '../session/panel-state.ts';

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

/** Connects the forms to the session: reads the selection from the latest text and applies edits in order. */
export class FormController {
  readonly #session: EditorSession;
  readonly #clock: Clock;
  readonly #listeners = new Listeners<boolean>();
  #view: FormState = { target: [], document: undefined, inspected: undefined, reading: 0 };
  #isBusy = false;
  #isClosed = false;
  #shown: ReadText | undefined;
  #waiting: (() => void)[] = [];
  #stop: Dispose | undefined;
  /** Ends the pause after a reading. */
  #cancel: Dispose | undefined;

  constructor(session: EditorSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
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
    this.#stop = this.#session.subscribe(() => this.#requestInspection());
    this.#requestInspection();
    return () => {
      this.#isClosed = true;
      this.#stop?.();
      this.#cancel?.();
      this.#cancel = undefined;
    };
  }

  /** Applies an edit. Resolves when the forms show the result. */
  async apply(request: EditRequest, labels: EditLabels): Promise<EditResult> {
    const done = await this.#session.edit(request, labels);
    if (done.ok && done.changes.length > 0) await this.#read();
    return done;
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
    this.#session.ask({ kind: 'inspection', refs, document }).then(
      (inspection) => this.#take(inspectedText, inspection),
      () => this.#take(inspectedText, []),
    );
  }

  #pause(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(pauseMs, () => {
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
  const controller = useMemo(() => new FormController(session, systemClock), [session]);
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
