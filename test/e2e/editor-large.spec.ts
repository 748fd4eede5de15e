import { expect } from '@playwright/test';
import { sharedTest as base } from './rig/browser-test.ts';
import { CanvasUi, EditorUi } from './rig/editor-ui.ts';

/** Thirty stages of eight steps. */
const text = `type: graph\nsteps:\n${Array.from(
  { length: 240 },
  (_, index) =>
    `  - name: s${index}\n    command: echo ${index}\n    depends: [${index < 8 ? '' : `s${index - 8}`}]\n`,
).join('')}`;

const test = base.extend<{ canvas: CanvasUi }>({
  canvas: async ({ page, testHome, ui }, use) => {
    testHome.saveWorkflow('large', text);
    await ui.waitUntilLoaded();
    await new EditorUi(page).open('large', 'canvas');
    const canvas = new CanvasUi(page);
    await use(canvas);
  },
});

// Narrow enough for the form to open above the canvas.
test.use({ viewport: { width: 1200, height: 720 } });

test('a large workflow is simplified when zoomed out, and its cards can still be dragged', async ({
  page,
  canvas,
}) => {
  const picture = canvas.canvas.locator('[data-cards]');
  await expect(picture).toBeVisible();
  await expect(canvas.card('s100')).toHaveCount(0);
  // A box around all of it, and then nothing.
  const box = await canvas.canvas.boundingBox();
  if (!box) throw new Error('There is no canvas.');
  await page.keyboard.down('Shift');
  await canvas.drag({ x: box.x + 4, y: box.y + 4 }, { x: box.x + box.width - 4, y: box.y + box.height - 80 });
  await page.keyboard.up('Shift');
  await expect(canvas.card('s100')).toHaveAttribute('aria-pressed', 'true');
  // The form opens above the canvas, and the graph moves aside.
  const form = page.locator('[data-cover]');
  await form.evaluate((cover) => Promise.all(cover.getAnimations().map(({ finished }) => finished)));
  let before: number | undefined;
  await expect
    .poll(async () => {
      const [last, now] = [before, (await picture.boundingBox())?.x];
      before = now;
      return now === last;
    })
    .toBe(true);
  await page.keyboard.press('Escape');
  await expect(canvas.card('s100')).toHaveCount(0);
  // The card with keyboard focus is on it.
  await canvas.card('s0').focus();
  const { y: above } = await canvas.getMiddle(canvas.card('s0'));
  await page.keyboard.press('ArrowDown');
  await expect(canvas.card('s8')).toHaveAttribute('aria-pressed', 'true');
  // So is the one under the pointer.
  const { x, y } = await canvas.getMiddle(canvas.card('s8'));
  await page.mouse.move(x, y + 2 * (y - above));
  await expect(canvas.card('s24')).toBeVisible();
  await page.mouse.click(x, y + 2 * (y - above));
  await expect(canvas.card('s24')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('2');
  await expect(picture).toHaveCount(0);
  await expect(canvas.line('s16', 's24')).toBeAttached();
  // Its neighbours, near and far, stay highlighted.
  await canvas.card('s24').focus();
  await page.keyboard.press('n');
  const dimmed = canvas.canvas.locator('[data-dimmed]');
  await expect(dimmed.first()).toBeAttached();
  await expect(canvas.canvas.locator('[data-dimmed]', { has: canvas.card('s32') })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dimmed).toHaveCount(0);
  // A press in the minimap scrolls to another part.
  const overview = await page.getByRole('img', { name: 'Minimap' }).boundingBox();
  if (!overview) throw new Error('There is no overview.');
  await page.mouse.click(overview.x + overview.width * 0.94, overview.y + overview.height / 2);
  await expect(canvas.card('s24')).toHaveCount(0);
});
