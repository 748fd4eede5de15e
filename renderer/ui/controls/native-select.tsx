import { ChevronDown } from 'lucide-react';
import styles from './controls.module.css';

type NativeSelectProps = React.ComponentProps<'select'> & {
  /** In a form: as wide as the fields around it. */
  readonly isField?: boolean;
};

/** A choice of one out of many, or in a form: it looks as `Select` does, and its list is the system's. */
export function NativeSelect({ isField = false, ...rest }: NativeSelectProps) {
  return (
    <span className={styles.nativeSelect} data-field={isField || undefined}>
      <select {...rest} className={styles.select} />
      <ChevronDown size={14} aria-hidden="true" />
    </span>
  );
}
