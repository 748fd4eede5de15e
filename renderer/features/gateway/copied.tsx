import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ScrollArea } from '../../ui/layout/scroll-area.tsx';
import styles from './gateway.module.css';

interface CopiedProps {
  /** What the text is. */
  readonly name: string;
  /** Of the button. */
  readonly label: string;
  readonly text: string;
}

/** A text that is there to be copied. */
export function Copied({ name, label, text }: CopiedProps) {
  return (
    <figure className={styles.copied}>
      <ScrollArea aria-label={name}>
        <pre>{text}</pre>
      </ScrollArea>
      <CopyButton label={label} text={text} />
    </figure>
  );
}
