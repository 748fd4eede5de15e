import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { EditorSession } from '../session/editor-session.ts';

/** A text that was not saved. */
export interface Draft {
  readonly text: string;
  readonly revision: number;
  /** Of the text that was edited. */
  readonly baseHash: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

/** Where unsaved texts are kept; calls reject when they cannot be. */
export interface DraftPort {
  load(): Promise<Draft | undefined>;
  /** @param revision of the draft that this one follows @returns its own */
  keep(text: string, baseHash: string, revision: number): Promise<number>;
  discard(): Promise<void>;
}

/** Pause in the changes after which they are kept. */
const pauseMs = 1000;

/** Keeps what is not saved, so that a crash, a closed tab or another page loses nothing. */
export class DraftKeeper {
  readonly #session: EditorSession;
  readonly #port: DraftPort;
  readonly #clock: Clock;
  #revision: number;
  /** The text that is kept; undefined when there is none. */
  #kept: string | undefined;
  #cancel: Dispose | undefined;
  #work: Promise<void> = Promise.resolve();
  #isEnded = false;
  failure: unknown;

  /** @param begun the draft that the session began with */
  constructor(session: EditorSession, port: DraftPort, clock: Clock, begun?: Draft) {
    this.#session = session;
    this.#port = port;
    this.#clock = clock;
    this.#revision = begun?.revision ?? 0;
    this.#kept = begun?.text;
  }

  /** The draft that is kept of the text as it is; what is saved from it can go with the save. */
  get revision(): number | undefined {
    return this.#kept === this.#session.text && this.#revision > 0 ? this.#revision : undefined;
  }

  /** Keeps changes from now on. @returns what ends that, which keeps those of the last moment */
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

  /** Keeps the text as it is, or discards the draft when it is the file's. Resolves when that is done. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#work = this.#work.then(() => this.#settle());
    return this.#work;
  }

  /** Throws the unsaved changes away; the session is left as it is. */
  async discard(): Promise<void> {
    this.#isEnded = true;
    this.#cancel?.();
    await this.#work;
    await this.#port.discard();
    this.#kept = undefined;
    this.#revision = 0;
  }

  /** Takes note that a save has removed the draft. */
  noteSaved(): void {
    this.#kept = undefined;
    this.#revision = 0;
  }

  async #settle(): Promise<void> {
    if (this.#isEnded) return;
    const { text, saved, view } = this.#session;
    try {
      if (view.isDirty && text !== this.#kept) {
        this.#revision = await this.#port.keep(text, saved.hash, this.#revision);
        this.#kept = text;
      } else if (!view.isDirty && this.#kept !== undefined) {
        await this.#port.discard();
        this.noteSaved();
      }
      this.failure = undefined;
    } catch (thrown) {
      // The next change tries again.
      this.failure = thrown;
    }
  }
}
