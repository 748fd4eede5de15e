import { expect } from '@playwright/test';
import { CanvasUi, test as base } from './rig/editor-ui.ts';
import { checkPage, goToHash } from './rig/check-page.ts';

const template = `# Loads the sales of the day
name: sales   # as the reports call it
type: graph
steps:
  - name: fetch
    command: echo "fetch"   # quick
  - name: check
    command: echo 'check'
    depends: [fetch]
  - name: load
    command: echo load
    depends: [check]
  - name: tidy
    command: echo tidy
`;

const test = base.extend<{ canvas: CanvasUi; read: () => Promise<string> }>({
  canvas: async ({ page, editor: _editor }, use) => {
    const canvas = new CanvasUi(page);
    await expect(canvas.card('fetch')).toBeVisible();
    await use(canvas);
  },
  // The text as saved.
  read: async ({ editor, workflow }, use) => {
    await use(async () => {
      await expect(editor.dirtyMark).toBeVisible();
      await editor.save();
      return workflow.read();
    });
  },
});

// Room for outline, palette and inspector next to the canvas.
test.use({ viewport: { width: 1920, height: 1000 }, template, view: 'canvas' });

test('drags a step from the palette onto the canvas, and undoes it', async ({ canvas, editor, page }) => {
  const tidy = await canvas.getMiddle(canvas.card('tidy'));
  await canvas.drag(await canvas.getMiddle(canvas.snippet('Command')), { x: tidy.x + 320, y: tidy.y });
  await expect(canvas.card('command')).toBeVisible();
  await expect(canvas.card('command')).toHaveAttribute('aria-pressed', 'true');
  const { x, y } = await canvas.getMiddle(canvas.card('command'));
  expect(Math.abs(x - tidy.x - 320) + Math.abs(y - tidy.y)).toBeLessThan(12);
  await expect(editor.dirtyMark).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(canvas.card('command')).toBeHidden();
  await expect(editor.dirtyMark).toBeHidden();
});

test('inserts a step dropped on an edge between its steps', async ({
  canvas,
  page,
  workflow: { text },
  read,
}) => {
  const [fetch, check] = [
    await canvas.getMiddle(canvas.card('fetch')),
    await canvas.getMiddle(canvas.card('check')),
  ];
  const between = { x: (fetch.x + check.x) / 2, y: (fetch.y + check.y) / 2 };
  await canvas.drag(await canvas.getMiddle(canvas.snippet('HTTP request')), between, true);
  await expect(page.getByText('between fetch and check')).toBeVisible();
  await page.mouse.up();
  await expect(canvas.line('fetch', 'request')).toBeAttached();
  await expect(canvas.line('request', 'check')).toBeAttached();
  await expect(canvas.line('fetch', 'check')).not.toBeAttached();
  const changed = await read();
  expect(changed).toMatch(/^    depends: \[?request\]?$/m);
  expect(changed.startsWith(text.slice(0, text.indexOf('  - name: check')))).toBe(true);
});

test('connects two steps by dragging, changing one line', async ({ canvas, workflow: { text }, read }) => {
  await canvas.drag(await canvas.outOf('load'), await canvas.getMiddle(canvas.card('tidy')));
  await expect(canvas.line('load', 'tidy')).toBeAttached();
  const changed = await read();
  expect(changed.slice(0, text.length)).toBe(text);
  expect(changed.slice(text.length)).toMatch(/^    depends: \[?load\]?\n$/);
});

test('rejects an edge that would create a cycle, with the reason', async ({ canvas, editor, page }) => {
  await canvas.drag(await canvas.outOf('load'), await canvas.getMiddle(canvas.card('fetch')), true);
  await expect(page.getByRole('status').filter({ hasText: 'This would create a cycle' })).toBeVisible();
  await page.mouse.up();
  await expect(canvas.line('load', 'fetch')).not.toBeAttached();
  await expect(editor.dirtyMark).toBeHidden();
});

test('an edge dropped on empty space asks for the step to connect to', async ({ canvas, page }) => {
  const tidy = await canvas.getMiddle(canvas.card('tidy'));
  await canvas.drag(await canvas.outOf('tidy'), { x: tidy.x + 300, y: tidy.y });
  await expect(canvas.picker).toBeVisible();
  await page.keyboard.type('mail');
  await page.keyboard.press('Enter');
  await expect(canvas.line('tidy', 'mail')).toBeAttached();
});

test('Del leaves a gap, Ctrl+Del closes it', async ({ canvas, page }) => {
  await canvas.card('check').click();
  await page.keyboard.press('Delete');
  await expect(canvas.card('check')).toBeHidden();
  await expect(canvas.line('fetch', 'load')).not.toBeAttached();
  await page.keyboard.press('Control+z');
  await expect(canvas.card('check')).toBeVisible();
  await canvas.card('check').click();
  await page.keyboard.press('Control+Delete');
  await expect(canvas.card('check')).toBeHidden();
  await expect(canvas.line('fetch', 'load')).toBeAttached();
});

test('copies steps as YAML and pastes them', async ({ canvas, page, read }) => {
  await canvas.card('fetch').click();
  await canvas.card('check').click({ modifiers: ['Control'] });
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await expect(canvas.line('fetch_2', 'check_2')).toBeAttached();
  expect(await read()).toContain('command: echo "fetch"   # quick\n');
});

test('works by keyboard: navigate, add, connect, rename, disconnect, delete', async ({ canvas, page }) => {
  await canvas.card('fetch').focus();
  await page.keyboard.press('ArrowRight');
  await expect(canvas.card('check')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(canvas.picker).toBeVisible();
  await page.keyboard.type('script');
  await page.keyboard.press('Enter');
  await expect(canvas.card('script')).toBeFocused();
  await expect(canvas.line('check', 'script')).toBeAttached();
  await page.keyboard.press('c');
  await page.keyboard.type('tidy');
  await page.keyboard.press('Enter');
  await expect(canvas.line('script', 'tidy')).toBeAttached();
  await expect(canvas.card('script')).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('prepare');
  await page.keyboard.press('Enter');
  await expect(canvas.line('prepare', 'tidy')).toBeAttached();
  await canvas.line('prepare', 'tidy').focus();
  await page.keyboard.press('Delete');
  await expect(canvas.line('prepare', 'tidy')).not.toBeAttached();
  await canvas.card('prepare').focus();
  await page.keyboard.press('Delete');
  await expect(canvas.card('prepare')).toBeHidden();
});

test('rejects an edge in a chain, and converts the workflow to a graph', async ({
  canvas,
  page,
  editor,
  testHome,
}) => {
  testHome.saveWorkflow(
    'row',
    'steps:\n  - name: one\n    command: echo 1\n  - name: two\n    command: echo 2\n  - name: three\n    command: echo 3\n',
  );
  await goToHash(page, '#/dags/row/edit');
  await expect(canvas.card('one')).toBeVisible();
  await canvas.drag(await canvas.outOf('one'), await canvas.getMiddle(canvas.card('three')));
  await page.getByRole('button', { name: 'Use explicit dependencies' }).click();
  await expect(editor.dirtyMark).toBeVisible();
  await canvas.drag(await canvas.outOf('one'), await canvas.getMiddle(canvas.card('three')));
  await expect(canvas.line('one', 'three')).toBeAttached();
});

test('moved cards keep their position, and the text is unchanged', async ({ canvas, page, editor }) => {
  const before = await canvas.getMiddle(canvas.card('tidy'));
  const saved = page.waitForResponse(
    (response) => response.url().includes('/layout') && response.request().method() === 'PUT',
  );
  await canvas.drag(before, { x: before.x + 180, y: before.y + 40 });
  const { x, y } = await canvas.getMiddle(canvas.card('tidy'));
  expect(x - before.x).toBeGreaterThan(120);
  await saved;
  await expect(editor.dirtyMark).toBeHidden();
  const gap = x - (await canvas.getMiddle(canvas.card('fetch'))).x;
  await page.reload();
  const again = await canvas.getMiddle(canvas.card('tidy'));
  const { x: fetchX } = await canvas.getMiddle(canvas.card('fetch'));
  expect(Math.abs(again.x - fetchX - gap)).toBeLessThan(4);
  expect(y).toBeGreaterThan(0);
});

test('collapses parallel steps; expands a sub-workflow in place, persists that, enters and leaves it', async ({
  canvas,
  page,
  testHome,
}) => {
  testHome.saveWorkflow(
    'inside',
    'steps:\n  - echo one\n  - [echo two, echo three]\n  - { name: deeper, run: inner }\n---\nname: inner\nsteps:\n  - { name: deep, command: echo deep }\n',
  );
  await goToHash(page, '#/dags/inside/edit');
  await page.getByRole('button', { name: '2 parallel steps: cmd_2, cmd_3' }).click();
  await expect(canvas.card('cmd_2')).toBeHidden();
  await page.getByRole('button', { name: '2 parallel steps: cmd_2, cmd_3' }).click();
  await expect(canvas.card('cmd_2')).toBeVisible();
  // By its button, which persists after a reload; by the key; by the outline.
  const inside = page
    .getByRole('group', { name: 'Steps of inner' })
    .getByRole('button', { name: /^step deep of inner/ });
  const kept = page.waitForResponse(
    (response) =>
      response.url().includes('/layout') &&
      response.request().method() === 'PUT' &&
      (response.request().postData() ?? '').includes('"deeper"'),
  );
  await page.getByRole('button', { name: 'deeper runs inner: 1 step' }).click();
  await expect(inside).toBeVisible();
  await kept;
  await page.reload();
  await expect(inside).toBeVisible();
  await canvas.card('deeper').click();
  await page.keyboard.press('f');
  await expect(inside).toBeHidden();
  await page.getByRole('row', { name: /^deeper/ }).hover();
  await page.getByRole('button', { name: 'Actions for deeper' }).click();
  await page.getByRole('menuitem', { name: 'Expand sub-workflow' }).click();
  await expect(inside).toBeVisible();
  // A run of it is seen inside.
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(inside).toHaveAccessibleName('step deep of inner, succeeded');
  await canvas.card('deeper').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open sub-workflow' }).click();
  await expect(canvas.card('deep')).toBeVisible();
  await canvas.card('deep').click();
  await page.keyboard.press('Tab');
  await page.keyboard.type('mail');
  await page.keyboard.press('Enter');
  await expect(canvas.card('mail')).toBeVisible();
  await page.getByRole('navigation', { name: 'Workflows in this file' }).getByRole('button').click();
  await expect(canvas.card('deeper')).toBeVisible();
  await expect(canvas.card('mail')).toBeHidden();
});

test('? lists shortcuts, which can be assigned to other commands', async ({ canvas, page }) => {
  // The focus is still outside of it.
  await expect(canvas.card('fetch')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('button', { name: 'Auto-layout: L' })).toBeVisible();
  await page.keyboard.press('Escape');
  await canvas.card('fetch').focus();
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Auto-layout: L' }).click();
  await page.keyboard.press('c');
  await expect(page.getByText('This key is already used for "Connect to another step".')).toBeVisible();
  await page.getByRole('button', { name: 'Connect to another step: C' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('Escape');
  await expect(canvas.card('fetch')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await canvas.card('fetch').click();
  await page.keyboard.press('g');
  await expect(page.getByRole('dialog', { name: 'Connect fetch to' })).toBeVisible();
});

test('search dims steps that do not match and moves between matches', async ({ canvas, page }) => {
  await canvas.card('fetch').focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('load');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await page.keyboard.press('Enter');
  await expect(canvas.card('load')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await expect(canvas.card('load')).toBeFocused();
});

test('works by clicks alone: add after, insert, connect, add a handler', async ({ canvas, page }) => {
  await canvas.card('tidy').hover();
  await page.getByRole('button', { name: 'Add a step after tidy' }).click();
  await canvas.picker.getByRole('option', { name: /^Mail\b/ }).click();
  await expect(canvas.line('tidy', 'mail')).toBeAttached();
  const ends = [
    await canvas.getMiddle(canvas.card('fetch')),
    await canvas.getMiddle(canvas.card('check')),
  ] as const;
  const insert = page.getByRole('button', { name: 'Insert a step between fetch and check' });
  // The pointer is over the edge only when it moves there after the picker has closed.
  await expect(async () => {
    await page.mouse.move((ends[0].x + ends[1].x) / 2, ends[0].y + 60);
    await page.mouse.move((ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2, { steps: 4 });
    await expect(insert).toBeVisible({ timeout: 500 });
  }).toPass();
  await insert.click();
  await canvas.picker.getByRole('option', { name: /^Script\b/ }).click();
  await expect(canvas.line('script', 'check')).toBeAttached();
  await canvas.card('load').click({ button: 'right' });
  await expect(page.getByRole('menuitem').last()).toBeInViewport({ ratio: 1 });
  await page.getByRole('menuitem', { name: /^Connect to/ }).click();
  await page.getByRole('option', { name: /^tidy/ }).click();
  await expect(canvas.line('load', 'tidy')).toBeAttached();
  await page.getByRole('button', { name: /^Add exit handler/ }).click();
  await canvas.picker.getByRole('option', { name: /^Command\W+Runs a shell command/ }).click();
  await expect(canvas.card('exit', 'handler')).toBeVisible();
});

test('selects steps in a box with Shift, and aligns them', async ({ canvas, page }) => {
  const box = await canvas.canvas.boundingBox();
  if (!box) throw new Error('There is no canvas.');
  await page.keyboard.down('Shift');
  await canvas.drag({ x: box.x + 6, y: box.y + 6 }, { x: box.x + box.width - 6, y: box.y + box.height - 80 });
  await page.keyboard.up('Shift');
  for (const name of ['fetch', 'check', 'load', 'tidy'])
    await expect(canvas.card(name)).toHaveAttribute('aria-pressed', 'true');
  await canvas.card('check').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Align top' }).click();
  const heights = await Promise.all(
    ['fetch', 'check', 'tidy'].map(async (name) => (await canvas.getMiddle(canvas.card(name))).y),
  );
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1);
});

test('no state of the canvas has serious accessibility violations', async ({ canvas, page }) => {
  // Ten scans of the whole page.
  test.slow();
  await canvas.card('check').click();
  await checkPage(page, 'canvas');
  await page.keyboard.press('Tab');
  await expect(canvas.picker).toBeVisible();
  await checkPage(page, 'canvas-picker', '[role=dialog]');
  await page.keyboard.press('Escape');
  await canvas.card('check').click({ button: 'right' });
  await checkPage(page, 'canvas-menu', '[role=menu]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await checkPage(page, 'canvas-keys', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('e');
  await checkPage(page, 'canvas-search');
});
