/** A pattern that takes time in proportion to its whole size for each character of {@link slowLine}. */
export const slowPattern = '[ab]*a[ab]{900}c$';

/** A line of 10,000 characters, each of which leads to another set of 900 states in {@link slowPattern}. */
export const slowLine = `c${buildNoise(9_999)}`;

function buildNoise(length: number): string {
  let state = 12_345;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 65_536 < 32_768 ? 'a' : 'b';
  }).join('');
}
