import { chromium, type Page } from 'playwright';
import { findBrowser } from '../setup/browser.mjs';

/** Calls `work` with a page of the tests' browser, then closes it. @throws Error when there is no browser */
export async function withPage<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const executablePath = await findBrowser();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // For reproducible images: no GPU, and a fixed color profile.
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--force-device-scale-factor=1'],
  });
  try {
    return await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}
