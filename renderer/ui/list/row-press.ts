/** Presses on controls inside a row, and selecting text, are left alone. */
const isOwn = ({ target }: React.MouseEvent): boolean =>
  (target as HTMLElement).closest('a, button, input, label, [role="button"]') !== null ||
  Boolean(window.getSelection()?.toString());

/**
 * Makes a whole table row follow its link for the pointer. The keyboard has the link itself, so the row is
 * not a control of its own.
 */
export const pressRow = (open: () => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    if (!isOwn(event)) open();
  },
});

/** The same for all rows of a table body that say with `data-index` which they are. */
export const pressRows = (open: (index: number) => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (row && !isOwn(event)) open(Number(row.dataset.index));
  },
});
