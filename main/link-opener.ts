import path from 'node:path';
import { realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { App } from 'electron';
import type {
  DesktopSettings,
  DesktopSettingsChange,
  DesktopMessage,
} from '../core/contract/desktop-calls.ts';
import { AppError, toAppError } from '../core/base/errors.ts';
import { fileNamePattern } from '../core/base/ids.ts';
import { findInTree } from '../core/home/library/folder-listing.ts';
import { readDeepLink, isYamlFile, readLaunchArgs } from './launch-args.ts';

const maxCached = 10;

/** Recently opened files, newest first: in the menu, the palette and the system's list. */
export class RecentFiles {
  readonly #settings: {
    readonly current: DesktopSettings;
    change(change: DesktopSettingsChange): unknown;
  };
  /** The system's list of recent documents, which not every system has. */
  readonly #app: Pick<App, 'addRecentDocument' | 'clearRecentDocuments'>;
  readonly #onChange: () => void;

  constructor(
    settings: {
      readonly current: DesktopSettings;
      change(change: DesktopSettingsChange): unknown;
    },
    app: Pick<App, 'addRecentDocument' | 'clearRecentDocuments'>,
    onChange: () => void,
  ) {
    this.#settings = settings;
    this.#app = app;
    this.#onChange = onChange;
  }

  get paths(): readonly string[] {
    return this.#settings.current.files.recent;
  }

  /** Includes the directory for files with the same name. */
  list(): { path: string; name: string }[] {
    const names = this.paths.map((file) => path.basename(file));
    return this.paths.map((file, index) => ({
      path: file,
      name:
        names.filter((name) => name === names[index]).length > 1
          ? path.join(path.basename(path.dirname(file)), names[index]!)
          : names[index]!,
    }));
  }

  add(file: string): void {
    const recent = [file, ...this.paths.filter((other) => other !== file)].slice(0, maxCached);
    this.#keep(recent);
    this.#app.addRecentDocument(file);
  }

  clear(): void {
    this.#keep([]);
    this.#app.clearRecentDocuments();
  }

  #keep(recent: string[]): void {
    this.#settings.change({ files: { recent } });
    this.#onChange();
  }
}

/** The size limit of the page that creates workflows from files. */
const maxBytes = 2 * 1_048_576;

/**
 * Opens links and files from file managers, dialogs and second starts. Nothing here runs or changes anything.
 */
export class LinkOpener {
  /** Brings the window to the front, at a page if set. */
  readonly #show: (address?: string) => void;
  readonly #notify: (message: DesktopMessage) => void;
  readonly #recent: RecentFiles;
  /** Directory of the workflow files in the home directory. */
  readonly #dagsFolder: string;

  constructor(
    show: (address?: string) => void,
    notify: (message: DesktopMessage) => void,
    recent: RecentFiles,
    dagsFolder: string,
  ) {
    this.#show = show;
    this.#notify = notify;
    this.#recent = recent;
    this.#dagsFolder = dagsFolder;
  }

  /** Opens the link, or the app with a message about an invalid link. */
  openLink(link: string): void {
    const goal = readDeepLink(link);
    if (goal.kind === 'address') return this.#show(goal.address);
    this.#show();
    this.#reportProblem(`Could not open the link: ${goal.reason}. ${shorten(link)}`);
  }

  /**
   * Opens a workflow of the home directory in the editor, and other files on the page that creates workflows
   * from files.
   */
  async openFile(file: string): Promise<boolean> {
    try {
      const localFile = this.#findLocalWorkflow(file);
      if (localFile !== undefined) this.#show(`#/dags/${encodeURIComponent(localFile)}/edit`);
      else {
        const text = await readText(file);
        this.#show();
        this.#notify({ kind: 'file', fileName: path.basename(file), text });
      }
      this.#recent.add(file);
      return true;
    } catch (error) {
      this.#show();
      this.#reportProblem(toAppError(error).message);
      return false;
    }
  }

  /** Opens the targets of a command line. @returns false if there are none */
  openArgs(argv: readonly string[], folder: string): boolean {
    const { links, files } = readLaunchArgs(argv, folder);
    for (const link of links) this.openLink(link);
    for (const file of files) void this.openFile(file);
    return links.length + files.length > 0;
  }

  #reportProblem(text: string): void {
    this.#notify({ kind: 'notice', notice: { tone: 'error', text } });
  }

  /** Returns the name of a workflow file in the home directory, without extension. */
  #findLocalWorkflow(file: string): string | undefined {
    const name = path.basename(file).replace(/\.ya?ml$/i, '');
    if (!isYamlFile(file) || !new RegExp(fileNamePattern).test(name)) return undefined;
    const own = findInTree(this.#dagsFolder, name);
    return own !== undefined && realPath(own) === realPath(file) ? name : undefined;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

async function readText(file: string): Promise<string> {
  if (!isYamlFile(file)) throw new AppError('bad_request', `${file} is not a workflow file (.yaml or .yml)`);
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'file not found' : error.message;
    throw new AppError('not_found', `Could not open ${file}: ${reason}`);
  });
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new AppError('bad_request', `${file} is not a file`);
    if (about.size > maxBytes) throw new AppError('bad_request', `${file} is too large. Maximum: 2 MB`);
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await handle.readFile());
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (error instanceof AppError) throw error;
  } finally {
    await handle.close();
  }
  throw new AppError('bad_request', `${file} is not UTF-8 text. Save it as UTF-8.`);
}

/** Shortens an untrusted link for a message. */
const shorten = (link: string): string => {
  const plain = link.replaceAll(/\p{Cc}/gu, ' ');
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
};
