/**
 * Makes a whole table row follow its link for the pointer. The keyboard has the link itself, so the row is
 * not a control of its own; presses on controls inside the row, and selecting text, are left alone.
 */
export const pressRow = (open: () => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    if (target.closest('a, button, input, label, [role="button"]')) return;
    if (window.getSelection()?.toString()) return;
    open();
  },
});
