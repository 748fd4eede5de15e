import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { extract } from 'tar-stream';

/** Where PGlite looks for its files, in its own file system. */
const PREFIX = '/pglite';

const BUNDLE_SUFFIX = '.tar.gz';

/** A bundle of several extensions, none of its name. */
const SPI = 'spi';

/**
 * Extensions that PGlite ships as bundles of files. To have all of them from the start costs half a second and 50 MB, so
 * their files are given to PostgreSQL when a statement mentions extensions, or when the database has some already.
 */
export class Extensions {
  readonly #engine: PGlite;
  readonly #folder: string;
  #left: Set<string>;

  constructor(engine: PGlite) {
    this.#engine = engine;
    this.#folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
    this.#left = new Set(listBundles(this.#folder));
  }

  /** Loads those that the database was left with, by their names. */
  async loadInstalled(names: readonly string[]): Promise<void> {
    const bundles = names.map((name) => (this.#left.has(name) ? name : SPI));
    for (const bundle of new Set(bundles)) await this.#load(bundle);
  }

  /** Loads all of them before statements that may create one. */
  async loadFor(statements: readonly { readonly text: string }[]): Promise<void> {
    if (this.#left.size === 0 || !statements.some(({ text }) => /extension/i.test(text))) return;
    for (const bundle of this.#left) await this.#load(bundle);
  }

  async #load(bundle: string): Promise<void> {
    if (!this.#left.delete(bundle)) return;
    const entries = extract();
    entries.end(gunzipSync(readFileSync(join(this.#folder, `${bundle}${BUNDLE_SUFFIX}`))));
    for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Entry }>) {
      const content = await buffer(entry);
      if (entry.header.type === 'file') this.#engine.copyToFS(`${PREFIX}/${entry.header.name}`, content);
    }
  }
}

interface Entry {
  readonly name: string;
  readonly type?: string | null;
}

const listBundles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(BUNDLE_SUFFIX))
    .map((file) => file.slice(0, -BUNDLE_SUFFIX.length));
