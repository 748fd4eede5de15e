import { expect } from '@playwright/test';
import { CanvasUi, test, EditorUi } from './rig/editor-ui.ts';
import { checkPage } from './rig/check-page.ts';

/**
 * States that need a held pointer, an active run or invalid text; the others are in the specs of their views.
 */
test('intermediate states have no serious accessibility violations', async ({ page, testHome }) => {
  test.setTimeout(240_000);
  const latch = testHome.gate('gate');
  testHome.saveWorkflow(
    'between',
    `type: graph\nsteps:\n  - name: fetch\n    command: echo fetch\n  - name: load\n    script: |\n      echo begun\n      ${latch.wait}\n    depends: fetch\n  - name: tidy\n    command: echo tidy\n`,
  );
  testHome.saveWorkflow('beside', 'steps:\n  - echo one\n  - [echo two, echo three]\n  - echo four\n');
  const [editor, canvas] = [new EditorUi(page), new CanvasUi(page)];
  await editor.open('between', 'canvas');
  await canvas.card('fetch').click();
  await page.keyboard.press('Control+a');
  await expect(canvas.card('tidy')).toHaveAttribute('aria-pressed', 'true');
  await checkPage(page, 'between-many');
  await canvas.card('fetch').click();
  await page.keyboard.press('n');
  await checkPage(page, 'between-focus');
  await page.keyboard.press('Escape');
  await canvas.drag(await canvas.outOf('load'), await canvas.getMiddle(canvas.card('fetch')), true);
  await expect(page.getByRole('status').filter({ hasText: 'would create a cycle' })).toBeVisible();
  await checkPage(page, 'between-connecting');
  await page.mouse.up();
  await canvas.card('fetch').click();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: 'Connect fetch to' })).toBeVisible();
  await checkPage(page, 'between-connect-picker', '[role=dialog]');
  await page.keyboard.press('Escape');
  await editor.step('fetch').hover();
  await page.getByRole('button', { name: 'Actions for fetch' }).click();
  await checkPage(page, 'between-outline-menu', '[role=menu]');
  await page.keyboard.press('Escape');
  await editor.step('fetch').click();
  await page.keyboard.press('F2');
  await expect(page.getByRole('dialog', { name: 'Rename fetch' })).toBeVisible();
  await checkPage(page, 'between-rename', '[role=dialog]');
  await page.keyboard.press('Escape');

  await editor.choose('Split');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Log of load: begun' })).toBeVisible();
  await checkPage(page, 'between-running');
  latch.open();
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('Succeeded');

  await editor.placeCursorAfter('type: graph');
  await page.keyboard.press('Control+Shift+O');
  await expect(page.getByRole('dialog', { name: 'Go to step' })).toBeVisible();
  await checkPage(page, 'between-go-to-step', '[role=dialog]');
  await page.keyboard.press('Escape');
  await editor.placeCursorAfter('type: graph');
  const kept = page.waitForResponse((response) => response.url().endsWith('/draft') && response.ok());
  await page.keyboard.type(' ]: [');
  await expect(page.getByText('Invalid YAML. Showing the last valid version.')).toBeVisible();
  await checkPage(page, 'between-broken');
  await kept;
  await page.reload();
  await expect(page.getByText('Unsaved changes restored.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invalid YAML' })).toBeVisible();
  await checkPage(page, 'between-restored');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(editor.dirtyMark).toBeHidden();

  await editor.open('beside', 'canvas');
  const group = page.getByRole('button', { name: '2 parallel steps: cmd_2, cmd_3' });
  await expect(group).toBeVisible();
  await checkPage(page, 'between-group');
  await group.click();
  await expect(canvas.card('cmd_2')).toBeHidden();
  await checkPage(page, 'between-folded');
});
