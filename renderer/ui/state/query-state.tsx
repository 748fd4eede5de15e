import { Lock, RotateCw, Unplug } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { refusalText } from '../../format/refusal-text.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';
import styles from './state.module.css';
import { isMissing } from './missing-state.tsx';

interface QueryStateProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; refetch(): unknown };
  /** What could not be had, for the error's headline: `This run`. */
  readonly what: string;
  /** Stands in while there is no data yet, instead of bars. */
  readonly waiting?: React.ReactNode;
  /** Stands where there is nothing of that name; without it that is a failure like any other. */
  readonly missing?: React.ReactNode;
  readonly children: (data: Data) => React.ReactNode;
}

/** Shows data once it is there; until then a quiet place holder, or the reason why there is none. */
export function QueryState<Data>(props: QueryStateProps<Data>) {
  const { query, what, waiting = <Loading />, missing, children } = props;
  // What is gone is not shown as if it were there.
  if (missing !== undefined && isMissing(query.error)) return missing;
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return waiting;
  // To ask again would not help.
  if (toAppError(query.error).details?.['requiredRole'] !== undefined) {
    return (
      <EmptyState icon={Lock} title={`You do not have permission to view ${lowerFirst(what)}`}>
        <p>{refusalText(query.error)}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Unplug} title={`Could not load ${lowerFirst(what)}`}>
      <p>{refusalText(query.error)}</p>
      <Button icon={RotateCw} onPress={() => query.refetch()}>
        Try again
      </Button>
    </EmptyState>
  );
}

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

/** Bars that stand for rows to come; they appear only when loading takes noticeably long. */
function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
