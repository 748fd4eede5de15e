import type { Page } from '@playwright/test';
import type { Random } from './random.ts';

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
