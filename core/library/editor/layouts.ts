import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { SideFolder } from './side-folder.ts';

/** Where the steps of a workflow are on the canvas. */
export interface Layout {
  /** Which way the graph goes. */
  readonly direction?: 'right' | 'down';
  /** By the names of steps. */
  readonly nodes: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  /** Names of what is folded up: steps, or groups of them. */
  readonly collapsed?: readonly string[];
  /** What is drawn in place, by the names of the steps that run it: its size, and how far others were moved for it. */
  readonly expanded?: Readonly<Record<string, LayoutRoom>>;
}

interface LayoutRoom {
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly down: number;
}

/** Layouts of one file: of its first workflow under the empty name, of the others under theirs. */
interface LayoutFile {
  readonly documents: Readonly<Record<string, Layout>>;
}

/** Bytes of one file; 10,000 steps with names of 60 characters need less. */
const mostBytes = 2 * 1024 * 1024;

/** Places of steps, beside the workflow files and never in them. */
export class Layouts {
  readonly #folder: SideFolder<LayoutFile>;

  constructor(folder: string) {
    this.#folder = new SideFolder(path.join(folder, 'layouts'), isLayoutFile);
  }

  /** @param document name of a further workflow of the file; the first one when empty */
  get(fileName: string, document: string): Layout | undefined {
    const { documents } = this.#folder.read(fileName) ?? nothing;
    return Object.hasOwn(documents, document) ? documents[document] : undefined;
  }

  /** Keeps a layout in the place of the one before. Throws `bad_request`, `home_unusable` or `storage_full`. */
  put(fileName: string, document: string, layout: Layout): void {
    const { documents } = this.#folder.read(fileName) ?? nothing;
    const content = { documents: { ...documents, [document]: layout } };
    if (Buffer.byteLength(JSON.stringify(content)) > mostBytes)
      throw new AppError('bad_request', 'nodes: the step positions exceed 2 MiB');
    this.#folder.write(fileName, content);
  }

  /**
   * Forgets the places of steps that the file does not have any more.
   * @param names of the steps by those of the workflows, the first one's being empty
   */
  prune(fileName: string, names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const known = this.#folder.read(fileName);
    if (known === undefined) return;
    const documents = Object.fromEntries(
      Object.entries(known.documents).flatMap(([document, layout]) => {
        const present = names.get(document);
        return present === undefined ? [] : [[document, keepOnly(layout, present)]];
      }),
    );
    if (JSON.stringify(documents) !== JSON.stringify(known.documents))
      this.#folder.write(fileName, { documents });
  }

  /** The file has another name now. */
  rename(fileName: string, newFileName: string): void {
    this.#folder.rename(fileName, newFileName);
  }

  remove(fileName: string): void {
    this.#folder.remove(fileName);
  }
}

const nothing: LayoutFile = { documents: {} };

const keepOnly = ({ nodes, ...layout }: Layout, names: ReadonlySet<string>): Layout => ({
  ...layout,
  nodes: Object.fromEntries(Object.entries(nodes).filter(([name]) => names.has(name))),
});

/** What is inside was checked before it was written. */
function isLayoutFile(value: unknown): value is LayoutFile {
  if (typeof value !== 'object' || value === null) return false;
  const { documents } = value as Record<string, unknown>;
  if (typeof documents !== 'object' || documents === null) return false;
  return Object.values(documents).every(
    (layout: unknown) =>
      typeof layout === 'object' && layout !== null && typeof (layout as Layout).nodes === 'object',
  );
}
