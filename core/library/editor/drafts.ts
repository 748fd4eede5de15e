import path from 'node:path';
import { toIso, type Clock } from '../../base/clock.ts';
import { AppError, refuseField } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text/utf8.ts';
import { describeDoer } from '../../model/run/doer.ts';
import { describeTooLarge } from '../../spec/limits.ts';
import { SideFolder } from './side-folder.ts';

/** What a draft is of: a workflow file by its name, or a workflow that has no file yet. */
export type DraftPlace = { readonly fileName: string } | { readonly draftId: string };

/** A text that has not been saved. */
export interface Draft {
  readonly spec: string;
  /** Hash of the text of the file that was edited; absent for a workflow that has none yet. */
  readonly baseHash?: string;
  /** The name that a workflow without a file is to have, when one has been thought of. */
  readonly name?: string;
  /** Grows with each change of the draft, also after it was removed and made anew. */
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who wrote it. */
  readonly by: string;
}

/** A text to be kept. */
export interface NewDraft extends Pick<Draft, 'spec' | 'baseHash' | 'name' | 'by'> {
  /** Of the draft that this one follows; 0 when there was none. */
  readonly revision: number;
}

/** Drafts of workflows without a file that may be kept. */
const mostNewDrafts = 200;

/**
 * Unsaved texts, each in a file of its own, so that a crash loses nothing. Two windows that edit the same workflow have
 * one draft: who writes over a change that it has not seen is refused.
 */
export class Drafts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ofFiles: SideFolder<Draft>;
  readonly #ofNew: SideFolder<Draft>;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#ofFiles = new SideFolder(path.join(folder, 'drafts'), isDraft);
    this.#ofNew = new SideFolder(path.join(folder, 'new'), isDraft);
  }

  get(place: DraftPlace): Draft | undefined {
    const [folder, name] = this.#locate(place);
    return folder.read(name);
  }

  /**
   * Keeps a text. One that is kept already, by a request whose answer was lost, is no change. Throws `conflict`,
   * `bad_request` for a text that no file can hold, `home_unusable` or `storage_full`.
   */
  put(place: DraftPlace, { revision, ...draft }: NewDraft): Draft {
    refuseUnwritable(draft.spec);
    const [folder, name] = this.#locate(place);
    const known = folder.read(name);
    if (known?.spec === draft.spec && known.baseHash === draft.baseHash && known.name === draft.name)
      return known;
    refuseStale(known, revision);
    if (known === undefined && 'draftId' in place) this.#refuseMore();
    const at = this.#clock.now();
    const kept = { ...draft, revision: Math.max(at, revision + 1), at };
    folder.write(name, kept);
    return kept;
  }

  /**
   * Removes a draft, if there is one; whether there was.
   * @param revision only this one; another one is refused with `conflict`
   */
  remove(place: DraftPlace, revision?: number): boolean {
    const [folder, name] = this.#locate(place);
    const known = folder.read(name);
    if (known === undefined) return false;
    if (revision !== undefined) refuseStale(known, revision);
    folder.remove(name);
    return true;
  }

  /** The file has another name now. */
  rename(fileName: string, newFileName: string): void {
    this.#ofFiles.rename(fileName, newFileName);
  }

  /** All drafts: of files by their names, then those without a file, newest first. */
  list(): (DraftPlace & { readonly draft: Draft })[] {
    const ofFiles = this.#ofFiles.names().flatMap((fileName) => {
      const draft = this.#ofFiles.read(fileName);
      return draft === undefined ? [] : [{ fileName, draft }];
    });
    const ofNew = this.#ofNew.names().flatMap((draftId) => {
      const draft = this.#ofNew.read(draftId);
      return draft === undefined ? [] : [{ draftId, draft }];
    });
    return [...ofFiles, ...ofNew.toSorted((a, b) => b.draft.at - a.draft.at)];
  }

  #locate(place: DraftPlace): [SideFolder<Draft>, string] {
    return 'fileName' in place ? [this.#ofFiles, place.fileName] : [this.#ofNew, place.draftId];
  }

  #refuseMore(): void {
    if (this.#ofNew.names().length < mostNewDrafts) return;
    throw new AppError(
      'bad_request',
      `Limit of ${mostNewDrafts} drafts for new workflows reached. Save or discard some of them.`,
    );
  }
}

function refuseStale(known: Draft | undefined, revision: number): void {
  if ((known?.revision ?? 0) === revision) return;
  if (known === undefined) {
    throw new AppError(
      'conflict',
      'The draft was saved or discarded in the meantime, perhaps in another window. Reload the workflow.',
      { details: { revision: 0 } },
    );
  }
  throw new AppError(
    'conflict',
    `The draft was changed ${describeDoer(known.by)} at ${toIso(known.at)}, perhaps in another window. Reload the draft.`,
    { details: { revision: known.revision } },
  );
}

function refuseUnwritable(spec: string): void {
  const tooLarge = describeTooLarge(countUtf8Bytes(spec));
  const problem = tooLarge ?? (spec.isWellFormed() ? undefined : 'contains an unpaired surrogate');
  if (problem === undefined) return;
  throw refuseField('spec', problem);
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { spec, baseHash, name, revision, at, by } = value as Record<string, unknown>;
  const isTextOrNone = (text: unknown): boolean => text === undefined || typeof text === 'string';
  return (
    typeof spec === 'string' &&
    isTextOrNone(baseHash) &&
    isTextOrNone(name) &&
    Number.isSafeInteger(revision) &&
    Number.isSafeInteger(at) &&
    typeof by === 'string'
  );
}
