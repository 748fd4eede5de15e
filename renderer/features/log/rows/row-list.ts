import type { ScrollPlace } from '../follow-scroll.ts';
import { readRowSelection, type RowSelection } from './row-selection.ts';

/** What a list of rows is given. */
export interface RowListProps {
  readonly count: number;
  /** Rows are as high as their lines, which go on in the next one where they are too long. */
  readonly wrap: boolean;
  /** Draws a row and says what its element is to carry. */
  readonly renderRow: (row: number) => RowContent;
  /** Keeps to the end. */
  readonly following: boolean;
  readonly onRange: (from: number, to: number) => void;
  readonly onScroll: (place: ScrollPlace) => void;
  readonly handle: React.RefObject<RowListHandle | null>;
  readonly label: string;
  /** A selection is to be copied of which the page has only a part; without it only that part can be. */
  readonly onCopy?: (selection: RowSelection) => void;
  readonly onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => void;
}

export interface RowContent {
  readonly content: React.ReactNode;
  readonly chosen: boolean;
  readonly stream: string;
}

export interface RowListHandle {
  /** Brings a row into view; into the middle when it was not there. */
  readonly reveal: (row: number) => void;
  /** The rows that are in view whole; `to` is exclusive. */
  readonly inView: () => { readonly from: number; readonly to: number };
  readonly focus: () => void;
}

/** Copies what the browser cannot, since it is not on the page; leaves the rest to it. */
export function copySelection(
  event: React.ClipboardEvent<HTMLElement>,
  onCopy: RowListProps['onCopy'],
): void {
  const selection = readRowSelection(event.currentTarget);
  if (selection === undefined || selection.isDrawn || onCopy === undefined) return;
  event.preventDefault();
  onCopy(selection);
}
