import type { EditorSession } from '../session/editor-session.ts';
import { Listeners } from '../../../core/base/listeners.ts';

/** A text and the hash by which the engine knows it. */
export interface FileText {
  readonly text: string;
  readonly hash: string;
}

/** What came of writing the file. */
export type Written =
  | {
      readonly kind: 'written';
      readonly hash: string;
      /** How many errors keep it from running. */
      readonly errors: number;
    }
  /** Somebody else has written it since. */
  | { readonly kind: 'conflict' };

/** The file of a workflow; calls reject when the engine cannot be reached or refuses. */
export interface FilePort {
  read(): Promise<FileText>;
  /**
   * Writes a text, with its errors if it has some.
   * @param baseHash of the text that was edited
   * @param restoredFrom id of the version whose text it is
   */
  write(text: string, baseHash: string, restoredFrom?: number): Promise<Written>;
}

/** What there is to say of the file. */
export interface FileView {
  readonly isSaving: boolean;
  /** What the file holds by now, while that is neither the base of the edits nor decided on. */
  readonly theirs: FileText | undefined;
  /** Why the last save has not written anything. */
  readonly problem: string | undefined;
  /** How many errors the text had that was saved last, until somebody has read of it. */
  readonly errors: number;
  /** Counts what was taken from the file while there was nothing to lose. */
  readonly reloads: number;
}

/** Keeps a session and its file together: saves, and notices when others have written. */
export class FileSync {
  readonly #session: EditorSession;
  readonly #file: FilePort;
  readonly #listeners = new Listeners();
  #restored: { readonly id: number; readonly text: string } | undefined;
  #view: FileView = { isSaving: false, theirs: undefined, problem: undefined, errors: 0, reloads: 0 };

  constructor(session: EditorSession, file: FilePort) {
    this.#session = session;
    this.#file = file;
  }

  get view(): FileView {
    return this.#view;
  }

  readonly subscribe = this.#listeners.add;

  /** Writes the text as it is now. @returns whether the file holds it */
  async save(): Promise<boolean> {
    if (this.#view.isSaving) return false;
    const { text, saved } = this.#session;
    if (this.#view.theirs) return false;
    this.#show({ isSaving: true, problem: undefined, errors: 0 });
    try {
      const restoredFrom = this.#restored?.text === text ? this.#restored.id : undefined;
      const written = await this.#file.write(text, saved.hash, restoredFrom);
      if (written.kind === 'written') {
        this.#session.markSaved({ text, hash: written.hash });
        this.#restored = undefined;
        this.#show({ errors: written.errors });
      } else this.notice(await this.#file.read());
      return written.kind === 'written';
    } catch (thrown) {
      this.#show({ problem: thrown instanceof Error ? thrown.message : String(thrown) });
      return false;
    } finally {
      this.#show({ isSaving: false });
    }
  }

  /** Looks at what the file holds now. */
  async look(): Promise<void> {
    this.notice(await this.#file.read());
  }

  /** Takes note of what the file holds. Without unsaved changes it is taken over at once. */
  notice(current: FileText): void {
    const { saved, view, text } = this.#session;
    if (this.#view.isSaving && current.text === text) return;
    if (current.hash === saved.hash) return this.#show({ theirs: undefined });
    if (current.text === text) {
      this.#session.markSaved(current);
      return this.#show({ theirs: undefined });
    }
    if (view.isDirty) return this.#show({ theirs: current });
    this.#session.replaceText(current.text, 'change on disk');
    this.#session.markSaved(current);
    this.#show({ reloads: this.#view.reloads + 1, theirs: undefined });
  }

  /** Takes note that there is no file any more. */
  noticeGone(): void {
    this.#show({
      problem: 'This file was deleted or renamed on disk. Your edits are kept.',
    });
  }

  /** Goes back to the text of a version; saving it is another matter. */
  restore(id: number, text: string): void {
    this.#session.replaceText(text, 'restore version');
    this.#restored = { id, text };
  }

  /** Of what the file was last seen to hold. */
  get knownHash(): string {
    return this.#view.theirs?.hash ?? this.#session.saved.hash;
  }

  /** Gives up the changes of this session for those on disk; can be undone. */
  takeTheirs(): void {
    this.#settle((theirs) => theirs.text, 'take the version on disk');
  }

  /** Stays with the text of this session; saving it replaces what is on disk. */
  keepMine(): void {
    this.#settle(() => this.#session.text, 'keep this version');
  }

  /** Goes on with a text that has been put together from both. */
  takeMerged(text: string): void {
    this.#settle(() => text, 'merge');
  }

  dismissProblem(): void {
    this.#show({ problem: undefined, errors: 0 });
  }

  #settle(choose: (theirs: FileText) => string, label: string): void {
    const { theirs } = this.#view;
    if (!theirs) return;
    this.#session.replaceText(choose(theirs), label);
    this.#session.markSaved(theirs);
    this.#show({ theirs: undefined, problem: undefined });
  }

  #show(changes: Partial<FileView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#listeners.tell();
  }
}
