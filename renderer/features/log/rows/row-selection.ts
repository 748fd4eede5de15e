/** A text selection in a list of rows, from a column of one row to a column of another. */
export interface RowSelection {
  /** 0-based, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Characters of the first row before it; Infinity for all. */
  readonly fromColumn: number;
  /** Characters of the last row in it; Infinity for all. */
  readonly toColumn: number;
  /** Whether every row in it is rendered, so that the browser can copy it. */
  readonly isDrawn: boolean;
}

/** Returns the page's selection if both of its ends are in rows of the list. */
export function readRowSelection(list: HTMLElement): RowSelection | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const first = rowElementOf(range.startContainer, list);
  const last = rowElementOf(range.endContainer, list);
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [rowOf(first), rowOf(last)];
  const drawn = [...list.querySelectorAll<HTMLElement>('[data-row]')].map(rowOf);
  return {
    from,
    to,
    fromColumn: columnOf(first, range.startContainer, range.startOffset),
    toColumn: columnOf(last, range.endContainer, range.endOffset),
    isDrawn: drawn.filter((row) => row >= from && row <= to).length > to - from,
  };
}

/** Returns the rows of both ends of the selection, in order; empty if it is outside the list. */
export function readSelectedEnds(list: HTMLElement): readonly number[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return [];
  const rows = [selection.anchorNode, selection.focusNode].flatMap((node) => {
    const element = node && rowElementOf(node, list);
    return element ? [rowOf(element)] : [];
  });
  return [...new Set(rows)].toSorted((left, right) => left - right);
}

const rowOf = (element: HTMLElement): number => Number(element.dataset['row']);

function rowElementOf(node: Node, list: HTMLElement): HTMLElement | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]');
  return row && list.contains(row) ? row : undefined;
}

/** Returns the number of characters of a row's text before a position; other content of the row is ignored. */
function columnOf(row: HTMLElement, node: Node, offset: number): number {
  const text = row.querySelector('code');
  if (text === null) return 0;
  const range = document.createRange();
  range.selectNodeContents(text);
  const side = range.comparePoint(node, offset);
  if (side !== 0) return side < 0 ? 0 : Number.POSITIVE_INFINITY;
  range.setEnd(node, offset);
  return range.toString().length;
}
