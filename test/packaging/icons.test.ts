import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { drawIcon } from '../../scripts/icons/draw-icons.ts';
import { iconFiles } from '../../scripts/icons/icon-files.ts';
import { withPage } from '../../scripts/icons/open-page.ts';

const folder = join(import.meta.dirname, '../../resources/icons');
const files = iconFiles(readFileSync(join(folder, 'icon.svg'), 'utf8'));

/** By how much, of 255, a pixel may differ from one browser to another: the edges of shapes. */
const pixelTolerance = 48;
/** The same for the mean of all pixels. */
const meanTolerance = 1;

interface Comparison {
  readonly sides: readonly number[];
  /** The largest and the mean distance of a part of a pixel, of 255. */
  readonly max: number;
  readonly mean: number;
  /** Whether the first picture has black alone, and nothing somewhere. */
  readonly isTemplate: boolean;
}

/** Compares two PNGs of one size in the browser, which reads them. */
const compare = (page: Page, kept: Buffer, drawn: Buffer): Promise<Comparison> =>
  page.evaluate(
    async (pictures) => {
      const [left, right] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      let [sum, max, isBlack, isPartly] = [0, 0, true, false];
      left!.data.forEach((value, index) => {
        const gap = Math.abs(value - (right!.data[index] ?? 255));
        sum += gap;
        max = Math.max(max, gap);
        if (index % 4 === 3) isPartly ||= value === 0;
        else isBlack &&= value === 0;
      });
      const sides = [left!.width, left!.height, right!.width, right!.height];
      return { sides, max, mean: sum / left!.data.length, isTemplate: isBlack && isPartly };
    },
    [kept.toString('base64'), drawn.toString('base64')],
  );

test('every picture in resources/icons is one that the script makes', () => {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
  expect(pictures.toSorted()).toEqual(files.map(({ name }) => name).toSorted());
});

test('and is what it makes of icon.svg now; templates are black shapes on nothing', async () => {
  const wrong = await withPage(async (page) => {
    const found: string[] = [];
    for (const file of files) {
      const kept = readFileSync(join(folder, file.name));
      const { sides, max, mean, isTemplate } = await compare(page, kept, await drawIcon(page, file));
      const isSame = sides.every((side) => side === file.side);
      if (!isSame || max > pixelTolerance || mean > meanTolerance)
        found.push(
          `${file.name}: run "npm run icons" (sides ${sides.join(', ')}, largest gap ${max}, mean ${mean})`,
        );
      if (file.name.includes('Template') && !isTemplate) found.push(`${file.name} is no template`);
    }
    return found;
  });
  expect(wrong).toEqual([]);
}, 120_000);
