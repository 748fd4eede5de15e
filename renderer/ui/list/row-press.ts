/** Whether the click belongs to a control in the row or to a text selection. */
const isOwn = ({ target }: React.MouseEvent): boolean =>
  (target as HTMLElement).closest('a, button, input, label, [role="button"]') !== null ||
  Boolean(window.getSelection()?.toString());

/**
 * Makes a whole table row clickable. Keyboard users use the link in the row, so the row is not a control
 * itself.
 */
export const clickableRow = (open: () => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    if (!isOwn(event)) open();
  },
});

/** The same for all rows of a table body, identified by `data-index`. */
export const clickableRows = (open: (index: number) => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (row && !isOwn(event)) open(Number(row.dataset.index));
  },
});
