import { ChevronDown } from 'lucide-react';
import styles from './controls.module.css';

type NativeSelectProps = React.ComponentProps<'select'> & {
  /** In a form: as wide as the other fields. */
  readonly isField?: boolean;
};

/** A native select, styled like `Select`, with the system's list; for many options or in forms. */
export function NativeSelect({ isField = false, ...rest }: NativeSelectProps) {
  return (
    <span className={styles.nativeSelect} data-field={isField || undefined}>
      <select {...rest} className={styles.select} />
      <ChevronDown size={14} aria-hidden="true" />
    </span>
  );
}
