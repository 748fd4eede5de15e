import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stepStatuses } from '../../../core/model/run.ts';
import { statusToken } from '../../../renderer/format/labels.ts';

const css = readFileSync(join(import.meta.dirname, '../../../renderer/styles/tokens.css'), 'utf8');
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Relative luminance (WCAG 2) of a token in a theme. */
function luminance(token: string, theme: Theme): number {
  const value = new RegExp(`--${token}: ([^;]+);`).exec(css)?.[1];
  const colours = Array.from(
    value?.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)|oklch\(([\d.]+) 0 0\)/g) ?? [],
  );
  const chosen = colours[colours.length === 1 ? 0 : themes.indexOf(theme)];
  if (!chosen) throw new Error(`no colour in ${token}: ${value}`);
  const [light, chroma, hue] = chosen[1] ? chosen.slice(1, 4).map(Number) : [Number(chosen[4]), 0, 0];
  return linearLuminance(light!, chroma!, (hue! * Math.PI) / 180);
}

/** OKLCH to linear sRGB to luminance, with Ottosson's published matrices. */
function linearLuminance(light: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(front: string, back: string, theme: Theme): number {
  const [low, high] = [luminance(front, theme), luminance(back, theme)].sort((left, right) => left - right);
  return (high! + 0.05) / (low! + 0.05);
}

const surfaces = [
  'surface-ground',
  'surface-panel',
  'surface-raised',
  'surface-inset',
  'surface-hover',
  'surface-selected',
];
const texts = ['text', 'text-muted', 'text-faint', 'accent'];
const ansi = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].map(
  (name) => `ansi-${name}`,
);
const statuses = stepStatuses.map(statusToken);

const textPairs = [
  ...texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const)),
  ...statuses.flatMap((status) =>
    ['surface-panel', 'surface-selected', 'surface-hover', `status-${status}-soft`].map(
      (surface) => [`status-${status}-text`, surface] as const,
    ),
  ),
  ...ansi.map((colour) => [colour, 'surface-inset'] as const),
  ['text-on-accent', 'accent'],
  ['text-on-accent', 'accent-hover'],
  ['surface-panel', 'status-failed'],
  ['surface-panel', 'status-failed-text'],
  ['text-on-tooltip', 'surface-tooltip'],
] as const;
const markPairs = [
  ...statuses.flatMap((status) =>
    ['surface-panel', 'surface-ground', `status-${status}-soft`].map(
      (surface) => [`status-${status}`, surface] as const,
    ),
  ),
  ...['surface-panel', 'surface-ground'].flatMap((surface) => [
    ['border-strong', surface] as const,
    ['focus', surface] as const,
  ]),
];

test.each(themes)('text has a contrast of 4.5 to 1 in the %s theme (WCAG 1.4.3)', (theme) => {
  const poor = textPairs.filter(([front, back]) => contrast(front, back, theme) < 4.5);
  expect(
    poor.map(([front, back]) => `${front} on ${back}: ${contrast(front, back, theme).toFixed(2)}`),
  ).toEqual([]);
});

test.each(themes)(
  'icons, field borders and focus have a contrast of 3 to 1 in the %s theme (WCAG 1.4.11)',
  (theme) => {
    const poor = markPairs.filter(([front, back]) => contrast(front, back, theme) < 3);
    expect(
      poor.map(([front, back]) => `${front} on ${back}: ${contrast(front, back, theme).toFixed(2)}`),
    ).toEqual([]);
  },
);
