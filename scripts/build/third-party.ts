import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** Matches the directory of the innermost package that contains a file. */
const packageFolder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

const noticeFile = /^(?:licen[cs]e|notice|copying|copyright)/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** The deprecated form in package.json. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
  readonly repository?: string | { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Third-party packages in the app, in its bundles or next to them, with their license notices. */
export class ThirdParty {
  readonly #folders = new Set<string>();
  readonly #installed = new Set<string>();

  /** Records the contents of a bundle: code that was not removed by tree shaking, and assets such as fonts. */
  readonly collect = (): Plugin => ({
    name: 'stepwright:third-party',
    generateBundle: (_options, bundle) => {
      const files = Object.values(bundle).flatMap((piece) =>
        piece.type === 'chunk' ? piece.moduleIds : piece.originalFileNames,
      );
      // Paths of assets are relative to the window's directory; virtual modules, which begin with a null
      // character, are not files.
      for (const file of files)
        if (!file.startsWith('\0')) this.#add(packageFolder.exec(resolve(ROOT, 'renderer', file))?.[0]);
    },
  });

  /** Records a package that stays a separate directory, with its dependencies. */
  addInstalled(name: string): void {
    const folder = join(ROOT, 'node_modules', name);
    // Packages for other platforms are not installed.
    if (!existsSync(folder) || this.#installed.has(folder)) return;
    this.#installed.add(folder);
    this.#add(folder);
    const { dependencies, optionalDependencies } = readManifest(folder);
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) this.addInstalled(other);
  }

  /** Writes all recorded packages with their license texts. */
  write(file: string): void {
    const noticeTexts = [...this.#folders].map(formatNotice).toSorted((a, b) => (a < b ? -1 : 1));
    const head = `Stepwright carries these ${noticeTexts.length} packages of others along. Electron and Chromium have files of their own.\n`;
    writeFileSync(file, `${head}${noticeTexts.map((part) => `\n${'='.repeat(80)}\n${part}\n`).join('')}`);
  }

  #add(folder: string | undefined): void {
    if (folder !== undefined) this.#folders.add(folder);
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function formatNotice(folder: string): string {
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
