import { Lock, RotateCw, Unplug } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { errorText } from '../../format/error-text.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';
import styles from './state.module.css';
import { isMissing } from './missing-state.tsx';

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

/** Shows data once it is loaded; until then a placeholder, or the error. */
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
