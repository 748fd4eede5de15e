/** Number of rows that Page Up and Page Down skip. */
const pageRows = 10;

/**
 * Returns the row that a key moves the focus to, in a list with one row in the tab order.
 * @returns undefined if the key does nothing here
 */
export function moveRow(key: string, row: number, count: number): number | undefined {
  const clamp = (to: number): number => Math.min(count - 1, Math.max(0, to));
  switch (key) {
    case 'ArrowDown':
      return clamp(row + 1);
    case 'ArrowUp':
      return clamp(row - 1);
    case 'PageDown':
      return clamp(row + pageRows);
    case 'PageUp':
      return clamp(row - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return clamp(count);
    default:
      return undefined;
  }
}
