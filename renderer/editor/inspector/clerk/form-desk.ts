import type { Clock, Dispose } from '../../../../core/base/clock.ts';
import { Listeners } from '../../../../core/base/listeners.ts';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { Applied, EditorSession, EditWords } from '../../session/editor-session.ts';
import type { EditRequest } from '../reading/edit-request.ts';
import type { Inspected, Inspection, Target } from '../reading/field-state.ts';
import type { Clerk } from './clerk.ts';

/** What forms show: the newest reading of what is selected. */
export interface DeskView {
  readonly target: Target;
  /** Of a further workflow of the file: the index of its document. */
  readonly document: number | undefined;
  /** One for each of the target, or one of the workflow; undefined before the first reading. */
  readonly inspected: readonly Inspected[] | undefined;
  /** Counts the readings. */
  readonly reading: number;
}

/** What was read last. */
interface Shown {
  readonly text: string;
  readonly target: Target;
  readonly document: number | undefined;
}

/** Least time between two readings of what somebody changes elsewhere: all of a form is drawn anew for each. */
const pauseMs = 300;

interface DeskPorts {
  readonly startClerk: () => Clerk;
  readonly clock: Clock;
}

/** Stands between the forms and the session: reads what is selected, newest text only, and makes edits in their turn. */
export class FormDesk {
  readonly #session: EditorSession;
  readonly #ports: DeskPorts;
  #clerk: Clerk | undefined;
  readonly #listeners = new Listeners<boolean>();
  #view: DeskView = { target: [], document: undefined, inspected: undefined, reading: 0 };
  #isBusy = false;
  #isClosed = false;
  #shown: Shown | undefined;
  #edits: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];
  #stop: Dispose | undefined;
  /** Ends the pause after a reading. */
  #cancel: Dispose | undefined;

  constructor(session: EditorSession, ports: DeskPorts) {
    this.#session = session;
    this.#ports = ports;
  }

  get view(): DeskView {
    return this.#view;
  }

  /** Tells of every reading, and whether somebody who works in the form waits for it. */
  readonly subscribe = this.#listeners.add;

  /** Follows the session from now on. */
  open(): Dispose {
    this.#isClosed = false;
    this.#isBusy = false;
    this.#clerk = this.#ports.startClerk();
    this.#stop = this.#session.subscribe(() => this.#look());
    this.#look();
    return () => {
      this.#isClosed = true;
      this.#stop?.();
      this.#cancel?.();
      this.#cancel = undefined;
      this.#clerk?.dispose();
    };
  }

  /** Makes an edit, after those before it. Settles when the forms show what became of it. */
  apply(request: EditRequest, words: EditWords): Promise<Applied> {
    const made = this.#edits.then(() => this.#make(request, words));
    this.#edits = made.catch(() => undefined);
    return made;
  }

  async #make(request: EditRequest, words: EditWords): Promise<Applied> {
    for (;;) {
      const { text } = this.#session;
      const result = await this.#clerk!.edit(text, request);
      // Somebody has typed elsewhere meanwhile: the edit is for another text.
      if (this.#session.text !== text) continue;
      if (result.ok && result.changes.length === 0) return { ok: true };
      const applied = this.#session.apply(result, words);
      if (applied.ok) await this.#read();
      return applied;
    }
  }

  /** Until the newest text has been read. */
  #read(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#look();
    });
  }

  #look(): void {
    if (this.#isBusy || this.#isClosed) return;
    const { text } = this.#session;
    const { selection: target, document } = this.#session.view;
    const { text: read, target: of, document: within } = this.#shown ?? {};
    const isSame = of === target && within === document;
    if (read === text && isSame) return this.#settle();
    // Whoever types into a form, or selects something, sees it at once.
    if (isSame && this.#cancel && this.#waiting.length === 0) return;
    this.#pause();
    this.#isBusy = true;
    const refs: readonly (NodeRef | undefined)[] = target.length === 0 ? [undefined] : target;
    const asked = { text, target, document };
    this.#clerk!.inspect(text, { refs, document }).then(
      (inspection) => this.#take(asked, inspection),
      () => this.#take(asked, []),
    );
  }

  #pause(): void {
    this.#cancel?.();
    this.#cancel = this.#ports.clock.after(pauseMs, () => {
      this.#cancel = undefined;
      this.#look();
    });
  }

  #take(asked: Shown, inspection: Inspection): void {
    this.#isBusy = false;
    if (this.#isClosed) return;
    this.#shown = asked;
    const found = inspection.filter((one) => one !== undefined);
    // A step that has just got another name is found again when the text has been looked at; until then its form stays.
    if (found.length === inspection.length && found.length > 0) {
      const { target, document } = asked;
      this.#view = { target, document, inspected: found, reading: this.#view.reading + 1 };
      const isAwaited = this.#waiting.length > 0;
      this.#listeners.tell(isAwaited);
    }
    this.#look();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
