import { endOfItem, type StepLines } from './step-lines.ts';

interface Lines {
  readonly text: string;
  readonly lines: StepLines;
}

/**
 * Returns, for each item except the last one, the index of the item with the same lines in another text, or -1. Common
 * items at the start and end are compared in place; only the items between are looked up, so that moved steps are
 * found, too. The last item of the other text never matches, because it was parsed with what follows the steps.
 */
export function matchItems(now: Lines, before: Lines): number[] {
  const [count, others] = [now.lines.starts.length - 1, before.lines.starts.length - 1];
  const matches = Array.from({ length: count }, () => -1);
  const isSame = (item: number, other: number): boolean => isSameText(now, item, before, other);
  const shorter = Math.min(count, others);
  let head = 0;
  while (head < shorter && isSame(head, head)) {
    matches[head] = head;
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && isSame(count - 1 - tail, others - 1 - tail)) {
    tail += 1;
    matches[count - tail] = others - tail;
  }
  const between = new Map<string, number>();
  for (let other = others - tail - 1; other >= head; other -= 1) between.set(linesOf(before, other), other);
  for (let item = head; item < count - tail; item += 1) matches[item] = between.get(linesOf(now, item)) ?? -1;
  return matches;
}

const linesOf = ({ text, lines }: Lines, item: number): string =>
  text.slice(lines.starts[item], endOfItem(lines, item));

function isSameText(now: Lines, item: number, before: Lines, other: number): boolean {
  const start = now.lines.starts[item]!;
  const from = before.lines.starts[other]!;
  const length = endOfItem(before.lines, other) - from;
  if (endOfItem(now.lines, item) - start !== length) return false;
  return now.text.startsWith(before.text.slice(from, from + length), start);
}
