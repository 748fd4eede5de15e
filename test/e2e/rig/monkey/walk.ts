import { expect, type Page } from '@playwright/test';
import { canvasMoves } from './canvas-moves.ts';
import {
  closeOverlays,
  expectSameSteps,
  readCode,
  showCanvasAndCode,
  undoAll,
  undoToValid,
  drawn,
  type Monkey,
  type Move,
} from './monkey.ts';
import { pageMoves } from './page-moves.ts';
import { textMoves } from './text-moves.ts';

const moves: readonly Move[] = [...canvasMoves, ...textMoves, ...pageMoves];
/** Moves between two checks that the views agree, and between two reloads. */
const checkInterval = 12;
const reloadEvery = 60;

/** Result of a walk. */
export interface WalkResult {
  /** Moves, in order; prefixed with `-` if not possible. */
  readonly log: readonly string[];
  /** The text that undoing everything must restore: that of the last page load. */
  readonly started: string;
}

/**
 * Makes random moves and checks that the editor stays consistent: editing can always continue, the canvas
 * shows the steps of the text, and a reloaded page has the same text.
 * @param log receives the moves, so that a failure shows what led to it
 */
export async function walk(monkey: Monkey, count: number, log: string[]): Promise<WalkResult> {
  const { page, random } = monkey;
  let started = await readCode(page);
  for (let done = 1; done <= count; done += 1) {
    const move = random.weighted(moves);
    log.push(`${done} ${move.name}`);
    const had = await move.make(monkey);
    if (!had) log[log.length - 1] = `-${done} ${move.name}`;
    await drawn(page);
    await expect(page.getByText('Something went wrong')).toBeHidden();
    await expect(page.getByText('Validation failed.')).toBeHidden();
    await closeOverlays(page);
    if (done % checkInterval === 0) await checkInvariants(page);
    if (done % reloadEvery !== 0) continue;
    await expectUndoRestores(page, started);
    await undoToValid(page);
    started = await reload(page);
  }
  await showCanvasAndCode(page);
  return { log, started };
}

/** Checks that canvas and text agree, and returns to the previous view. */
async function checkInvariants(page: Page): Promise<void> {
  const view = await page
    .getByRole('radio', { checked: true })
    .filter({ hasText: /Canvas|Split|Code/ })
    .textContent();
  await showCanvasAndCode(page);
  await expectSameSteps(page, await readCode(page));
  await page.getByRole('radio', { name: view ?? 'Split', exact: true }).click();
}

/** Undoes everything, which restores the initial text, and redoes it all. */
export async function expectUndoRestores(page: Page, started: string): Promise<void> {
  await showCanvasAndCode(page);
  const mine = page.getByRole('button', { name: 'Keep mine' });
  // The dialog closes by itself when the text becomes equal to the file on disk.
  if ((await mine.count()) > 0) await mine.click({ timeout: 2000 }).catch(() => expect(mine).toHaveCount(0));
  const text = await readCode(page);
  const count = await undoAll(page);
  expect(await readCode(page)).toBe(started);
  for (let done = 0; done < count; done += 1) await page.keyboard.press('Control+Shift+z');
  expect(await readCode(page)).toBe(text);
}

/** Reloads the page once the draft is stored. @returns the text, which is unchanged */
async function reload(page: Page): Promise<string> {
  const text = await readCode(page);
  const draft = (): Promise<string | undefined> =>
    page.evaluate(async () => {
      const reply = await fetch('/api/v2/dags/monkey/draft');
      const { draft: storedDraft } = (await reply.json()) as { draft?: { spec: string } };
      return storedDraft?.spec;
    });
  const isDirty = (await page.getByText('Unsaved changes', { exact: true }).count()) > 0;
  await expect.poll(draft).toBe(isDirty ? text : undefined);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'monkey' })).toBeVisible();
  await showCanvasAndCode(page);
  await expect.poll(() => readCode(page)).toBe(text);
  return text;
}
