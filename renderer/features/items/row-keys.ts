/** Rows that a page key passes over. */
const pageRows = 10;

/**
 * Where a key moves the focus in a list of which one row at a time can be reached by Tab.
 * @returns undefined when the key means nothing here
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
