import { chromium, type Page } from 'playwright';
import { findBrowser } from '../setup/browser.mjs';

/** At the lower right corner, 14 units wide; the ring separates it from the icon. */
const marks = {
  idle: '',
  running: '<path d="M22 18.5v9l7-4.5z"/>',
  failed: '<path d="M21 20l7 7m0-7l-7 7" fill="none" stroke-width="3" stroke-linecap="round"/>',
  paused: '<path d="M22 19.5v7m5-7v7" fill="none" stroke-width="3" stroke-linecap="round"/>',
} as const;
const colours = { idle: '', running: '#2563eb', failed: '#dc2626', paused: '#64748b' } as const;

/** States of the tray icon, each with its own badge shape. */
export type TrayState = keyof typeof marks;

const trayStates = Object.keys(marks) as TrayState[];

/**
 * Returns the icon of a state as SVG, from the app's icon.
 * @param isTemplate for macOS, which colors it: black shapes on a transparent background
 */
function drawTray(source: string, state: TrayState, isTemplate: boolean): string {
  const inner = source.slice(source.indexOf('>') + 1, source.lastIndexOf('</svg>'));
  const shapes = isTemplate ? toTemplate(inner) : inner;
  const mark = marks[state];
  const picture =
    mark === ''
      ? shapes
      : isTemplate
        ? `<mask id="hole"><rect width="32" height="32" fill="#fff"/><circle cx="24.5" cy="23" r="9" fill="#000"/></mask>
           <g mask="url(#hole)">${shapes}</g><g fill="#000" stroke="#000">${mark}</g>`
        : `${shapes}<circle cx="24.5" cy="23" r="8" fill="${colours[state]}" stroke="#fff" stroke-width="1.5"/>
           <g fill="#fff" stroke="#fff">${mark}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${picture}</svg>`;
}

/** The template only has the lines, because the square and its lines would be one black shape. */
const toTemplate = (inner: string): string =>
  inner
    .replace(/<rect[^>]*>/, '')
    .replaceAll(/ stroke-opacity="[^"]*"/g, '')
    .replaceAll('stroke="#ffffff"', 'stroke="#000"')
    .replaceAll('fill="#fff"', 'fill="#000"');

/** An image generated from the app's icon. */
interface IconFile {
  /** In `resources/icons/`. */
  readonly name: string;
  readonly svg: string;
  /** Pixels. */
  readonly side: number;
}

/**
 * Lists all images generated from `icon.svg`: the app icon for its window and, larger, for packages; the tray
 * icons for each state, for normal and high-density screens, in color and as templates for macOS.
 */
export const iconFiles = (source: string): readonly IconFile[] => [
  { name: 'icon.png', svg: source, side: 512 },
  { name: 'icon-1024.png', svg: source, side: 1024 },
  ...trayStates.flatMap((state) =>
    [false, true].flatMap((isTemplate) =>
      [1, 2].map((scale) => ({
        name: `tray-${state}${isTemplate ? 'Template' : ''}${scale === 2 ? '@2x' : ''}.png`,
        svg: drawTray(source, state, isTemplate),
        side: (isTemplate ? 16 : 32) * scale,
      })),
    ),
  ),
];

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

/** Renders an icon in a page of Chromium. @returns a PNG with transparency */
export async function drawIcon(page: Page, { svg, side }: IconFile): Promise<Buffer> {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${side}px;height:${side}px}</style>${svg}`,
  );
  return page.screenshot({ omitBackground: true });
}
