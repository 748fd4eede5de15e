import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { EditorSession } from '../session/editor-session.ts';

/** An unsaved text. */
export interface Draft {
  readonly text: string;
  readonly revision: number;
  /** Hash of the text that was edited. */
  readonly baseHash: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

/** Storage of unsaved texts; calls reject if it is unavailable. */
export interface DraftPort {
  load(): Promise<Draft | undefined>;
  /** @param revision revision of the previous draft @returns the new revision */
  save(text: string, baseHash: string, revision: number): Promise<number>;
  discard(): Promise<void>;
}

/** Pause after the last change before the draft is saved. */
const pauseMs = 1000;

/** Saves unsaved changes as a draft, so that a crash, a closed tab or navigation loses nothing. */
export class DraftAutosave {
  readonly #session: EditorSession;
  readonly #port: DraftPort;
  readonly #clock: Clock;
  #revision: number;
  /** The stored text; undefined if there is none. */
  #savedText: string | undefined;
  #cancel: Dispose | undefined;
  #work: Promise<void> = Promise.resolve();
  #isEnded = false;
  failure: unknown;

  /** @param started the draft that the session started from */
  constructor(session: EditorSession, port: DraftPort, clock: Clock, started?: Draft) {
    this.#session = session;
    this.#port = port;
    this.#clock = clock;
    this.#revision = started?.revision ?? 0;
    this.#savedText = started?.text;
  }

  /** Revision of the stored draft if it matches the current text; a save can then delete it. */
  get revision(): number | undefined {
    return this.#savedText === this.#session.text && this.#revision > 0 ? this.#revision : undefined;
  }

  /** Starts saving drafts. @returns a function that stops, after saving the last changes */
  start(): Dispose {
    let { revision, isDirty } = this.#session.view;
    this.#isEnded = false;
    const stop = this.#session.subscribe(() => {
      const { view } = this.#session;
      if (view.revision === revision && view.isDirty === isDirty) return;
      ({ revision, isDirty } = view);
      this.#cancel?.();
      this.#cancel = this.#clock.after(pauseMs, () => void this.flush());
    });
    return () => {
      stop();
      void this.flush();
    };
  }

  /** Saves the current text, or deletes the draft if the text equals the file. Resolves when done. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#work = this.#work.then(() => this.#settle());
    return this.#work;
  }

  /** Deletes the draft; the session is unchanged. */
  async discard(): Promise<void> {
    this.#isEnded = true;
    this.#cancel?.();
    await this.#work;
    await this.#port.discard();
    this.#savedText = undefined;
    this.#revision = 0;
  }

  /** Records that a save has deleted the draft. */
  recordSaved(): void {
    this.#savedText = undefined;
    this.#revision = 0;
  }

  async #settle(): Promise<void> {
    if (this.#isEnded) return;
    const { text, saved, view } = this.#session;
    try {
      if (view.isDirty && text !== this.#savedText) {
        this.#revision = await this.#port.save(text, saved.hash, this.#revision);
        this.#savedText = text;
      } else if (!view.isDirty && this.#savedText !== undefined) {
        await this.#port.discard();
        this.recordSaved();
      }
      this.failure = undefined;
    } catch (error) {
      // The next change retries.
      this.failure = error;
    }
  }
}
