import { Check, Minus } from 'lucide-react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './controls.module.css';

interface CheckboxProps {
  /** Beside the box; for one in a table, its accessible name alone. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isSelected: boolean;
  /** Some, not all of what it stands for. */
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A box to tick: something belongs to a selection, or a condition holds. */
export function Checkbox({ label, isLabelHidden = false, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      {...(isLabelHidden && { 'aria-label': label })}
      className={styles.checkbox}
      data-bare={isLabelHidden || undefined}
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : null}
            {isSelected && !isIndeterminate ? <Check size={12} strokeWidth={3} /> : null}
          </span>
          {!isLabelHidden && <span>{label}</span>}
        </>
      )}
    </AriaCheckbox>
  );
}
