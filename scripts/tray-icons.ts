import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { findBrowser } from './setup/browser.mjs';
import { ROOT } from './setup/paths.mjs';

/*
 * Draws the icons of the tray from `resources/icons/icon.svg`: one for each state, each with a mark of its own shape,
 * for plain and dense screens, in colours and, for macOS, as a template of shapes. `node scripts/tray-icons.ts`.
 */

const folder = path.join(ROOT, 'resources/icons');

/** At the lower right corner, 14 units wide; the ring separates it from the icon. */
const marks = {
  idle: '',
  running: '<path d="M22 18.5v9l7-4.5z"/>',
  failed: '<path d="M21 20l7 7m0-7l-7 7" fill="none" stroke-width="3" stroke-linecap="round"/>',
  paused: '<path d="M22 19.5v7m5-7v7" fill="none" stroke-width="3" stroke-linecap="round"/>',
} as const;
const colours = { idle: '', running: '#2563eb', failed: '#dc2626', paused: '#64748b' } as const;
type State = keyof typeof marks;

const source = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
const inner = source.slice(source.indexOf('>') + 1, source.lastIndexOf('</svg>'));

function draw(state: State, isTemplate: boolean): string {
  const mark = marks[state];
  // The square and its lines would be one black blot, so that the template has the lines alone.
  const shapes = isTemplate
    ? inner
        .replace(/<rect[^>]*>/, '')
        .replaceAll(/stroke="#ffffff"|stroke-opacity="[^"]*"/g, (found) =>
          found.startsWith('stroke=') ? 'stroke="#000"' : '',
        )
        .replaceAll('fill="#fff"', 'fill="#000"')
    : inner;
  const badge =
    mark === ''
      ? ''
      : isTemplate
        ? `<g fill="#000" stroke="#000">${mark}</g>`
        : `<circle cx="24.5" cy="23" r="8" fill="${colours[state]}" stroke="#fff" stroke-width="1.5"/><g fill="#fff" stroke="#fff">${mark}</g>`;
  const hole =
    isTemplate && mark !== ''
      ? '<mask id="hole"><rect width="32" height="32" fill="#fff"/><circle cx="24.5" cy="23" r="9" fill="#000"/></mask>'
      : '';
  const masked = hole === '' ? shapes : `${hole}<g mask="url(#hole)">${shapes}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="100%" height="100%">${masked}${badge}</svg>`;
}

const executablePath = await findBrowser();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage();
  for (const state of Object.keys(marks) as State[])
    for (const isTemplate of [false, true])
      for (const scale of [1, 2]) {
        const side = (isTemplate ? 16 : 32) * scale;
        await page.setViewportSize({ width: side, height: side });
        await page.setContent(
          `<style>body{margin:0}svg{display:block;width:${side}px;height:${side}px}</style>${draw(state, isTemplate)}`,
        );
        const name = `tray-${state}${isTemplate ? 'Template' : ''}${scale === 2 ? '@2x' : ''}.png`;
        writeFileSync(path.join(folder, name), await page.screenshot({ omitBackground: true }));
      }
} finally {
  await browser.close();
}
