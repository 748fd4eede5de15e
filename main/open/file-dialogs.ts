import type {
  BrowserWindow,
  Dialog,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron';

export const workflowFiles = [{ name: 'Workflows', extensions: ['yaml', 'yml'] }];

/** The system's file dialogs, attached to the window while it is open. */
export class FileDialogs {
  readonly #dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  readonly #window: () => BrowserWindow | undefined;

  constructor(
    dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>,
    window: () => BrowserWindow | undefined,
  ) {
    this.#dialog = dialog;
    this.#window = window;
  }

  /** Returns an absolute path; undefined if cancelled. */
  async askOpen(options: OpenDialogOptions): Promise<string | undefined> {
    const { canceled, filePaths } = await this.#showOpen(options);
    return canceled ? undefined : filePaths[0];
  }

  /** Returns an absolute path; undefined if cancelled. The dialog asks before overwriting a file. */
  async askSave(options: SaveDialogOptions): Promise<string | undefined> {
    const { canceled, filePath } = await this.#showSave(options);
    return canceled || filePath === '' ? undefined : filePath;
  }

  #showOpen(options: OpenDialogOptions): Promise<OpenDialogReturnValue> {
    const window = this.#window();
    return window === undefined
      ? this.#dialog.showOpenDialog(options)
      : this.#dialog.showOpenDialog(window, options);
  }

  #showSave(options: SaveDialogOptions): Promise<SaveDialogReturnValue> {
    const window = this.#window();
    return window === undefined
      ? this.#dialog.showSaveDialog(options)
      : this.#dialog.showSaveDialog(window, options);
  }
}
