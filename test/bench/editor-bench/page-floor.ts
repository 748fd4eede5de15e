import type { Page } from '@playwright/test';

/** What an empty page takes. */
export interface PageBaseline {
  /** From the URL to the first heading of the app. */
  readonly loadMs: number;
  /** 95th percentile of the times between frames while the pointer moves. */
  readonly frameMs: number;
}

export async function measureBaseline(page: Page, url: string): Promise<PageBaseline> {
  const started = performance.now();
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const loadMs = Math.round(performance.now() - started);
  await page.goto(`${url}/#/nowhere`);
  await page.evaluate(() => document.body.replaceChildren());
  await page.evaluate(() => probe.startFrames());
  for (let step = 0; step < 90; step += 1) await page.mouse.move(300 + step, 300 + step);
  return { loadMs, frameMs: await page.evaluate(() => probe.stopFrames()) };
}
