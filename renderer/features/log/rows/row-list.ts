import type { ScrollPosition } from '../follow-scroll.ts';
import { readRowSelection, type RowSelection } from './row-selection.ts';

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
