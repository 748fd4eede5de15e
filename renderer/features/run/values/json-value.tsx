import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import styles from './values.module.css';

/** Formats a value: a string unchanged, anything else as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);

/** An output value with a copy button. */
export function JsonValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = textOf(value);
  return (
    <div className={styles.value}>
      {text === '' ? <i>empty</i> : <pre>{text}</pre>}
      <CopyButton label={`Copy ${name}`} text={text} />
    </div>
  );
}
