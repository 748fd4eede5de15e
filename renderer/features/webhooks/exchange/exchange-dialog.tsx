import { RotateCw, SearchX } from 'lucide-react';
import { useCan } from '../../../api/session/permissions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { isMissing } from '../../../ui/state/missing-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import styles from './exchange.module.css';

interface RequestDialogProps<Detail> {
  readonly title: string;
  /** What failed to load, for the error title. */
  readonly what: string;
  readonly query: React.ComponentProps<typeof QueryState<Detail>>['query'];
  /** The action that repeats the request. */
  readonly again: {
    readonly label: string;
    readonly operation: Parameters<typeof useCan>[0];
    readonly isPending: boolean;
    readonly run: () => void;
  };
  readonly onClose: () => void;
  readonly children: (detail: Detail) => React.ReactNode;
}

/** One sent or received request, with its actions. */
export function RequestDialog<Detail>(props: RequestDialogProps<Detail>) {
  const { title, what, query, again, onClose, children } = props;
  const may = useCan(again.operation);
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <QueryState query={query} what={what} missing={<Gone what={what} />}>
        {(detail) => <div className={styles.exchange}>{children(detail)}</div>}
      </QueryState>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        <Button
          isDisabled={isMissing(query.error)}
          variant="primary"
          icon={RotateCw}
          isPending={again.isPending}
          unavailable={may.reason}
          onPress={again.run}
        >
          {again.label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Gone = ({ what }: { readonly what: string }) => (
  <EmptyState
    icon={SearchX}
    title={`${what.replace(/^This (.)/, (_, first: string) => first.toUpperCase())} not found`}
  >
    <p>Old deliveries are removed automatically.</p>
  </EmptyState>
);

/** The headers of a request or response. */
export function RequestSection({
  title,
  children,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
}) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
