import type { Page } from 'playwright';
import type { IconFile } from './icon-files.ts';

/** Renders an icon in a page of Chromium. @returns a PNG with transparency */
export async function drawIcon(page: Page, { svg, side }: IconFile): Promise<Buffer> {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${side}px;height:${side}px}</style>${svg}`,
  );
  return page.screenshot({ omitBackground: true });
}
