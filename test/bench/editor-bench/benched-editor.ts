import type { Page } from '@playwright/test';
import { installProbe } from './page-probe.ts';
import type { Row } from './table.ts';

type View = 'Canvas' | 'Split' | 'Code';
type Point = { readonly x: number; readonly y: number };

/** Pointer moves while frames are counted. */
const moves = 90;

/** User actions in a large workflow, timed. */
export class BenchedEditor {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async prepare(): Promise<void> {
    await this.#page.addInitScript(installProbe);
  }

  /** Opens a workflow from another page of the app, before the editor is loaded. */
  async open(name: string): Promise<{ readonly drawnMs: number; readonly quietMs: number }> {
    const page = this.#page;
    await page.goto('about:blank');
    await page.goto(`${this.#url}/#/runs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page.evaluate((hash) => probe.whenOpen(hash), `#/dags/${name}/edit`);
  }

  /** Pans and drags, zoomed in and out; the editor is open. */
  async measureMoves(floor: number): Promise<readonly Row[]> {
    const page = this.#page;
    await this.#choose('Canvas');
    await this.#pressOnCanvas('1');
    const far = await this.#framesOf(await page.evaluate(() => probe.emptySpot()));
    await this.#showStep();
    const near = await this.#framesOf(await page.evaluate(() => probe.emptySpot()));
    await this.#showStep();
    const card = await this.#card().boundingBox();
    if (!card) throw new Error('The card is not drawn.');
    const drag = await this.#framesOf({ x: card.x + card.width / 2, y: card.y + card.height / 2 });
    const limits = { floor, budget: 20 };
    return [
      { what: 'frame p95: pan', ms: near, ...limits },
      { what: 'frame p95: drag a step', ms: drag, ...limits },
      { what: 'frame p95: pan, all steps visible', ms: far, ...limits },
    ];
  }

  /** Types into the code and the form; the editor is open. */
  async measureTyping(parseMs: number): Promise<readonly Row[]> {
    const page = this.#page;
    await this.#choose('Split');
    await this.#showStep();
    await this.#placeCursor();
    const times: number[] = [];
    for (const key of ['w', 'x', 'y']) {
      await page.evaluate((words) => probe.awaitText('[data-canvas] [class*=detail]', words), `3${key}`);
      await page.keyboard.press(key);
      times.push(await page.evaluate(() => probe.awaited()));
      await page.keyboard.press('Backspace');
      await page.evaluate(() => probe.stopTasks());
    }
    const rows: Row[] = [
      { what: 'keystroke to canvas', ms: times.toSorted((a, b) => a - b)[1]!, floor: parseMs, budget: 200 },
    ];
    for (const view of ['Code', 'Split', 'Canvas'] as const)
      rows.push({ what: `longest task, 60 keystrokes, ${view}`, ms: await this.#typeIn(view), budget: 100 });
    return rows;
  }

  /** Adds a step and runs auto-layout; the editor is open. */
  async measureEdits(steps: number, parseMs: number): Promise<readonly Row[]> {
    const page = this.#page;
    await this.#choose('Canvas');
    await this.#showStep();
    await this.#card().focus();
    await page.keyboard.press('Tab');
    const picker = page.getByRole('dialog', { name: 'Add a step' });
    await picker.waitFor();
    await page.keyboard.type('command');
    await page.evaluate(() => probe.startTasks());
    await page.evaluate((words) => probe.awaitText('[data-canvas]', words), `Graph with ${steps + 1} steps`);
    await page.keyboard.press('Enter');
    const addMs = await page.evaluate(() => probe.awaited());
    const addTask = await page.evaluate(() => probe.stopTasks());
    await page.evaluate(() => probe.startTasks());
    await page.locator('[data-canvas]').focus();
    await page.evaluate(() => probe.awaitMove());
    await page.keyboard.press('l');
    const relayoutMs = await page.evaluate(() => probe.awaited());
    const relayoutTask = await page.evaluate(() => probe.stopTasks());
    return [
      { what: 'add a step', ms: addMs, floor: parseMs },
      { what: 'longest task, step added', ms: addTask, budget: 100 },
      { what: 'auto-layout', ms: relayoutMs, budget: 500 },
      { what: 'longest task, auto-layout', ms: relayoutTask, budget: 100 },
    ];
  }

  async #typeIn(view: View): Promise<number> {
    const page = this.#page;
    await this.#choose(view);
    if (view === 'Canvas') {
      await this.#showStep();
      const command = page
        .getByRole('region', { name: 'Inspector' })
        .getByRole('textbox', { name: 'Command' });
      await command.click();
      await page.keyboard.press('Control+End');
    } else await this.#placeCursor();
    await page.evaluate(() => probe.stopTasks());
    await page.evaluate(() => probe.startTasks());
    await page.keyboard.type('some words of what is done here '.repeat(2).slice(0, 60), { delay: 60 });
    return page.evaluate(() => probe.stopTasks());
  }

  /** Drags from a position manually, and reports the frames meanwhile. */
  async #framesOf({ x, y }: Point): Promise<number> {
    const { mouse } = this.#page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x - 6, y - 6, { steps: 2 });
    await this.#page.evaluate(() => probe.startFrames());
    for (let step = 0; step < moves; step += 1) {
      const turn = (step / moves) * 4 * Math.PI;
      await mouse.move(x - 6 + 60 * Math.sin(turn), y - 6 + 30 * Math.sin(2 * turn));
    }
    const p95 = await this.#page.evaluate(() => probe.stopFrames());
    await mouse.up();
    return p95;
  }

  async #choose(view: View): Promise<void> {
    await this.#page.getByRole('radio', { name: view }).click();
  }

  /** Selects a step in the outline and centers its card. */
  async #showStep(): Promise<void> {
    const outline = this.#page.getByRole('treegrid', { name: 'Steps' });
    // Closed initially in a window of this width.
    if (!(await outline.isVisible()))
      await this.#page.getByRole('button', { name: 'Open the outline' }).click();
    // It shows the last selection and renders only the rows around it.
    await outline.press('Home');
    await outline.getByRole('row', { name: /^step-3\b/ }).click();
    await this.#pressOnCanvas('2');
    await this.#card().waitFor();
    await this.#page.evaluate(() => probe.stopTasks());
  }

  #card() {
    return this.#page.locator('[data-canvas]').getByRole('button', { name: /^step step-3,/ });
  }

  async #pressOnCanvas(key: string): Promise<void> {
    await this.#page.locator('[data-canvas]').focus();
    await this.#page.keyboard.press(key);
    await this.#page.evaluate(() => probe.stopTasks());
  }

  /** Into the code, after the last word of the step's command. */
  async #placeCursor(): Promise<void> {
    const { keyboard } = this.#page;
    await this.#page.getByRole('textbox', { name: 'Workflow file' }).getByText('"hello 3').first().click();
    await keyboard.press('End');
    for (let back = 0; back < '"   # quick'.length; back += 1) await keyboard.press('ArrowLeft');
  }
}
