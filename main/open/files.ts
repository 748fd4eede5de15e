import type { App, BrowserWindow, Dialog } from 'electron';
import { messageOf } from '../../core/base/errors.ts';
import type { DesktopMessage } from '../../core/contract/desktop/messages.ts';
import type { EngineApi } from '../../core/index.ts';
import type { DesktopHandlers } from '../ipc/register-desktop.ts';
import { exportByDialog, type ExportParts } from './exports.ts';
import { FileDialogs, workflowFiles } from './file-dialogs.ts';
import type { Opener } from './opener.ts';
import type { RecentFiles } from './recent-files.ts';
import { shownThing } from './shown-thing.ts';

/** Dependencies of opening and saving files. */
export interface FilesParts {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  window(): BrowserWindow | undefined;
  readonly api: EngineApi;
  readonly app: Pick<App, 'getPath'>;
  readonly opener: Pick<Opener, 'openFile'>;
  readonly recent: RecentFiles;
  /** Brings the window to the front. */
  show(): void;
  tell(message: DesktopMessage): void;
}

type FileCall = Extract<keyof DesktopHandlers, `files.${string}`>;

/** Opens and saves files through the system's dialogs, for the window and the application menu. */
export class Files {
  readonly #parts: FilesParts;
  readonly #dialogs: FileDialogs;
  readonly #exports: ExportParts;

  constructor(parts: FilesParts) {
    this.#parts = parts;
    this.#dialogs = new FileDialogs(parts.dialog, parts.window);
    this.#exports = {
      dialogs: this.#dialogs,
      api: parts.api,
      documents: () => parts.app.getPath('documents'),
    };
  }

  get handlers(): Pick<DesktopHandlers, FileCall> {
    const { recent } = this.#parts;
    return {
      'files.open': async () => ({ opened: await this.#open() }),
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
        const saved = await exportByDialog(this.#exports, what);
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
    const { window, show, tell } = this.#parts;
    const what = shownThing(window()?.webContents.getURL() ?? '');
    if (what === undefined) {
      show();
      const text = 'Open a workflow or a run to export it.';
      return tell({ kind: 'notice', notice: { tone: 'info', text } });
    }
    this.#attempt(
      exportByDialog(this.#exports, what).then((saved) => {
        if (saved !== undefined)
          tell({ kind: 'notice', notice: { tone: 'info', text: `Saved as ${saved}` } });
      }),
    );
  }

  /** Asks for a workflow file and opens it. */
  async #open(): Promise<boolean> {
    const file = await this.#dialogs.askOpen({
      title: 'Open workflow file',
      properties: ['openFile'],
      filters: workflowFiles,
    });
    return file === undefined ? false : this.#parts.opener.openFile(file);
  }

  /** Only files in the list: the page has no access to other files. */
  async #openRecent(file: string): Promise<void> {
    if (this.#parts.recent.paths.includes(file)) await this.#parts.opener.openFile(file);
  }

  #attempt(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => {
      this.#parts.show();
      this.#parts.tell({ kind: 'notice', notice: { tone: 'error', text: messageOf(thrown) } });
    });
  }
}
