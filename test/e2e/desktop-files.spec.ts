import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type JSHandle } from '@playwright/test';
import {
  closeWindow,
  countWindows,
  sharedTest,
  test,
  openTerminal,
  takeScreenshots,
} from './rig/desktop-test.ts';
import type { DesktopApp } from './rig/launch-app.ts';
import { WebUi } from './rig/web-ui.ts';

const choose = ({ app }: DesktopApp, id: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    if (!item) throw new Error(`the menu has no item "${wanted}"`);
    item.click();
  }, id);

const readRecent = ({ app }: DesktopApp): Promise<string[]> =>
  app.evaluate(
    ({ Menu }) =>
      Menu.getApplicationMenu()
        ?.getMenuItemById('open-recent')
        ?.submenu?.items.map(({ label }) => label) ?? [],
  );

/** Answers the next file dialogs with this path. */
const answerDialogs = ({ app }: DesktopApp, file: string): Promise<void> =>
  app.evaluate(({ dialog }, answer) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [answer] });
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: answer });
  }, file);

/** Drags a file over a part of the page, as from a file manager; checks the overlay first. */
async function dropOn(
  ui: WebUi,
  place: string,
  file: { name: string; text: string } | { path: string },
): Promise<void> {
  const data =
    'path' in file
      ? await carry(ui, file.path)
      : await ui.page.evaluateHandle((given) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([given.text], given.name));
          return transfer;
        }, file);
  const target = ui.page.locator(place).first();
  await target.dispatchEvent('dragenter', { dataTransfer: data });
  await target.dispatchEvent('dragover', { dataTransfer: data });
  await expect(ui.page.getByText('Drop to preview. Nothing will run.')).toBeVisible();
  await takeScreenshots(ui.page, 'drop');
  await target.dispatchEvent('drop', { dataTransfer: data });
  await expect(ui.page.getByText('Drop to preview. Nothing will run.')).toBeHidden();
}

/** A file on disk for dragging: a page cannot create one, but can receive one. */
async function carry({ page }: WebUi, file: string): Promise<JSHandle<DataTransfer>> {
  const input = await page.evaluateHandle(() =>
    Object.assign(document.createElement('input'), { type: 'file' }),
  );
  await input.setInputFiles(file);
  return input.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    transfer.items.add(given.files![0]!);
    return transfer;
  });
}

test('the file menu opens, remembers and saves; it works without a window', async ({ desktop, testHome }) => {
  const ui = new WebUi(desktop.window);
  const { page } = ui;
  const other = path.join(testHome.home, 'other.dag.yaml');
  writeFileSync(other, 'steps:\n  - command: touch ran\n');
  await answerDialogs(desktop, other);
  expect(await readRecent(desktop)).toEqual(['', 'Clear Menu']);
  await choose(desktop, 'open-file');
  await expect(page.getByText('touch ran').first()).toBeVisible();
  await expect.poll(() => readRecent(desktop)).toEqual(['other.dag.yaml', '', 'Clear Menu']);

  // Another file while the page for new ones is shown.
  const second = path.join(testHome.home, 'second.yaml');
  writeFileSync(second, 'steps:\n  - command: touch second\n');
  await answerDialogs(desktop, second);
  await choose(desktop, 'open-file');
  await expect(page.getByText('touch second').first()).toBeVisible();
  await choose(desktop, `recent-file:${other}`);
  await expect(page.getByText('touch ran').first()).toBeVisible();
  expect(existsSync(path.join(testHome.home, 'ran'))).toBe(false);
  await choose(desktop, 'clear-recent');
  await expect.poll(() => readRecent(desktop)).toEqual(['', 'Clear Menu']);

  await choose(desktop, 'export');
  await expect(page.getByText('Open a workflow or run to export it')).toBeVisible();
  await closeWindow(desktop);
  await expect.poll(() => countWindows(desktop)).toBe(0);
  const opened = desktop.app.waitForEvent('window');
  await choose(desktop, 'new-workflow');
  const again = new WebUi(await opened);
  await expect(again.page.getByRole('heading', { level: 1, name: 'New workflow' })).toBeVisible();
});

sharedTest(
  'saves copies of a workflow, a run and a log to the chosen path',
  async ({ desktop, ui, testHome }) => {
    const { page } = ui;
    const saved = path.join(testHome.home, 'saved');
    await answerDialogs(desktop, saved);
    testHome.saveWorkflow('small', 'steps:\n  - name: say\n    command: echo hello\n');
    await expect(ui.row('small')).toBeVisible();
    await page.getByRole('link', { name: 'small', exact: true }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await takeScreenshots(ui.page, 'workflow-menu');
    await page.getByRole('menuitem', { name: 'Save a copy…' }).click();
    await expect(page.getByText(`Saved as ${saved}`)).toBeVisible();
    expect(readFileSync(saved, 'utf8')).toContain('command: echo hello');

    const terminal = await openTerminal(page);
    await terminal.type('echo "at-$(pwd) in-$DAG_NAME"\n');
    await expect(terminal.text).toContainText('in-small');
    await expect(terminal.text).toContainText(`at-${path.join(testHome.home, 'dags')}`);
    // Its colours follow the theme, which may change meanwhile.
    const readGround = (): Promise<string> =>
      terminal.panel
        .locator('.xterm-scrollable-element')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(readGround).not.toBe('rgb(0, 0, 0)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(readGround).toBe('rgb(255, 255, 255)');
    await takeScreenshots(ui.page, 'workflow-terminal');
    await terminal.close();

    await ui.goTo('Workflows');
    await ui.run('small');
    await ui.expectRunStatus('Succeeded');
    await page.getByRole('button', { name: 'More rerun options' }).click();
    await takeScreenshots(ui.page, 'run-menu');
    await page.getByRole('menuitem', { name: 'Save run as JSON…' }).click();
    const readSaved = (): string => readFileSync(saved, 'utf8');
    await expect.poll(readSaved).toContain('"status": "succeeded"');
    expect(JSON.parse(readSaved())).toMatchObject({ name: 'small', steps: [{ name: 'say' }] });
    await choose(desktop, 'export');
    await ui.openLog('say');
    await page.getByRole('button', { name: 'More log actions' }).click();
    await page.getByRole('menuitem', { name: 'Save the file as…' }).click();
    await expect.poll(readSaved).toBe('hello\n');
  },
);

sharedTest(
  'a file dropped anywhere is shown, never run, and opened again from the menu',
  async ({ desktop, ui, testHome }) => {
    const { page } = ui;
    const text = 'steps:\n  - command: touch ran\n';
    await ui.goTo('Settings');
    await dropOn(ui, 'nav', { name: 'notes.pdf', text: 'Buy milk' });
    await expect(page.getByRole('alert')).toContainText('Unknown file type: notes.pdf');
    await dropOn(ui, 'main', { name: 'other.dag.yaml', text });
    await expect(page.getByRole('heading', { level: 1, name: 'New workflow' })).toBeVisible();
    await expect(page.getByText('touch ran').first()).toBeVisible();
    // Outside the page, which accepts files itself.
    const later = path.join(testHome.folder, 'later.yaml');
    writeFileSync(later, 'steps:\n  - command: touch later\n');
    await dropOn(ui, 'nav', { path: later });
    await expect(page.getByText('touch later').first()).toBeVisible();
    // Files created by the page are not on disk.
    await expect.poll(() => readRecent(desktop)).toEqual(['later.yaml', '', 'Clear Menu']);

    testHome.saveWorkflow('own', text);
    // Leaving discards the dropped file, which needs confirmation.
    await page.getByRole('link', { name: 'Workflows', exact: true }).first().click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(ui.row('own')).toBeVisible();
    await page.evaluate(() => localStorage.setItem('stepwright.editor.view', 'split'));
    await dropOn(ui, 'main', { name: 'own.yaml', text });
    await expect.poll(() => ui.place()).toContain('/dags/own/edit');
    // Over the editor, which would insert it.
    const editor = page.locator('.cm-content').first();
    await editor.waitFor();
    await dropOn(ui, '.cm-content', { name: 'other.dag.yaml', text: '# from elsewhere\nsteps: []\n' });
    await expect(page.getByRole('heading', { level: 1, name: 'New workflow' })).toBeVisible();
    expect(readFileSync(path.join(testHome.home, 'dags', 'own.yaml'), 'utf8')).toBe(text);
    const ran = (await testHome.readHistory()).map(({ name }) => name);
    expect(ran.filter((name) => /^(own|other|later)/.test(name))).toEqual([]);
    await choose(desktop, 'clear-recent');
  },
);
