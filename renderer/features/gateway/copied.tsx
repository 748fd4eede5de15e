import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ScrollArea } from '../../ui/layout/scroll-area.tsx';
import styles from './gateway.module.css';

interface CopiedProps {
  /** Label of the text. */
  readonly name: string;
  /** Label of the button. */
  readonly label: string;
  readonly text: string;
}

/** A text with a copy button. */
export function CopyableText({ name, label, text }: CopiedProps) {
  return (
    <figure className={styles.copied}>
      <ScrollArea aria-label={name}>
        <pre>{text}</pre>
      </ScrollArea>
      <CopyButton label={label} text={text} />
    </figure>
  );
}
