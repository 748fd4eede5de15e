import { CopyButton } from '../../ui/controls/copy-button.tsx';
import styles from './gateway.module.css';

/** A text that is there to be copied. */
export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className={styles.copied}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton label={label} text={text} />
    </figure>
  );
}
