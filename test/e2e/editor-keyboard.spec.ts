import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { CanvasUi, EditorUi } from './rig/editor-ui.ts';

/**
 * Presses Tab, or Shift+Tab, until an element has the focus; each stop on the way is one that users must
 * pass.
 */
async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stops = 0; stops < 80; stops += 1) {
    if (
      (await wanted.count()) > 0 &&
      (await wanted.evaluate((element) => element === document.activeElement))
    )
      return;
    await page.keyboard.press(key);
  }
  throw new Error(`No Tab leads to ${String(wanted)}.`);
}

test('creates, draws, fills in, saves and runs a workflow without a pointer', async ({
  page,
  ui,
  testHome,
}) => {
  await page.setViewportSize({ width: 2240, height: 900 });
  await page.evaluate(() => localStorage.setItem('stepwright.editor.view', 'split'));
  await ui.waitUntilLoaded();
  const canvas = new CanvasUi(page);
  await tabTo(page, page.getByRole('button', { name: 'New workflow' }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.type('greet');
  await page.keyboard.press('Enter');

  const first = canvas.canvas.getByRole('button', { name: 'Add first step' });
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  for (const [search, name] of [
    ['command', 'command'],
    ['script', 'script'],
    ['save output', 'measure'],
  ] as const) {
    await expect(canvas.picker).toBeVisible();
    await page.keyboard.type(search);
    await page.keyboard.press('Enter');
    await expect(canvas.card(name)).toBeFocused();
    if (name !== 'measure') await page.keyboard.press('Tab');
  }
  for (let back = 0; back < 2; back += 1) await goBack(page);
  await expect(canvas.card('command')).toBeFocused();
  await page.keyboard.press('c');
  await expect(page.getByRole('button', { name: 'Use explicit dependencies' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Step to connect command to' })).toBeFocused();
  await page.keyboard.type('measure');
  await page.keyboard.press('Enter');
  await expect(canvas.line('command', 'measure')).toBeAttached();

  // Into the form of the step.
  const editor = new EditorUi(page);
  await expect(canvas.card('command')).toBeFocused();
  await page.keyboard.press('Enter');
  const form = page.getByRole('region', { name: 'Inspector' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await tabTo(page, form.getByRole('textbox', { name: 'Command', exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('echo good morning');
  await expect(editor.code).toContainText('command: echo good morning');
  await editor.save();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('Succeeded');
  expect(readFileSync(path.join(testHome.home, 'dags/greet.yaml'), 'utf8')).toMatch(
    /^type: graph\nsteps:\n {2}- name: command\n {4}command: echo good morning\n[^]*depends: \[script, command\]\n$/,
  );
});

/** To the previous card, in either layout direction. */
async function goBack(page: Page): Promise<void> {
  const before = await page.evaluate(() => document.activeElement);
  await page.keyboard.press('ArrowLeft');
  if ((await page.evaluate(() => document.activeElement)) === before) await page.keyboard.press('ArrowUp');
}

const spoken = `type: graph
steps:
  - name: fetch
    command: echo fetch
  - name: build
    script: |
      echo build
    depends: fetch
    retryPolicy: {limit: 2, intervalSec: 1}
  - name: ship
    command: echo ship
    comand: wrong
    depends: build
handlerOn:
  exit: echo bye
`;

test('a screen reader announces positions in every view', async ({ page, ui, testHome }) => {
  testHome.saveWorkflow('spoken', spoken);
  await page.setViewportSize({ width: 2240, height: 900 });
  await ui.waitUntilLoaded();
  const [editor, canvas] = [new EditorUi(page), new CanvasUi(page)];
  await editor.open('spoken');
  await expect(canvas.canvas).toHaveAccessibleName('Graph with 4 steps');
  await expect(canvas.card('fetch')).toHaveAccessibleName('step fetch, shell command, 1 of 4');
  await expect(canvas.card('build')).toHaveAccessibleName('step build, script, depends on fetch, 2 of 4');
  await expect(canvas.card('ship')).toHaveAccessibleName(
    'step ship, shell command, 1 problem, depends on build, 3 of 4',
  );
  await expect(canvas.card('ship')).toHaveAccessibleDescription(/comand/);
  await expect(canvas.card('exit', 'handler')).toHaveAccessibleName('handler exit, shell command, 4 of 4');
  await expect(canvas.line('fetch', 'build')).toHaveAttribute('aria-roledescription', 'connection');
  await expect(editor.problems).toHaveAccessibleName('Problems: 1 error, 0 warnings');

  const outline = page.getByRole('treegrid', { name: 'Steps' });
  const rows = [
    ['fetch', 1, 1, 4],
    ['build, after fetch', 1, 2, 4],
    ['ship, after build', 1, 3, 4],
    ['Handlers, 1 nested', 1, 4, 4],
    ['exit handler', 2, 1, 1],
  ] as const;
  for (const [name, level, place, size] of rows) {
    const row = outline.getByRole('row', { name, exact: true });
    await expect(row).toHaveAttribute('aria-level', String(level));
    await expect(row).toHaveAttribute('aria-posinset', String(place));
    await expect(row).toHaveAttribute('aria-setsize', String(size));
  }
  await expect(outline.getByRole('row', { name: 'Handlers' })).toHaveAttribute('aria-expanded', 'true');
  await canvas.card('build').click();
  await expect(canvas.card('build')).toHaveAttribute('aria-pressed', 'true');
  await expect(outline.getByRole('row', { name: 'build, after fetch' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  const form = page.getByRole('region', { name: 'Inspector' });
  await expect(form.getByRole('heading', { name: 'build' })).toBeVisible();
  await expect(form.getByRole('group', { name: /Wait|depends/i }).first()).toBeVisible();
  await expect(editor.code).toHaveAccessibleDescription(/Tab/);
});
