import type {
  BrowserWindow,
  Dialog,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron';

export const workflowFiles = [{ name: 'Workflows', extensions: ['yaml', 'yml'] }];

/** The system's dialogs for files, attached to the window while there is one. */
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

  /** Absolute path; undefined when the person thought better of it. */
  async askOpen(options: OpenDialogOptions): Promise<string | undefined> {
    const { canceled, filePaths } = await this.#showOpen(options);
    return canceled ? undefined : filePaths[0];
  }

  /** Absolute path; the dialog asks before a file that is there is written over. */
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
