import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { KeptVersion, NewVersion, VersionStore } from './ports.ts';

/** SHA-256 of a text as UTF-8, in hexadecimal. */
export const hashText = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Something that happened to a workflow file, with the text that it has now, or had last. */
type VersionEvent = Omit<NewVersion, 'at' | 'hash'>;

/** The texts that the workflow files of a home have had, as far as this engine has seen them. */
export class SpecVersions {
  readonly #store: VersionStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: VersionStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Keeps the text of a file, when it is not the one that was kept last: something else has changed the file. */
  noteFound(dag: string, text: string): void {
    const newest = this.#store.newest(dag);
    if (newest?.hash === hashText(text) && newest.kind !== 'deleted') return;
    this.add({ dag, text, kind: 'found' });
  }

  /** Keeps a text, the newest one from now on. One that changes nothing makes no version. */
  add(event: VersionEvent): void {
    const hash = hashText(event.text);
    const newest = this.#store.newest(event.dag);
    const isNews = event.kind === 'renamed' || event.kind === 'deleted' || newest?.kind === 'deleted';
    if (newest?.hash === hash && !isNews) return;
    this.#store.add({ ...event, hash, at: this.#clock.now() });
  }

  /** Those of one workflow, newest first. */
  list(dag: string, before: number | undefined, limit: number): KeptVersion[] {
    return this.#store.list(dag, before, limit);
  }

  /** Throws `not_found`. */
  get(dag: string, id: number): KeptVersion & Pick<NewVersion, 'text'> {
    const version = this.#store.find(id);
    if (version?.dag === dag) return version;
    throw noVersion(id, `of ${dag}`);
  }

  /** Refuses a version that is kept for no workflow with `not_found`. */
  require(id: number): void {
    if (this.#store.find(id) === undefined) throw noVersion(id, 'of any workflow');
  }

  /** The newest one of every workflow that has had a file, newest first. */
  listNewest(): KeptVersion[] {
    return this.#store.listNewest();
  }
}

const noVersion = (id: number, whose: string): AppError =>
  new AppError('not_found', `Version ${id} ${whose} not found. Old versions are deleted automatically.`);
