/** Scroll position and sizes, in pixels. */
export interface ScrollPosition {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the log follows its end, and how long it was when following stopped. */
export interface FollowState {
  readonly following: boolean;
  /** Number of lines when following stopped; unused while following. */
  readonly seenLines: number;
  readonly lastTop: number;
}

/** Distance from the end, in pixels, that counts as the end. */
const slackPx = 12;

export const initialFollowing: FollowState = { following: true, seenLines: 0, lastTop: 0 };

/**
 * Updates following after a scroll: scrolling up stops it, reaching the end resumes it. When the log grows or
 * the view is enlarged, nothing scrolls up, so nothing changes.
 */
export function followAfterScroll(
  state: FollowState,
  position: ScrollPosition,
  totalLines: number,
): FollowState {
  const toEnd = position.scrollHeight - position.clientHeight - position.scrollTop;
  const movedUp = position.scrollTop < state.lastTop - 1;
  if (toEnd <= slackPx) return { ...state, following: true, lastTop: position.scrollTop };
  if (state.following && movedUp)
    return { following: false, seenLines: totalLines, lastTop: position.scrollTop };
  return { ...state, lastTop: position.scrollTop };
}

/** Returns the number of lines written since following stopped. */
export const countNewLines = ({ following, seenLines }: FollowState, totalLines: number): number =>
  following ? 0 : Math.max(0, totalLines - seenLines);

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
function readRowSelection(list: HTMLElement): RowSelection | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const first = getRowElement(range.startContainer, list);
  const last = getRowElement(range.endContainer, list);
  if (first === undefined || last === undefined) return undefined;
  const [from, to] = [getRow(first), getRow(last)];
  const drawn = [...list.querySelectorAll<HTMLElement>('[data-row]')].map(getRow);
  return {
    from,
    to,
    fromColumn: getColumn(first, range.startContainer, range.startOffset),
    toColumn: getColumn(last, range.endContainer, range.endOffset),
    isDrawn: drawn.filter((row) => row >= from && row <= to).length > to - from,
  };
}

/** Returns the rows of both ends of the selection, in order; empty if it is outside the list. */
export function readSelectedEnds(list: HTMLElement): readonly number[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return [];
  const rows = [selection.anchorNode, selection.focusNode].flatMap((node) => {
    const element = node && getRowElement(node, list);
    return element ? [getRow(element)] : [];
  });
  return [...new Set(rows)].toSorted((a, b) => a - b);
}

const getRow = (element: HTMLElement): number => Number(element.dataset['row']);

function getRowElement(node: Node, list: HTMLElement): HTMLElement | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]');
  return row && list.contains(row) ? row : undefined;
}

/** Returns the number of characters of a row's text before a position; other content of the row is ignored. */
function getColumn(row: HTMLElement, node: Node, offset: number): number {
  const text = row.querySelector('code');
  if (text === null) return 0;
  const range = document.createRange();
  range.selectNodeContents(text);
  const side = range.comparePoint(node, offset);
  if (side !== 0) return side < 0 ? 0 : Number.POSITIVE_INFINITY;
  range.setEnd(node, offset);
  return range.toString().length;
}

/** Props of a list of rows. */
export interface RowListProps {
  readonly count: number;
  /** Whether long lines wrap, so that rows have different heights. */
  readonly wrap: boolean;
  /** Renders a row and returns the attributes of its element. */
  readonly renderRow: (row: number) => RowContent;
  /** Whether the list follows its end. */
  readonly following: boolean;
  readonly onRange: (from: number, to: number) => void;
  readonly onScroll: (position: ScrollPosition) => void;
  readonly handle: React.RefObject<RowListHandle | null>;
  readonly label: string;
  /**
   * Called to copy a selection that is only partly rendered; without it only the rendered part can be copied.
   */
  readonly onCopy?: (selection: RowSelection) => void;
  readonly onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => void;
}

export interface RowContent {
  readonly content: React.ReactNode;
  readonly chosen: boolean;
  readonly stream: string;
}

export interface RowListHandle {
  /** Scrolls a row into view, to the middle if it was not visible. */
  readonly reveal: (row: number) => void;
  /** Returns the fully visible rows; `to` is exclusive. */
  readonly inView: () => { readonly from: number; readonly to: number };
  readonly focus: () => void;
}

/** Copies a selection that is only partly rendered; otherwise leaves it to the browser. */
export function copySelection(
  event: React.ClipboardEvent<HTMLElement>,
  onCopy: RowListProps['onCopy'],
): void {
  const selection = readRowSelection(event.currentTarget);
  if (selection === undefined || selection.isDrawn || onCopy === undefined) return;
  event.preventDefault();
  onCopy(selection);
}
