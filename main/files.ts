import path from 'node:path';
import type { App, BrowserWindow, Dialog } from 'electron';
import type { ExportRequest, DesktopMessage } from '../core/contract/desktop-calls.ts';
import { getErrorMessage } from '../core/base/errors.ts';
import type { EngineApi } from '../core/index.ts';
import type { DesktopHandlers } from './desktop-ipc.ts';
import { exportByDialog, FileDialogs, workflowFiles } from './exports.ts';
import type { LinkOpener, RecentFiles } from './link-opener.ts';

/**
 * Returns the workflow or run on a page of the window, of which a copy can be saved.
 * @param url URL of the page, such as `app://stepwright/index.html#/runs/etl/1?step=load`
 */
export function parseExportTarget(url: string): ExportRequest | undefined {
  const [, hash = ''] = url.split('#', 2);
  const [kind, first, second, ...rest] = hash.replace(/\?.*$/, '').split('/').slice(1).map(decode);
  if (first === undefined || first === '' || rest.length > 0) return undefined;
  if (kind === 'dags' && (second === undefined || second === 'edit'))
    return { kind: 'workflow', fileName: first };
  if (kind === 'runs' && second !== undefined && second !== '')
    return { kind: 'run', name: first, dagRunId: second };
  return undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** Dependencies of opening and saving files. */
export interface FilesOptions {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  window(): BrowserWindow | undefined;
  readonly api: EngineApi;
  readonly app: Pick<App, 'getPath'>;
  readonly opener: Pick<LinkOpener, 'openFile'>;
  readonly recent: RecentFiles;
  /** Brings the window to the front. */
  show(): void;
  notify(message: DesktopMessage): void;
}

type FileCall = Extract<keyof DesktopHandlers, `files.${string}`>;

/** Opens and saves files through the system's dialogs, for the window and the application menu. */
export class Files {
  readonly #options: FilesOptions;
  readonly #dialogs: FileDialogs;

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#dialogs = new FileDialogs(options.dialog, options.window);
  }

  get handlers(): Pick<DesktopHandlers, FileCall> {
    const { recent } = this.#options;
    return {
      'files.open': async () => ({ opened: await this.#open() }),
      'files.choose': async ({ kind, title, current }) => {
        const chosen = await this.#dialogs.askOpen({
          title,
          properties: kind === 'file' ? ['openFile'] : ['openDirectory', 'createDirectory'],
          ...(current !== undefined && path.isAbsolute(current) && { defaultPath: current }),
        });
        return chosen === undefined ? {} : { path: chosen };
      },
      'files.recent': () => ({ files: recent.list() }),
      'files.openRecent': async ({ path: file }) => {
        await this.#openRecent(file);
        return {};
      },
      'files.clearRecent': () => {
        recent.clear();
        return {};
      },
      'files.export': async ({ what }) => {
        const saved = await this.#export(what);
        return saved === undefined ? {} : { saved };
      },
    };
  }

  /** From the menu; errors are shown in the window. */
  openByMenu(): void {
    this.#attempt(this.#open());
  }

  openRecentByMenu(file: string): void {
    this.#attempt(this.#openRecent(file));
  }

  /** Saves a copy of the shown workflow or run. */
  exportByMenu(): void {
    const { window, show, notify } = this.#options;
    const what = parseExportTarget(window()?.webContents.getURL() ?? '');
    if (what === undefined) {
      show();
      const text = 'Open a workflow or run to export it.';
      return notify({ kind: 'notice', notice: { tone: 'info', text } });
    }
    this.#attempt(
      this.#export(what).then((saved) => {
        if (saved !== undefined)
          notify({ kind: 'notice', notice: { tone: 'info', text: `Saved as ${saved}` } });
      }),
    );
  }

  #export(what: ExportRequest): Promise<string | undefined> {
    const { api, app } = this.#options;
    return exportByDialog(what, api, this.#dialogs, app.getPath('documents'));
  }

  /** Asks for a workflow file and opens it. */
  async #open(): Promise<boolean> {
    const file = await this.#dialogs.askOpen({
      title: 'Open workflow file',
      properties: ['openFile'],
      filters: workflowFiles,
    });
    return file === undefined ? false : this.#options.opener.openFile(file);
  }

  /** Only files in the list: the page has no access to other files. */
  async #openRecent(file: string): Promise<void> {
    if (this.#options.recent.paths.includes(file)) await this.#options.opener.openFile(file);
  }

  #attempt(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#options.show();
      this.#options.notify({ kind: 'notice', notice: { tone: 'error', text: getErrorMessage(error) } });
    });
  }
}
