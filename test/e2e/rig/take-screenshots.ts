import path from 'node:path';
import type { Page } from '@playwright/test';
import { settle } from './check-page.ts';

const screenSizes = [
  ['light', 1280, 800],
  ['dark', 1920, 1080],
] as const;

/** Saves screenshots of the window in both themes and two sizes to the folder `DESKTOP_PICTURES`, if set. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env['DESKTOP_PICTURES'];
  if (folder === undefined) return;
  for (const [theme, width, height] of screenSizes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    await settle(page);
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
  }
}
