import { type Page, expect } from '@playwright/test';
import { analyzeEditable } from '../../../../core/edit/build-outline.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';

/** Seeded pseudo-random numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    // Mulberry32, which is in the public domain.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws Error if there is nothing to choose from */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('There is nothing to choose from.');
    return items[this.between(0, items.length - 1)] as Item;
  }

  /** A random element, weighted. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let rest = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return this.pick(items);
  }
}

/** A clickable position in the window, and the element there. */
export interface ClickTarget {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Its accessible name, if an attribute or its text has it. */
  readonly name: string;
}

/** What a move uses. */
export interface Monkey {
  readonly page: Page;
  readonly random: Random;
  /** The workflow's file on disk. */
  readonly file: string;
}

/** A user action. */
export interface Move {
  readonly name: string;
  readonly weight: number;
  /** @returns whether it was possible */
  readonly make: (monkey: Monkey) => Promise<boolean>;
}

/** All elements that match a selector and receive pointer events. */
export function findClickTargets(page: Page, selector: string): Promise<ClickTarget[]> {
  return page.evaluate((cssSelector) => {
    const spots: ClickTarget[] = [];
    for (const element of document.querySelectorAll(cssSelector)) {
      const box = element.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(element.contains(hit) || hit.contains(element))) continue;
      if (element.matches('[disabled], [aria-disabled="true"]')) continue;
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      spots.push({ x, y, width: box.width, name });
    }
    return spots;
  }, selector);
}

/** A random one; undefined if there is none. */
export async function findClickTarget(
  { page, random }: Monkey,
  selector: string,
  suits: (spot: ClickTarget) => boolean = () => true,
): Promise<ClickTarget | undefined> {
  const spots = (await findClickTargets(page, selector)).filter(suits);
  return spots.length === 0 ? undefined : random.pick(spots);
}

/** Clicks a random match of a selector. */
export async function pressOne(
  monkey: Monkey,
  selector: string,
  suits?: (spot: ClickTarget) => boolean,
): Promise<boolean> {
  const spot = await findClickTarget(monkey, selector, suits);
  if (spot) await monkey.page.mouse.click(spot.x, spot.y);
  return spot !== undefined;
}

/** Drags with intermediate moves, as a hand does. */
export async function drag(
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 6, from.y + 6);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Presses keys one after another. */
export async function pressKeys(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Waits until the result has been rendered. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/** The complete text of the code pane, byte for byte; the pane itself renders only what is visible. */
export function readCode(page: Page): Promise<string> {
  return page.getByRole('textbox', { name: 'Workflow file' }).evaluate((element) => {
    const { cmTile } = element as unknown as {
      cmTile: { view: { state: { doc: { toString(): string } } } };
    };
    return cmTile.view.state.doc.toString();
  });
}

/** Shows canvas and code. */
export async function showCanvasAndCode(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.getByRole('textbox', { name: 'Workflow file' })).toBeVisible();
}

/** Closes what is open above the page with Escape or a button. */
export async function closeOverlays(page: Page): Promise<void> {
  const open = page.locator('[role="dialog"], [role="menu"]');
  for (let tries = 0; tries < 6 && (await open.count()) > 0; tries += 1) {
    await page.keyboard.press('Escape');
    await drawn(page);
    const closeButton = open.getByRole('button', { name: /^(Cancel|Keep editing|Close)$/ }).last();
    if ((await closeButton.count()) > 0) await closeButton.click({ timeout: 2000 }).catch(() => undefined);
  }
  await expect(open, 'what is open can be closed').toHaveCount(0);
}

/** The cards that the main workflow of a text has, once each; undefined if the text is invalid YAML. */
function listExpected(text: string): string[] | undefined {
  const { outline } = analyzeEditable(readEditable(text), 'monkey.yaml');
  const [main] = outline.documents;
  if (!main) return text.trim() === '' ? [] : undefined;
  return [
    ...new Set([...main.steps, ...main.handlers].map(({ section, name }) => `${section}:${name}`)),
  ].sort();
}

/** Waits until the canvas shows the steps of the text, or the last valid version. */
export async function expectSameSteps(page: Page, text: string): Promise<void> {
  await leaveSubWorkflow(page);
  const expected = listExpected(text);
  if (!expected) {
    await expect(page.locator('[data-canvas], main').getByText('Invalid YAML').first()).toBeVisible();
    return;
  }
  const folded = await page
    .locator('[data-canvas] [aria-expanded="false"][aria-label*="side by side"]')
    .count();
  if (folded > 0) return;
  const read = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-canvas] [data-node-id]')]
        .map((card) => card.dataset['nodeId'] ?? '')
        .sort(),
    );
  await expect.poll(read, { message: `cards of\n${text}` }).toEqual(expected);
}

async function leaveSubWorkflow(page: Page): Promise<void> {
  const breadcrumbs = page.getByRole('navigation', { name: 'Workflows in this file' }).getByRole('button');
  if ((await breadcrumbs.count()) > 0) await breadcrumbs.first().click();
}

/** Undoes everything. @returns the number of edits */
export async function undoAll(page: Page): Promise<number> {
  const undo = page.getByRole('group', { name: 'History' }).getByRole('button').first();
  await page.getByRole('heading', { level: 1 }).click();
  for (let count = 0; count < 5000; count += 1) {
    if (await undo.isDisabled()) return count;
    await page.keyboard.press('Control+z');
  }
  throw new Error('Undoing has no end.');
}

/** Undoes until the text is a valid workflow. */
export async function undoToValid(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  for (let tries = 0; tries < 2000 && !isValid(await readCode(page)); tries += 1)
    await page.keyboard.press('Control+z');
  expect(isValid(await readCode(page))).toBe(true);
}

const isValid = (text: string): boolean =>
  analyzeEditable(readEditable(text), 'monkey.yaml').diagnostics.every(
    ({ severity }) => severity !== 'error',
  );
