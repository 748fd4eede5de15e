import styles from './layout.module.css';

/** A part has to be named, so that those who come to it by the keyboard know where they are. */
type ScrollAreaProps = React.ComponentProps<'div'> &
  ({ readonly 'aria-label': string } | { readonly 'aria-labelledby': string });

/** A part of a page that is scrolled by itself, by keys as well: it takes the focus. */
export function ScrollArea({ className = '', ...rest }: ScrollAreaProps) {
  return (
    // What has nothing to be pressed in it could not be reached otherwise.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`${styles.scrollArea} ${className}`} role="region" tabIndex={0} {...rest} />
  );
}
