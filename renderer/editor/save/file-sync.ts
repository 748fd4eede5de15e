import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import { Listeners } from '../../../core/base/emitter.ts';
import type { EditorSession } from '../session/editor-session.ts';

/** Access to a workflow file of the engine. */
export function bridgeFile(bridge: Bridge, fileName: string): FilePort {
  return {
    async read() {
      const { spec, hash } = await bridge.call('dags.spec', { fileName });
      return { text: spec, hash };
    },
    async write(text, baseHash, restoredFrom) {
      try {
        const { hash, errors } = await bridge.call('dags.updateSpec', {
          ...{ fileName, spec: text, baseHash, allowInvalid: true },
          ...(restoredFrom !== undefined && { restoredFrom }),
        });
        return { kind: 'written', hash, errors: errors.length };
      } catch (error) {
        if (error instanceof AppError && error.code === 'conflict') return { kind: 'conflict' };
        throw error;
      }
    },
  };
}

/** Delay before a broken stream is reconnected. */
const againMs = 3000;

/** The file is also polled at this interval, because a change before the stream has started is not reported. */
const pollIntervalMs = 5000;

/** Checks the file when the engine reports a change, when the window gets the focus, and periodically. */
export function watchFile(bridge: Bridge, sync: FileSync, fileName: string, clock: Clock): Dispose {
  let stop: Dispose | undefined;
  let isOver = false;
  // A failed read is retried on the next occasion.
  const checkFile = (): void => void sync.checkFile().catch(() => undefined);
  const follow = (): void => {
    stop = bridge.follow(
      'dags.changes',
      { fileName },
      {
        item: ({ kind, hash }) => {
          if (kind === 'removed') sync.noticeDeleted();
          else if (hash !== sync.knownHash) checkFile();
        },
        end: () => {
          if (isOver) return;
          stop = clock.after(againMs, () => {
            checkFile();
            follow();
          });
        },
      },
    );
  };
  follow();
  const stopLooking = clock.every(pollIntervalMs, checkFile);
  window.addEventListener('focus', checkFile);
  return () => {
    isOver = true;
    stopLooking();
    stop?.();
    window.removeEventListener('focus', checkFile);
  };
}

/** A text and its hash in the engine. */
export interface FileText {
  readonly text: string;
  readonly hash: string;
}

/** The result of writing the file. */
export type WriteResult =
  | {
      readonly kind: 'written';
      readonly hash: string;
      /** Number of errors that prevent a run. */
      readonly errors: number;
    }
  /** The file was changed by others. */
  | { readonly kind: 'conflict' };

/** Access to a workflow file; calls reject if the engine is unreachable or returns an error. */
export interface FilePort {
  read(): Promise<FileText>;
  /**
   * Writes a text, even if it has errors.
   * @param baseHash hash of the text that was edited
   * @param restoredFrom id of the version that the text comes from
   */
  write(text: string, baseHash: string, restoredFrom?: number): Promise<WriteResult>;
}

/** State of the file. */
export interface FileView {
  readonly isSaving: boolean;
  /**
   * The current contents of the file, if they differ from the base of the edits and the user has not decided
   * yet.
   */
  readonly theirs: FileText | undefined;
  /** Why the last save failed. */
  readonly problem: string | undefined;
  /** Number of errors in the last saved text, until dismissed. */
  readonly errors: number;
  /** Counts reloads of the file while there were no unsaved changes. */
  readonly reloads: number;
}

/** Synchronizes a session with its file: saves, and detects changes by others. */
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

  /** Writes the current text. @returns whether the file contains it now */
  async save(): Promise<boolean> {
    if (this.#view.isSaving || this.#view.theirs) return false;
    this.#show({ isSaving: true, problem: undefined, errors: 0 });
    try {
      if (this.#session.pendingEdits) await this.#session.pendingEdits;
      const { text, saved } = this.#session;
      const restoredFrom = this.#restored?.text === text ? this.#restored.id : undefined;
      const written = await this.#file.write(text, saved.hash, restoredFrom);
      if (written.kind === 'written') {
        this.#session.markSaved({ text, hash: written.hash });
        this.#restored = undefined;
        this.#show({ errors: written.errors });
      } else this.notice(await this.#file.read());
      return written.kind === 'written';
    } catch (error) {
      this.#show({ problem: error instanceof Error ? error.message : String(error) });
      return false;
    } finally {
      this.#show({ isSaving: false });
    }
  }

  /** Reads the current contents of the file. */
  async checkFile(): Promise<void> {
    this.notice(await this.#file.read());
  }

  /** Handles the contents of the file. Without unsaved changes they are loaded immediately. */
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

  /** Records that the file no longer exists. */
  noticeDeleted(): void {
    this.#show({
      problem: 'This file was deleted or renamed on disk. Your edits are kept.',
    });
  }

  /** Restores the text of a version, without saving it. */
  restore(id: number, text: string): void {
    this.#session.replaceText(text, 'restore version');
    this.#restored = { id, text };
  }

  /** Hash of the last known contents of the file. */
  get knownHash(): string {
    return this.#view.theirs?.hash ?? this.#session.saved.hash;
  }

  /** Replaces the changes of this session by the file's contents; can be undone. */
  acceptTheirs(): void {
    this.#settle((theirs) => theirs.text, 'take the version on disk');
  }

  /** Keeps the text of this session; saving it overwrites the file. */
  acceptMine(): void {
    this.#settle(() => this.#session.text, 'keep this version');
  }

  /** Continues with a merged text. */
  acceptMerged(text: string): void {
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
    this.#listeners.notify();
  }
}
