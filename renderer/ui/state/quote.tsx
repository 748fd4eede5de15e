import styles from './state.module.css';

interface QuoteProps {
  /** Empty while loading; its space is reserved, so that nothing moves. */
  readonly text: string;
}

/** A decorative quote: not a link, and not announced. */
export function Quote({ text }: QuoteProps) {
  return (
    <figure className={styles.quote} aria-label="Quote" aria-hidden={text === '' || undefined}>
      {text !== '' && <blockquote>{text}</blockquote>}
    </figure>
  );
}
