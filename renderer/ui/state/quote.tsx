import styles from './state.module.css';

interface QuoteProps {
  /** Empty while it is not known: its room is kept, so that nothing moves when it comes. */
  readonly text: string;
}

/** A line for idle moments, which asks for no attention: it is no link, and nobody is told when it comes. */
export function Quote({ text }: QuoteProps) {
  return (
    <figure className={styles.quote} aria-label="Quote" aria-hidden={text === '' || undefined}>
      {text !== '' && <blockquote>{text}</blockquote>}
    </figure>
  );
}
