import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import controls from '../controls/controls.module.css';
import styles from './list.module.css';

interface RowCheckboxProps {
  /** Accessible name. */
  readonly label: string;
  readonly isSelected: boolean;
  /** Some, not all of what it stands for. */
  readonly isIndeterminate?: boolean;
  readonly onChange: () => void;
}

/** The box of a row. Rows come and go by the hundred while one scrolls, so their controls are the browser's own. */
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
  /** Accessible name; of a square button also what is shown when the pointer rests on it. */
  readonly label: string;
  /** Beside the icon; a button without it is square. */
  readonly children?: string;
  /** Given for a button that switches something on and off. */
  readonly pressed?: boolean;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  /** Why it cannot be used; it stays within reach, so that the reason can be read. */
  readonly unavailable?: string | undefined;
  readonly onPress: () => void;
}

/** A button in a row, explained by the one tooltip of the table. */
export function RowButton(props: RowButtonProps) {
  const { icon: Icon, label, children, pressed, isDisabled = false, isPending = false, unavailable } = props;
  const { onPress } = props;
  const isSquare = children === undefined;
  const look = isSquare
    ? `${controls.iconButton} ${controls.iconSmall}`
    : `${controls.button} ${controls.secondary} ${controls.small}`;
  const reasonId = useId();
  const isOut = isPending || unavailable !== undefined;
  return (
    <button
      type="button"
      className={`${look} ${controls.native} ${unavailable === undefined ? '' : controls.unavailable}`}
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
