import { CircleHelp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { findHelp, paths } from '../navigation/address.ts';
import styles from './layout.module.css';
import controlsStyles from './controls.module.css';

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

/**
 * Scrolls an element into view when it appears and when the window is resized, for small windows.
 * @param isEnabled whether it should be visible
 * @returns the `ref` of the element
 */
export function useIntersection<Shown extends HTMLElement>(
  isEnabled: boolean,
): React.RefObject<Shown | null> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const show = (): void => element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [isEnabled]);
  return element;
}

/** The tags of a workflow, all in the same style. */
export function TagList({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={controlsStyles.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className={controlsStyles.tag} dir="auto" title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}

/** A link to the documentation of the current page. */
function HelpLink() {
  const [location] = useLocation();
  const document = findHelp(location);
  if (document === undefined) return null;
  return (
    <Link
      href={paths.help(document)}
      className={controlsStyles.help}
      aria-label="Help for this page"
      title="Help for this page"
    >
      <CircleHelp size={16} aria-hidden="true" />
    </Link>
  );
}

interface PageProps {
  readonly title: React.ReactNode;
  /** Above the title: breadcrumbs. */
  readonly above?: React.ReactNode;
  /** Next to the title: status, tags. */
  readonly beside?: React.ReactNode;
  /** Below the title and actions, over the full width: description, key values. */
  readonly below?: React.ReactNode;
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A page: a header with title and actions, and content that fills the rest of the window. */
export function Page({ title, above, beside, below, actions, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.headerText}>
          {above}
          <div className={styles.headerLine}>
            <h1 className={styles.title} dir="auto">
              {title}
            </h1>
            {beside}
          </div>
        </div>
        <div className={styles.actions}>
          {actions}
          <HelpLink />
        </div>
        {below && <div className={styles.below}>{below}</div>}
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
