import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sharedTest } from './browser-test.ts';
import { EditorUi, salesWorkflow } from './editor-ui.ts';

/** The workflow of one test. */
interface EditedWorkflow {
  readonly name: string;
  readonly text: string;
  /** Reads the file. */
  read(): string;
}

interface EditorFixtures {
  /** Option: the text of the workflow, whose name is `sales`; each test gets another name. */
  readonly template: string;
  readonly workflow: EditedWorkflow;
  readonly editor: EditorUi;
}

/** How many workflows this worker has opened. */
let count = 0;

/** A test of the editor with a workflow open, whose name no other test of the worker uses. */
export const test = sharedTest.extend<EditorFixtures>({
  template: [salesWorkflow, { option: true }],
  workflow: async ({ template, testHome }, use) => {
    count += 1;
    const name = `sales-${count}`;
    const text = template.replace('name: sales', `name: ${name}`);
    testHome.saveWorkflow(name, text);
    const read = (): string => readFileSync(path.join(testHome.home, 'dags', `${name}.yaml`), 'utf8');
    await use({ name, text, read });
  },
  editor: async ({ page, workflow }, use) => {
    const editor = new EditorUi(page);
    await editor.open(workflow.name);
    await use(editor);
  },
});
