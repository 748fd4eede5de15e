import { test as base } from './browser-test.ts';
import { EditorUi, salesWorkflow } from './editor-ui.ts';

/** A test of the editor with the workflow `sales` open. */
export const test = base.extend<{ readonly editor: EditorUi }>({
  editor: async ({ page, testHome, server }, use) => {
    testHome.saveWorkflow('sales', salesWorkflow);
    const editor = new EditorUi(page);
    await editor.load(server.url, 'sales');
    await use(editor);
  },
});
