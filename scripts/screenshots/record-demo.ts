import { join } from 'node:path';
import type { Locator, Page } from 'playwright';

/** A frame of the animation and its duration in milliseconds. */
export interface Frame {
  readonly file: string;
  readonly ms: number;
}

/** An arrow with a light outline, visible on any background. */
const pointerDrawing =
  "<svg xmlns='http://www.w3.org/2000/svg' width='22' height='22'><path d='M3 2l5 16 3-6 6-2z' " +
  "fill='%23111' stroke='white' stroke-width='1.5' stroke-linejoin='round'/></svg>";

/** Frames per pointer move, and the duration of each. */
const moveFrames = 5;
const moveMs = 60;

/** Records a page frame by frame: only changes take space in the file. */
export class FrameRecorder {
  readonly frames: Frame[] = [];
  readonly #page: Page;
  readonly #folder: string;
  #at = { x: 640, y: 400 };

  /** @param folder where the frames are written */
  constructor(page: Page, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Draws a pointer, because a headless browser has none. */
  async showPointer(): Promise<void> {
    await this.#page.evaluate(
      ([drawing, x, y]) => {
        const pointer = document.createElement('div');
        pointer.id = 'demo-pointer';
        pointer.style.cssText =
          'position:fixed;left:0;top:0;width:22px;height:22px;z-index:9999;pointer-events:none;' +
          `background:url("data:image/svg+xml,${drawing}");translate:${x}px ${y}px`;
        document.documentElement.append(pointer);
      },
      [pointerDrawing, this.#at.x, this.#at.y] as const,
    );
  }

  /** Takes a frame with a duration. */
  async hold(ms: number): Promise<void> {
    const file = join(this.#folder, `${String(this.frames.length).padStart(4, '0')}.png`);
    await this.#page.screenshot({ path: file });
    this.frames.push({ file, ms });
  }

  /** Moves the pointer to the center of an element and clicks. */
  async press(target: Locator, ms = 500): Promise<void> {
    await this.point(target);
    await this.#page.mouse.down();
    await this.#page.mouse.up();
    await this.hold(ms);
  }

  /** Moves the pointer to the center of an element. */
  async point(target: Locator): Promise<void> {
    await target.waitFor();
    await target.scrollIntoViewIfNeeded();
    const to = await findMiddle(target);
    const from = this.#at;
    for (let turn = 1; turn <= moveFrames; turn += 1) {
      // Slows down towards the end, like a hand.
      const share = 1 - (1 - turn / moveFrames) ** 2;
      await this.#movePointer(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
      await this.hold(moveMs);
    }
    // It may have moved in the meantime.
    const { x, y } = await findMiddle(target);
    await this.#movePointer(x, y);
  }

  /** Types a text, a few characters per frame. */
  async type(text: string): Promise<void> {
    for (const part of text.match(/.{1,4}/gs) ?? []) {
      await this.#page.keyboard.type(part);
      await this.hold(120);
    }
  }

  /** Takes frames until a condition holds. @param everyMs interval between frames, and their duration */
  async watch(done: Locator, everyMs: number): Promise<void> {
    while (!(await done.isVisible())) {
      await this.hold(everyMs);
      await this.#page.waitForTimeout(everyMs);
    }
  }

  async #movePointer(x: number, y: number): Promise<void> {
    this.#at = { x, y };
    await this.#page.mouse.move(x, y);
    await this.#page.evaluate(
      ([left, top]) => {
        document.getElementById('demo-pointer')!.style.translate = `${left}px ${top}px`;
      },
      [x, y] as const,
    );
  }
}

async function findMiddle(target: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('what is pointed at is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The demo: creates a workflow from a template, edits it on the canvas, runs it, and opens the run. */
export async function recordDemo(page: Page, camera: FrameRecorder): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  await camera.hold(1_200);
  await camera.press(page.getByRole('link', { name: 'New workflow' }).or(button('New workflow')).first());
  await camera.press(page.getByRole('tab', { name: 'Template' }));
  await camera.press(page.getByRole('option', { name: /^Parallel and retry/ }), 700);
  await camera.press(page.getByRole('radio', { name: 'Graph' }), 300);
  await page.getByRole('button', { name: /^step join,/ }).waitFor();
  await camera.hold(1_200);
  await camera.press(button('Create'), 200);

  const canvas = page.locator('[data-canvas]');
  await page.getByRole('radio', { name: 'Canvas' }).waitFor();
  await camera.press(page.getByRole('radio', { name: 'Canvas' }), 300);
  await canvas.getByRole('button', { name: /^step join,/ }).waitFor();
  await camera.hold(800);
  await camera.point(canvas.getByRole('button', { name: /^step join,/ }));
  await camera.press(button('Add a step after join'), 400);
  const picker = page.getByRole('dialog', { name: 'Add step' });
  await camera.press(picker.getByRole('option', { name: /^Command/ }).first(), 500);
  const form = page.getByRole('textbox', { name: 'Command', exact: true });
  await camera.press(form, 300);
  await page.keyboard.press('Control+a');
  await camera.type('echo "everything is done"');
  await camera.hold(700);

  await camera.press(button('Save'), 500);
  await camera.press(button('Run'), 300);
  const bar = page.getByRole('region', { name: 'Run', exact: true });
  await camera.press(bar.getByRole('link', { name: 'Open run' }), 300);

  await page.getByRole('group', { name: /^Graph of/ }).waitFor();
  await camera.press(page.getByRole('button', { name: /^step fast,/ }), 200);
  await camera.watch(page.getByRole('banner').or(page.locator('header')).getByText('Succeeded').first(), 450);
  await camera.hold(900);
  await camera.press(page.getByRole('tab', { name: 'Timeline' }), 1_500);
  await camera.press(page.getByRole('treeitem', { name: /^flaky/ }), 200);
  await page.getByText('attempt 3 succeeded').first().waitFor();
  await camera.hold(2_300);
}
