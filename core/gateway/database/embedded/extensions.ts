import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { extract } from 'tar-stream';

/** Path of PGlite's files in its virtual file system. */
const PREFIX = '/pglite';

const BUNDLE_SUFFIX = '.tar.gz';

/** A bundle of several extensions, none of which has its name. */
const SPI = 'spi';

/**
 * Extensions that PGlite ships as file bundles. Loading all at startup takes half a second and 50 MB, so they are
 * loaded when a statement mentions extensions, or if the database already uses some.
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

  /** Loads the extensions that are installed in the database, by name. */
  async loadInstalled(names: readonly string[]): Promise<void> {
    const bundles = names.map((name) => (this.#left.has(name) ? name : SPI));
    for (const bundle of new Set(bundles)) await this.#load(bundle);
  }

  /** Loads all extensions before statements that may create one. */
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
