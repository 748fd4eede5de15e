import type {
  MessageBoxOptions,
  MessageBoxReturnValue,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron';
import { createStrictModule } from '../app/strict-module.ts';
import type { BrowserWindow } from '../windows/browser-window.ts';

/** Electron's dialogs accept options alone or after their window. */
type Arguments<Options> = [options: Options] | [window: BrowserWindow, options: Options];

/**
 * Electron's `dialog`, with a user who cancels everything. A test that needs another response replaces the
 * method inside `app.evaluate`.
 */
export const dialog = createStrictModule('dialog', {
  showOpenDialog: async (..._args: Arguments<OpenDialogOptions>): Promise<OpenDialogReturnValue> => ({
    canceled: true,
    filePaths: [],
  }),
  showSaveDialog: async (..._args: Arguments<SaveDialogOptions>): Promise<SaveDialogReturnValue> => ({
    canceled: true,
    filePath: '',
  }),
  showMessageBox: async (...args: Arguments<MessageBoxOptions>): Promise<MessageBoxReturnValue> => ({
    response: readCancelId(args),
    checkboxChecked: false,
  }),
  showOpenDialogSync: (..._args: Arguments<OpenDialogOptions>): string[] | undefined => undefined,
  showSaveDialogSync: (..._args: Arguments<SaveDialogOptions>): string => '',
  showMessageBoxSync: (...args: Arguments<MessageBoxOptions>): number => readCancelId(args),
  showErrorBox: (title: string, content: string): void => {
    process.stderr.write(`${title}\n${content}\n`);
  },
});

/** The button for Escape: `cancelId`, else a button labelled as cancel, else the first. */
function readCancelId(args: Arguments<MessageBoxOptions>): number {
  const { cancelId, buttons = [] } = args.at(-1) as MessageBoxOptions;
  const labelled = buttons.findIndex((label) => /^(cancel|no)$/i.test(label));
  return cancelId ?? Math.max(0, labelled);
}
