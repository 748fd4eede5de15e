import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { CanvasUi, EditorUi } from './rig/editor-ui.ts';
import { closeWindow, countWindows, openFromTray, test as base } from './rig/desktop-test.ts';
import type { Latch, TestHome } from './rig/test-home.ts';
import { WebUi } from './rig/web-ui.ts';

const textWith = (latch: Latch): string => `# Loads the sales of the day
type: graph
steps:
  - name: fetch
    command: echo "fetch"   # quick
  - name: load
    command: |
      ${latch.wait}
    depends: [fetch]
`;

const test = base.extend<{ readonly gate: Latch; readonly text: string }>({
  gate: async ({ testHome }, use) => use(testHome.gate('gate')),
  text: async ({ gate: latch }, use) => use(textWith(latch)),
  // The list is read when the app starts, so the workflow must exist before.
  desktop: async ({ testHome, text, launch }, use) => {
    testHome.saveWorkflow('sales', text);
    await use(await launch());
  },
});

const fileOf = ({ home }: TestHome): string => path.join(home, 'dags/sales.yaml');

async function openEditor(page: Page): Promise<{ editor: EditorUi; canvas: CanvasUi }> {
  await page.setViewportSize({ width: 1600, height: 900 });
  const ui = new WebUi(page);
  await ui.waitUntilLoaded();
  const editor = new EditorUi(page);
  await editor.open('sales');
  return { editor, canvas: new CanvasUi(page) };
}

test('draws a workflow, fills it in, runs it unsaved with live cards, and saves it with a diff', async ({
  desktop: { window: page },
  gate: latch,
  text,
  testHome,
}) => {
  const { editor, canvas } = await openEditor(page);
  await canvas.openStandalone();
  if (await canvas.snippet('Command').isHidden())
    await page.getByRole('button', { name: 'Add step' }).click();
  const load = await canvas.getMiddle(canvas.card('load'));
  await canvas.drag(await canvas.getMiddle(canvas.snippet('Command')), { x: load.x + 20, y: load.y - 220 });
  await expect(canvas.card('command')).toBeVisible();
  await canvas.drag(await canvas.outOf('fetch'), await canvas.getMiddle(canvas.card('command')));
  await expect(canvas.line('fetch', 'command')).toBeAttached();
  const command = page
    .getByRole('region', { name: 'Inspector' })
    .getByRole('textbox', { name: 'Command', exact: true });
  await canvas.card('command').click();
  await command.click();
  await expect(command).toBeFocused();
  await page.keyboard.press('Control+a');
  // In one piece: typing with a pause makes several undo steps.
  await page.keyboard.insertText('echo beside');
  // The card does not show the command when the canvas is zoomed out.
  const row = editor.step('command');
  await expect(row).toContainText('echo beside');
  await page.getByRole('button', { name: 'Undo set command' }).click();
  await expect(row).toContainText('echo hello');
  await page.getByRole('button', { name: 'Redo set command' }).click();
  await expect(row).toContainText('echo beside');

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(canvas.card('load')).toHaveAttribute('aria-description', /Running/);
  await expect(canvas.card('command')).toHaveAttribute('aria-description', /Succeeded/);
  latch.open();
  await expect(canvas.card('load')).toHaveAttribute('aria-description', /Succeeded/);
  expect(readFileSync(fileOf(testHome), 'utf8')).toBe(text);

  await page.getByRole('button', { name: 'Review changes' }).click();
  const review = page.getByRole('dialog', { name: 'Review changes' });
  await expect(review).toContainText('echo beside');
  await review.getByRole('button', { name: 'Save' }).click();
  await expect(editor.savedMark).toBeVisible();
  const saved = readFileSync(fileOf(testHome), 'utf8');
  expect(saved.slice(0, text.length)).toBe(text);
  expect(saved.slice(text.length)).toMatch(
    /^ {2}- name: command\n {4}command: echo beside\n {4}depends: \[?fetch\]?\n$/,
  );
});

test('external changes are merged, and unsaved changes survive a killed app and a closed window', async ({
  desktop,
  launch,
  text,
  testHome,
}) => {
  const first = await openEditor(desktop.window);
  await first.editor.placeCursorAfter('# quick');
  await desktop.window.keyboard.type('er');
  const theirs = text.replace('of the day', 'of the week');
  writeFileSync(fileOf(testHome), theirs);
  await desktop.window.getByRole('button', { name: 'Merge…' }).click();
  await desktop.window.getByRole('button', { name: 'Use merged version' }).click();
  await expect(first.editor.code).toContainText('of the week');
  await expect(first.editor.dirtyMark).toBeVisible();
  await expectDraft(testHome, theirs.replace('# quick', '# quicker'));
  desktop.app.process().kill('SIGKILL');
  await desktop.waitForExit();

  const again = await launch();
  const second = await openEditor(again.window);
  await expect(again.window.getByText('Unsaved changes restored.')).toBeVisible();
  await again.window.getByRole('button', { name: 'Keep changes' }).click();
  await expect(second.editor.code).toContainText('# quicker');
  await second.editor.placeCursorAfter('# quicker');
  await again.window.keyboard.type(' still');
  await closeWindow(again);
  await expect.poll(() => countWindows(again)).toBe(0);
  const window = await openFromTray(again, 'Open Stepwright');
  const third = await openEditor(window);
  await expect(third.editor.code).toContainText('# quicker still');
  await third.editor.save();
  expect(readFileSync(fileOf(testHome), 'utf8')).toBe(theirs.replace('# quick', '# quicker still'));
});

/** Waits until a draft with this text is on disk, which takes a second after the last change. */
async function expectDraft({ home }: TestHome, text: string): Promise<void> {
  const file = path.join(home, 'data/editor/drafts/sales.json');
  const read = (): unknown[] =>
    existsSync(file) ? Object.values(JSON.parse(readFileSync(file, 'utf8')) as object) : [];
  await expect.poll(read).toContain(text);
}
