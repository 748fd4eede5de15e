import { test as base } from './browser-test.ts';
import { EditorUi, salesText } from './editor-ui.ts';

/** A test of the editor with the workflow `sales` open. */
export const test = base.extend<{ readonly editor: EditorUi }>({
  editor: async ({ page, workplace, ui }, use) => {
    workplace.saveWorkflow('sales', salesText);
    await ui.waitUntilLoaded();
    const editor = new EditorUi(page);
    await editor.open('sales');
    await use(editor);
  },
});
