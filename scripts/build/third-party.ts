import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** The folder of the innermost package that a file belongs to. */
const packageFolder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

const noticeFile = /^(?:licen[cs]e|notice|copying|copyright)/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** As packages said it long ago. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
  readonly repository?: string | { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Packages of others that the app carries along, in its bundles or beside them, and what their licences ask to be said. */
export class ThirdParty {
  readonly #folders = new Set<string>();

  /** Notes what is in a bundle: code that was not shaken off, and files such as fonts. */
  readonly collect = (): Plugin => ({
    name: 'stepwright:third-party',
    generateBundle: (_options, bundle) => {
      const files = Object.values(bundle).flatMap((piece) =>
        piece.type === 'chunk' ? piece.moduleIds : piece.originalFileNames,
      );
      // Those of assets begin at the window's folder; a module of the bundler itself, with a zero, is nobody's file.
      for (const file of files)
        if (!file.startsWith('\0')) this.#add(packageFolder.exec(resolve(ROOT, 'renderer', file))?.[0]);
    },
  });

  /** Notes a package that stays a folder of its own, and what that depends on. */
  addInstalled(name: string): void {
    const folder = join(ROOT, 'node_modules', name);
    // Parts for other platforms are not here.
    if (!existsSync(folder) || this.#folders.has(folder)) return;
    this.#add(folder);
    const { dependencies, optionalDependencies } = readManifest(folder);
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) this.addInstalled(other);
  }

  /** Writes all that was noted, with the texts of the licences. */
  write(file: string): void {
    const parts = [...this.#folders].map(describe).toSorted((left, right) => (left < right ? -1 : 1));
    const head = `Stepwright carries these ${parts.length} packages of others along. Electron and Chromium have files of their own.\n`;
    writeFileSync(file, `${head}${parts.map((part) => `\n${'='.repeat(80)}\n${part}\n`).join('')}`);
  }

  #add(folder: string | undefined): void {
    if (folder !== undefined) this.#folders.add(folder);
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function describe(folder: string): string {
  const { name, version, license, licenses = [], author, repository } = readManifest(folder);
  const terms = license ?? licenses.map(({ type }) => type).join(' OR ');
  const source = typeof repository === 'string' ? repository : repository?.url;
  const by = typeof author === 'string' ? author : author?.name;
  const notices = readdirSync(folder)
    .filter((file) => noticeFile.test(file) && !/\.[cm]?[jt]s$/.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [
    `${name} ${version}: ${terms}`,
    ...(by === undefined ? [] : [`By ${by}`]),
    ...(source === undefined ? [] : [`Source: ${source}`]),
    ...(notices.length === 0 ? ['Its package has no text of the licence.'] : []),
    ...notices.map((text) => `\n${text}`),
  ].join('\n');
}
