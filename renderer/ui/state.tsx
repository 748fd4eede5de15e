import {
  type LucideIcon,
  List,
  SearchX,
  CircleAlert,
  Hand,
  Hourglass,
  TriangleAlert,
  Lock,
  RotateCw,
  Unplug,
} from 'lucide-react';
import { toAppError } from '../../core/base/errors.ts';
import { errorText } from '../format/error-text.ts';
import { Illustration, type IllustrationName } from './illustration.tsx';
import styles from './state.module.css';
import { LinkButton, Button } from './button.tsx';

type EmptyStateProps = {
  readonly title: string;
  readonly children?: React.ReactNode;
  /** The whole page has an illustration, a part of it an icon. */
} & ({ readonly icon: LucideIcon } | { readonly illustration: IllustrationName });

/** Empty state: what the view is for, and an action. */
export function EmptyState({ title, children, ...image }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-empty>
      {'illustration' in image ? <Illustration name={image.illustration} /> : <EmptyMark icon={image.icon} />}
      <h2>{title}</h2>
      {children !== undefined && <div className={styles.emptyText}>{children}</div>}
    </div>
  );
}

const EmptyMark = ({ icon: Icon }: { readonly icon: LucideIcon }) => (
  <span className={styles.emptyMark}>
    <Icon size={24} strokeWidth={1.5} aria-hidden="true" />
  </span>
);

interface MissingStateProps {
  /** The missing object with its name: `Workflow "etl"`. */
  readonly what: string;
  /** A possible reason, in one sentence. */
  readonly explanation: string;
  /** The list that would contain it. */
  readonly list: { readonly href: string; readonly label: string };
}

/** Shown for an address of an object that does not exist. */
export function MissingState({ what, explanation, list }: MissingStateProps) {
  return (
    <EmptyState icon={SearchX} title={`${what} not found`}>
      <p>{explanation}</p>
      <LinkButton href={list.href} icon={List}>
        {list.label}
      </LinkButton>
    </EmptyState>
  );
}

/** Whether a request failed because the object does not exist, so that retrying is pointless. */
export const isMissing = (error: unknown): boolean =>
  error !== null && ['not_found', 'gone'].includes(toAppError(error).code);

interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'info' | 'asking';
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

/** An `asking` notice appears while the page is open and is announced; the others are read in place. */
const roles = { error: 'alert', warning: 'note', info: 'note', asking: 'status' } as const;
const icons = { error: CircleAlert, warning: TriangleAlert, info: Hourglass, asking: Hand } as const;

/**
 * A message about the whole page; `info` is for normal states that take time, `asking` for states that wait for
 * the user.
 */
export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = icons[tone];
  const quotes = typeof children === 'string' && !/^\p{L}/u.test(children);
  return (
    <div className={styles.notice} data-tone={tone} role={roles[tone]}>
      <Icon size={16} aria-hidden="true" />
      <div className={styles.noticeText} data-quotes={quotes || undefined}>
        {children}
      </div>
      {action}
    </div>
  );
}

interface QueryStateProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown };
  /** What failed to load, for the error title: `This run`. */
  readonly what: string;
  /** Placeholder while loading, instead of the default one. */
  readonly waiting?: React.ReactNode;
  /** Shown if the object does not exist; without it, that is an ordinary error. */
  readonly missing?: React.ReactNode;
  readonly children: (data: Data) => React.ReactNode;
}

/** Renders data once it is loaded; until then a placeholder, or the error. */
export function QueryState<Data>(props: QueryStateProps<Data>) {
  const { query, what, waiting = <Loading />, missing, children } = props;
  // A deleted object must not be shown from the cache.
  if (missing !== undefined && isMissing(query.error)) return missing;
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return waiting;
  // Retrying is pointless.
  if (toAppError(query.error).details?.['requiredRole'] !== undefined) {
    return (
      <EmptyState icon={Lock} title={`You do not have permission to view ${lowercaseFirst(what)}`}>
        <p>{errorText(query.error)}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Unplug} title={`Could not load ${lowercaseFirst(what)}`}>
      <p>{errorText(query.error)}</p>
      <Button icon={RotateCw} onPress={() => query.refetch()}>
        Try again
      </Button>
    </EmptyState>
  );
}

const lowercaseFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

/** Skeleton rows, which appear only after a noticeable delay. */
function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

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
