import styles from './layout.module.css';

/** A scrollable region needs a name for keyboard and screen reader users. */
type ScrollAreaProps = React.ComponentProps<'div'> &
  ({ readonly 'aria-label': string } | { readonly 'aria-labelledby': string });

/** A scrollable region; it is focusable, so that keys can scroll it. */
export function ScrollArea({ className = '', ...rest }: ScrollAreaProps) {
  return (
    // A region without controls could not be reached by keyboard otherwise.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`${styles.scrollArea} ${className}`} role="region" tabIndex={0} {...rest} />
  );
}
