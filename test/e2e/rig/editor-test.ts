import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test as base } from './browser-test.ts';
import { EditorUi, salesWorkflow } from './editor-ui.ts';
import { startServer, type EngineServer } from './start-server.ts';
import { TestHome } from './test-home.ts';

const inspectorKey = 'stepwright.editor.inspector';

/** The workflow of one test. */
interface EditedWorkflow {
  readonly name: string;
  readonly text: string;
  /** Reads the file. */
  read(): string;
}

/** A server and a page that shows it. */
interface SharedEditor {
  readonly testHome: TestHome;
  readonly server: EngineServer;
  readonly page: Page;
  /** Workflows so far. */
  count: number;
}

interface EditorFixtures {
  /** Option: the text of the workflow, whose name is `sales`; each test gets another name. */
  readonly template: string;
  readonly workflow: EditedWorkflow;
  readonly editor: EditorUi;
}

/**
 * A test of the editor with a workflow open. To start a server and load the editor takes more time than most
 * of these tests, so those of a worker share both; each has a new workflow.
 */
export const test = base.extend<EditorFixtures, { readonly shared: SharedEditor }>({
  template: [salesWorkflow, { option: true }],
  shared: [
    async ({ browser }, use) => {
      const testHome = new TestHome();
      const server = await startServer(testHome.home);
      const page = await browser.newPage({ reducedMotion: 'reduce' });
      // Tests of the form open it; in the others, canvas and code have its room.
      await page.addInitScript((key) => {
        if (localStorage.getItem(key) === null) localStorage.setItem(key, 'closed');
      }, inspectorKey);
      await page.goto(`${server.url}/#/dags`);
      await use({ testHome, server, page, count: 0 });
      await page.close();
      await server.stop();
      testHome.remove();
    },
    { scope: 'worker' },
  ],
  testHome: async ({ shared }, use) => use(shared.testHome),
  server: async ({ shared }, use) => use(shared.server),
  page: async ({ shared: { page }, viewport }, use) => {
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await leave(page);
  },
  workflow: async ({ shared, template, testHome }, use) => {
    shared.count += 1;
    const name = `sales-${shared.count}`;
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

/** Closes the editor without its unsaved changes, and resets what the page stores. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/settings';
  });
  const question = page.getByRole('dialog', { name: 'Save as a draft?' });
  const settings = page.getByRole('heading', { level: 1, name: 'Settings' });
  await base.expect(question.or(settings)).toBeVisible();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Discard changes' }).click();
  await base.expect(settings).toBeVisible();
  // The editor reads its view when it opens, and everything else when the page is loaded.
  const isChanged = await page.evaluate((key) => {
    localStorage.removeItem('stepwright.editor.view');
    const isSame = localStorage.length === 1 && localStorage.getItem(key) === 'closed';
    if (!isSame) localStorage.clear();
    return !isSame;
  }, inspectorKey);
  if (isChanged) await page.reload();
}
