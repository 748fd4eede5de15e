/** Longest word that gets a suggestion. */
const MAX_WORD_LENGTH = 100;

/** Most pairs of characters that one search compares: about five milliseconds. */
const MAX_CELLS = 500_000;

/**
 * Returns the candidate most similar to `word`, if it is similar enough to be a likely typo. Examines only the first
 * candidates when there are too many to compare.
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const folded = word.toLowerCase();
  let cells = MAX_CELLS;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(folded.length - candidate.length) >= bestDistance) continue;
    cells -= (folded.length + 1) * (candidate.length + 1);
    if (cells < 0) break;
    const distance = editDistance(folded, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * Returns the edit distance between two words, a swap of neighbours counting as one, or `limit` as soon as it cannot be
 * lower.
 */
function editDistance(left: string, right: string, limit: number): number {
  const width = right.length + 1;
  let beforeThat = new Uint16Array(width);
  let previous = Uint16Array.from({ length: width }, (_, index) => index);
  let current = new Uint16Array(width);
  let previousLeast = 0;
  for (let row = 1; row <= left.length; row += 1) {
    current[0] = row;
    let min = row;
    for (let column = 1; column < width; column += 1) {
      const substitution = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = row > 1 && column > 1 && isSwap ? beforeThat[column - 2]! + 1 : limit;
      const distance = Math.min(substitution, swap, previous[column]! + 1, current[column - 1]! + 1);
      current[column] = distance;
      min = Math.min(min, distance);
    }
    if (Math.min(min, previousLeast) >= limit) return limit;
    previousLeast = min;
    [beforeThat, previous, current] = [previous, current, beforeThat];
  }
  return previous[width - 1]!;
}
