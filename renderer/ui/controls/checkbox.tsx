import { Check, Minus } from 'lucide-react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './controls.module.css';

interface CheckboxProps {
  /** Shown next to the box; in a table, only its accessible name. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isSelected: boolean;
  /** Some but not all of its items are selected. */
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A checkbox for a selection or a condition. */
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
