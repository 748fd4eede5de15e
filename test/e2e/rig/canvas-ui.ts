import { expect, type Locator, type Page } from '@playwright/test';

/** User actions on the canvas of the editor. */
export class CanvasUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The card of a step or handler. */
  card(name: string, section: 'step' | 'handler' = 'step'): Locator {
    return this.canvas.getByRole('button', { name: new RegExp(`^${section} ${name},`) });
  }

  get canvas(): Locator {
    return this.page.getByRole('application', { name: /^Graph with/ });
  }

  /** The edge from one step to another. */
  line(source: string, target: string): Locator {
    return this.canvas.getByLabel(`${source} to ${target}`, { exact: true });
  }

  /** A snippet of the palette. */
  snippet(label: string): Locator {
    return this.page
      .getByRole('region', { name: 'Palette' })
      .getByRole('button', { name: label, exact: true });
  }

  get picker(): Locator {
    return this.page.getByRole('dialog', { name: 'Add step' });
  }

  /** Shows only the canvas, which has room for the palette, and waits for its cards. */
  async openStandalone(): Promise<void> {
    await this.page.getByRole('radio', { name: 'Canvas' }).click();
    await expect(this.canvas).toBeVisible();
  }

  /** Drags an element to a position in the window. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }, isHeld = false): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 8, from.y + 8, { steps: 2 });
    await mouse.move(to.x, to.y, { steps: 8 });
    if (!isHeld) await mouse.up();
  }

  async getMiddle(locator: Locator): Promise<{ x: number; y: number }> {
    await expect(locator).toBeVisible();
    const box = await locator.boundingBox();
    if (!box) throw new Error('It is not drawn.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Where an edge is dragged from: the handle on the right of a card. */
  async outOf(name: string): Promise<{ x: number; y: number }> {
    await this.card(name).hover();
    const box = await this.card(name).boundingBox();
    if (!box) throw new Error(`${name} is not drawn.`);
    return { x: box.x + box.width, y: box.y + box.height / 2 };
  }
}
