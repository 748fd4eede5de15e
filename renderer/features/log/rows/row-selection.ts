/** What is selected by the mouse in a list of rows, from a column of one row to one of another. */
export interface RowSelection {
  /** 0-based, both belong to it. */
  readonly from: number;
  readonly to: number;
  /** Characters of the first row that are before it; Infinity when all are. */
  readonly fromColumn: number;
  /** Characters of the last row that belong to it; Infinity for all. */
  readonly toColumn: number;
  /** Every row of it is on the page, so that the browser can copy it. */
  readonly isDrawn: boolean;
}

/** The selection of the page, when both of its ends are in rows of the list. */
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

/** The rows in which the two ends of the selection are, in order; none when it is not in the list. */
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

/** How much of the text of a row is before a place in it; what else is in the row is no text. */
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
