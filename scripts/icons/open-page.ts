import { chromium, type Page } from 'playwright';
import { findBrowser } from '../setup/browser.mjs';

/** Hands a page of the browser that the tests use to `work`, and closes it. @throws Error when there is no browser */
export async function withPage<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const executablePath = await findBrowser();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Pictures of one machine are those of another: no processor of graphics, no screen with its own colours.
    args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--force-device-scale-factor=1'],
  });
  try {
    return await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}
