import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import type { MenuPosition } from '../menu.tsx';
import controls from '../controls.module.css';
import styles from './list.module.css';

interface RowCheckboxProps {
  /** Accessible name. */
  readonly label: string;
  readonly isSelected: boolean;
  /** Some but not all of its items are selected. */
  readonly isIndeterminate?: boolean;
  readonly onChange: () => void;
}

/** The checkbox of a row. It is a native control, because scrolling mounts and unmounts hundreds of rows. */
export function RowCheckbox({ label, isSelected, isIndeterminate = false, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={styles.pick}
      aria-label={label}
      checked={isSelected}
      ref={(box) => {
        if (box) box.indeterminate = isIndeterminate;
      }}
      onChange={onChange}
    />
  );
}

interface RowButtonProps {
  readonly icon: LucideIcon;
  /** Accessible name; for a square button also the tooltip. */
  readonly label: string;
  /** Label next to the icon; a button without it is square. */
  readonly children?: string;
  /** Set for a toggle button. */
  readonly pressed?: boolean;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  /** Why it is unavailable; the button stays focusable, so that the reason can be read. */
  readonly unavailable?: string | undefined;
  readonly onPress: () => void;
}

/** A button in a row; its hint is shown by the table's shared tooltip. */
export function RowButton(props: RowButtonProps) {
  const { icon: Icon, label, children, pressed, isDisabled = false, isPending = false, unavailable } = props;
  const { onPress } = props;
  const isSquare = children === undefined;
  const variant = isSquare
    ? `${controls.iconButton} ${controls.iconSmall}`
    : `${controls.button} ${controls.secondary} ${controls.small}`;
  const reasonId = useId();
  const isOut = isPending || unavailable !== undefined;
  return (
    <button
      type="button"
      className={`${variant} ${controls.native} ${unavailable === undefined ? '' : controls.unavailable}`}
      aria-label={label}
      aria-describedby={unavailable === undefined ? undefined : reasonId}
      aria-pressed={pressed}
      aria-disabled={isOut || undefined}
      disabled={isDisabled}
      data-disabled={isDisabled || undefined}
      data-pending={isPending || undefined}
      data-pressed-on={pressed || undefined}
      data-hint={isSquare ? [label, unavailable].filter(Boolean).join('. ') : unavailable}
      onClick={isOut ? undefined : onPress}
    >
      <Icon size={14} aria-hidden="true" />
      {!isSquare && <span>{children}</span>}
      {unavailable !== undefined && (
        <span id={reasonId} hidden>
          {unavailable}
        </span>
      )}
    </button>
  );
}

/** Whether the click belongs to a control in the row or to a text selection. */
const isHandledInside = ({ target }: React.MouseEvent): boolean =>
  (target as HTMLElement).closest('a, button, input, label, [role="button"]') !== null ||
  Boolean(window.getSelection()?.toString());

/**
 * Makes a whole table row clickable. Keyboard users use the link in the row, so the row is not a control
 * itself.
 */
export const clickableRow = (open: () => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    if (!isHandledInside(event)) open();
  },
});

/** The same for all rows of a table body, identified by `data-index`. */
export const clickableRows = (open: (index: number) => void) => ({
  onClick: (event: React.MouseEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (row && !isHandledInside(event)) open(Number(row.dataset.index));
  },
});

/** Opens the menu of a row, identified by `data-index`, at the pointer or below the focused control. */
export const rowMenus = (open: (index: number, at: MenuPosition) => void) => ({
  onContextMenu: (event: React.MouseEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]:not([data-section])');
    if (!row || window.getSelection()?.toString()) return;
    event.preventDefault();
    open(Number(row.dataset['index']), { x: event.clientX, y: event.clientY });
  },
});

/** A button in a row that opens the same menu as a right click on it. */
export function RowMenuButton({ label }: { readonly label: string }) {
  return (
    <button
      type="button"
      className={`${controls.iconButton} ${controls.iconSmall} ${controls.native}`}
      aria-label={label}
      aria-haspopup="menu"
      data-hint={label}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        const at = { clientX: left, clientY: bottom };
        currentTarget.dispatchEvent(
          new MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }),
        );
      }}
    >
      <Ellipsis size={14} aria-hidden="true" />
    </button>
  );
}
