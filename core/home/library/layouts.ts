import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import { JsonFolder } from './drafts.ts';

/** Positions of the steps of a workflow on the canvas. */
export interface Layout {
  /** Direction of the graph. */
  readonly direction?: 'right' | 'down';
  /** By step name. */
  readonly nodes: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  /** Names of collapsed steps or groups. */
  readonly collapsed?: readonly string[];
  /** Expanded sub-workflows by step name: their size, and how far other steps were moved. */
  readonly expanded?: Readonly<Record<string, LayoutRoom>>;
}

interface LayoutRoom {
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly down: number;
}

/** Layouts of one file by workflow name; the name of the first workflow is empty. */
interface LayoutFile {
  readonly documents: Readonly<Record<string, Layout>>;
}

/** Maximum size of a file in bytes; 10,000 steps with names of 60 characters need less. */
const maxBytes = 2 * 1024 * 1024;

/** Stores the positions of steps separately from the workflow files. */
export class Layouts {
  readonly #folder: JsonFolder<LayoutFile>;

  constructor(folder: string) {
    this.#folder = new JsonFolder(path.join(folder, 'layouts'), isLayoutFile);
  }

  /** @param document name of a further workflow of the file; empty for the first one */
  get(fileName: string, document: string): Layout | undefined {
    const { documents } = this.#folder.read(fileName) ?? nothing;
    return Object.hasOwn(documents, document) ? documents[document] : undefined;
  }

  /**
   * Stores a layout and replaces the previous one.
   * @throws `bad_request`, `home_unusable` or `storage_full`
   */
  put(fileName: string, document: string, layout: Layout): void {
    const { documents } = this.#folder.read(fileName) ?? nothing;
    const content = { documents: { ...documents, [document]: layout } };
    if (Buffer.byteLength(JSON.stringify(content)) > maxBytes)
      throw new AppError('bad_request', 'nodes: the step positions exceed 2 MiB');
    this.#folder.write(fileName, content);
  }

  /**
   * Deletes the positions of steps that no longer exist.
   * @param names names of the steps by workflow name; the name of the first workflow is empty
   */
  prune(fileName: string, names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const known = this.#folder.read(fileName);
    if (known === undefined) return;
    const documents = Object.fromEntries(
      Object.entries(known.documents).flatMap(([document, layout]) => {
        const present = names.get(document);
        return present === undefined ? [] : [[document, pickNodes(layout, present)]];
      }),
    );
    if (JSON.stringify(documents) !== JSON.stringify(known.documents))
      this.#folder.write(fileName, { documents });
  }

  /** Moves the layout of a renamed file. */
  rename(fileName: string, newFileName: string): void {
    this.#folder.rename(fileName, newFileName);
  }

  remove(fileName: string): void {
    this.#folder.remove(fileName);
  }
}

const nothing: LayoutFile = { documents: {} };

const pickNodes = ({ nodes, ...layout }: Layout, names: ReadonlySet<string>): Layout => ({
  ...layout,
  nodes: Object.fromEntries(Object.entries(nodes).filter(([name]) => names.has(name))),
});

/** The content was validated before it was written. */
function isLayoutFile(value: unknown): value is LayoutFile {
  if (typeof value !== 'object' || value === null) return false;
  const { documents } = value as Record<string, unknown>;
  if (typeof documents !== 'object' || documents === null) return false;
  return Object.values(documents).every(
    (layout: unknown) =>
      typeof layout === 'object' && layout !== null && typeof (layout as Layout).nodes === 'object',
  );
}
