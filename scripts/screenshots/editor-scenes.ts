import type { Page } from 'playwright';
import { mockResponse, clickButton, waitForDialog, type Scene, waitForGraph } from './scenes.ts';

const hash = '/dags/warm-cache/edit';

/** Drafts must not persist between screenshots. */
const keepsNoDrafts = mockResponse(/\/draft$/, (route) =>
  route.request().method() === 'GET' ? route.continue() : route.fulfill({ json: { revision: 1 } }),
);

/** Changes the first line of the file without saving. */
async function types(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Split' }).click();
  await waitForGraph(page);
  const code = page.getByRole('textbox', { name: 'Workflow file' });
  await code.press('Control+Home');
  await code.press('End');
  await page.keyboard.type(', every other hour');
  await page.getByText('Unsaved changes', { exact: true }).waitFor();
}

/** The value in the file as changed by another user: a different number each time. */
let pages = 411;

/** Changes the same line as another user. */
async function isOvertaken(page: Page): Promise<void> {
  await types(page);
  const address = new URL('/api/v2/dags/warm-cache/spec', page.url()).href;
  const { spec } = (await (await page.request.get(address)).json()) as { spec: string };
  pages += 1;
  const other = spec.replace(/^description: .*$/m, `description: Keep ${pages} pages of the shop warm`);
  await page.request.put(address, { data: { spec: other } });
  await page.getByText('The file has changed on disk').waitFor();
}

const after =
  (first: (page: Page) => Promise<void>, next: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await first(page);
    await next(page);
  };

/** Questions and notices of the editor about the file, and its menus. */
export const editorScenes = (): readonly Scene[] => [
  {
    name: 'editor-review',
    hash,
    before: keepsNoDrafts,
    prepare: after(types, clickButton('Review changes')),
  },
  { name: 'editor-versions', hash, prepare: clickButton('Versions') },
  {
    name: 'editor-leave',
    hash,
    before: keepsNoDrafts,
    prepare: after(types, async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
      await waitForDialog(page);
    }),
  },
  { name: 'editor-conflict', hash, before: keepsNoDrafts, prepare: isOvertaken },
  {
    name: 'editor-merge',
    hash,
    before: keepsNoDrafts,
    prepare: after(isOvertaken, clickButton('Merge…')),
  },
  {
    name: 'editor-menu',
    hash: '/dags/sales-etl/edit',
    prepare: async (page) => {
      await page.getByRole('radio', { name: 'Canvas' }).click();
      await page.locator('[data-canvas] [data-node-id]').first().click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'editor-outline-menu', hash: '/dags/sales-etl/edit', prepare: opensOutlineMenu },
  {
    name: 'editor-entry-menu',
    hash: '/dags/sales-etl/edit',
    prepare: async (page) => {
      await pressesInspector(page);
      await page.getByPlaceholder('Find a field').fill('params');
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'editor-workflow-form',
    hash: '/dags/sales-etl/edit',
    prepare: pressesInspector,
  },
  { name: 'abandon', hash: '/new/shell', prepare: leavesHalfDone },
  { name: 'editor-run-params', hash: '/dags/sales-etl/edit', prepare: clickButton('Run…') },
  {
    name: 'editor-dry-run',
    hash: '/dags/thumbnails/edit',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More run options' }).click();
      await page.getByRole('menuitem', { name: 'Dry run' }).click();
      await page.getByText(/o problems found/).waitFor();
    },
  },
];

async function opensOutlineMenu(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Canvas' }).click();
  await waitForGraph(page);
  // In a narrow window the outline is closed at first.
  const open = page.getByRole('button', { name: 'Open outline' });
  if (await open.isVisible()) await open.click();
  await page.getByRole('button', { name: 'Actions for aggregate' }).click();
  await page.getByRole('menu').waitFor();
}

async function pressesInspector(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Canvas' }).click();
  await waitForGraph(page);
  const open = page.getByRole('button', { name: 'Open inspector' });
  if (await open.isVisible()) await open.click();
  await page.getByRole('region', { name: 'Inspector' }).waitFor();
}

async function leavesHalfDone(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Script', exact: true }).fill('echo one');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await waitForDialog(page);
}
