/** Longest word that gets a hint; the comparison takes time in proportion to the square of its length. */
const MAX_WORD_LENGTH = 100;

/** The candidate most like `word`, if one is near enough to be a likely slip of the keyboard. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Changes from one word to the other, a swap of neighbours being one, or `limit` as soon as it cannot be less. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforeThat: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = row > 1 && column > 1 && isSwap ? beforeThat[column - 2]! + 1 : limit;
      current.push(Math.min(substitution, swap, previous[column]! + 1, current[column - 1]! + 1));
    }
    if (Math.min(...current, ...previous) >= limit) return limit;
    [beforeThat, previous] = [previous, current];
  }
  return previous[right.length]!;
}
