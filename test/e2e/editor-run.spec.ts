import { expect, type Locator, type Page } from '@playwright/test';
import { CanvasUi, test as base, EditorUi } from './rig/editor-ui.ts';
import { checkPage } from './rig/check-page.ts';

const text = `name: sales
type: graph
steps:
  - name: fetch
    command: echo 42
    output: ROWS
  - name: load
    command: echo "loaded \${ROWS} rows"
    depends: [fetch]
  - name: report
    command: echo "no such table" >&2; exit 3
    depends: [load]
`;

/** User actions of the test loop. */
class RunUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get bar(): Locator {
    return this.page.getByRole('region', { name: 'Run', exact: true });
  }

  get run(): Locator {
    return this.page.getByRole('button', { name: 'Run', exact: true });
  }

  async choose(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More run options' }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  log(step: string): Locator {
    return this.page.getByRole('region', { name: `Log of ${step}`, exact: true });
  }
}

const test = base.extend<{ canvas: CanvasUi; tests: RunUi }>({
  canvas: async ({ page, editor: _editor }, use) => {
    const canvas = new CanvasUi(page);
    await expect(canvas.card('fetch')).toBeVisible();
    await use(canvas);
  },
  tests: async ({ page, editor: _editor }, use) => {
    await use(new RunUi(page));
  },
});

test.use({ template: text });

test('runs unsaved text by shortcut and shows the failure on the canvas with its log', async ({
  page,
  canvas,
  editor,
  tests,
  workflow,
}) => {
  await editor.placeCursorAfter('loaded');
  await page.keyboard.press('Home');
  await page.keyboard.type('# mine');
  await page.keyboard.press('Enter');
  await expect(editor.dirtyMark).toBeVisible();
  const revised = (await editor.code.textContent()) ?? '';
  await page.keyboard.press('Control+Enter');
  await expect(tests.bar).toContainText(/Failed in report, .+: exit/i);
  expect(await editor.code.textContent()).toBe(revised);
  await expect(canvas.card('load')).toHaveAttribute('aria-description', /Succeeded/);
  await expect(canvas.card('report')).toHaveAttribute('aria-description', /Failed/);
  await expect(editor.step('fetch')).toContainText('Succeeded');
  expect(workflow.read()).toBe(workflow.text);
  await expect(editor.dirtyMark).toBeVisible();
  await page.getByRole('button', { name: 'Log of report: no such table' }).click();
  await expect(tests.log('report')).toContainText('no such table');
  await page.keyboard.press('Control+z');
  await expect(tests.bar).toContainText('from an earlier version');
  await expect(canvas.card('load')).toHaveAttribute('aria-description', /from an earlier version/);
  await tests.bar.getByRole('button', { name: 'Clear' }).click();
  await expect(tests.bar).toBeHidden();
  await expect(tests.log('report')).toBeHidden();
});

test('runs one step with the outputs of the last run, or all steps up to one', async ({
  page,
  canvas,
  tests,
}) => {
  await canvas.card('load').click();
  await page.keyboard.press('r');
  await expect(tests.bar).toContainText('without outputs of earlier steps');
  await expect(tests.bar).toContainText('Succeeded');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(tests.bar).toContainText('up to load');
  await expect(tests.bar).toContainText('Succeeded');
  await expect(editorStep(page, 'report')).not.toContainText('Succeeded');
  await tests.choose('Run load only');
  await expect(tests.bar).toContainText('with outputs from the run on');
  await expect(tests.bar).toContainText('Succeeded');
  await canvas.card('load').click();
  await page.keyboard.press('o');
  await expect(tests.log('load')).toContainText('loaded 42 rows');
});

const editorStep = (page: Page, name: string): Locator => new EditorUi(page).step(name);

test('completion offers the outputs of the last run with their values', async ({ page, editor, tests }) => {
  await tests.run.click();
  await expect(tests.bar).toContainText('Failed in report');
  await editor.placeCursorAfter('no such table');
  await page.keyboard.type(' ${RO');
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('option', { name: /ROWS/ })).toContainText('last value 42');
  await page.keyboard.press('Escape');
  await editor.code.getByText('${ROWS}').first().hover();
  await expect(page.getByText(/Output of fetch, run on/)).toBeVisible();
});

test('a dry run shows the values next to the canvas and runs nothing', async ({
  page,
  tests,
  testHome,
  workflow,
}) => {
  await tests.choose('Dry run');
  const pane = page.getByRole('region', { name: 'Dry run', exact: true });
  await expect(pane).toContainText('No commands were run.');
  await expect(pane).toContainText('fetch');
  await pane.getByRole('button', { name: 'Close dry run' }).click();
  await expect(pane).toBeHidden();
  const history = await testHome.readHistory();
  expect(history.filter(({ name }) => name === workflow.name)).toEqual([]);
});

test('stops a run', async ({ page, editor, canvas, tests }) => {
  await editor.code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('steps:\n  - name: wait\n    command: echo begun; sleep 60\n');
  await expect(canvas.card('wait')).toBeVisible();
  await tests.run.click();
  await expect(canvas.card('wait')).toHaveAttribute('aria-description', /Running/);
  await expect(page.getByRole('button', { name: 'Log of wait: begun' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(tests.bar).toContainText('Aborted');
  await expect(tests.run).toBeVisible();
});

test('asks for parameters and remembers them; does not run text with an error', async ({
  page,
  editor,
  tests,
}) => {
  await editor.code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    'params:\n  - DAY: mon\nsteps:\n  - name: say\n    command: echo "it is ${DAY}"\n',
  );
  await page.getByRole('button', { name: 'Run…' }).click();
  await page.getByRole('textbox', { name: 'DAY', exact: true }).fill('tue');
  await page.keyboard.press('Enter');
  await expect(tests.bar).toContainText('Succeeded');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('textbox', { name: 'DAY', exact: true })).toHaveValue('tue');
  await page.keyboard.press('Escape');
  await editor.code.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('    comand: x\n');
  await expect(page.getByRole('button', { name: /^Run/, disabled: true }).first()).toBeVisible();
  await tests.choose('Show problem');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('comand');
});

test('every state of the test loop is accessible', async ({ page, canvas, editor, tests }) => {
  test.setTimeout(120_000);
  await tests.run.click();
  await expect(tests.bar).toContainText('Failed in report');
  await page.getByRole('button', { name: 'Log of report: no such table' }).click();
  await canvas.card('load').click();
  await checkPage(page, 'editor-run-failed');
  await editor.choose('Canvas');
  await tests.choose('Dry run');
  await expect(page.getByRole('region', { name: 'Dry run', exact: true })).toContainText(
    'No commands were run.',
  );
  await checkPage(page, 'editor-run-dry');
  await page.getByRole('button', { name: 'Close dry run' }).click();
  await editor.choose('Split');
  await editor.placeCursorAfter('type: graph');
  await page.keyboard.type(' # changed');
  await expect(tests.bar).toContainText('from an earlier version');
  await checkPage(page, 'editor-run-earlier');
});
