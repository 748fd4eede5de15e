import { type LucideIcon, X, CircleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { useState } from 'react';
import type { OperationName } from '../../../core/contract/operations.ts';
import { pluralize } from '../../../core/base/text.ts';
import { errorText } from '../../format/error-text.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { showToast } from '../toasts.tsx';
import styles from './list.module.css';

/** An item of a bulk action. */
interface BulkItem {
  /** Its name in the report. */
  readonly name: string;
  readonly href?: string;
}

/** The result of a bulk action. */
interface BulkReport<Item extends BulkItem = BulkItem> {
  /** Past participle of the action, such as `stopped`. */
  readonly verb: string;
  readonly done: number;
  readonly failed: readonly { readonly item: Item; readonly reason: string }[];
}

/** Number of parallel requests; the engine has other clients. */
const atOnce = 4;

/** Applies an action to each item, regardless of failures of others. Never rejects. */
export async function runBulkAction<Item extends BulkItem>(
  verb: string,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<BulkReport<Item>> {
  const failed: { item: Item; reason: string }[] = [];
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      const current = item;
      await work(current).catch((error: unknown) => {
        failed.push({ item: current, reason: errorText(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const order = (item: Item): number => items.indexOf(item);
  failed.sort((a, b) => order(a.item) - order(b.item));
  return { verb, done: items.length - failed.length, failed };
}

/** An action on all selected items that support it. */
export interface BulkAction {
  readonly icon: LucideIcon;
  readonly label: string;
  /** The operation that the user's role must allow. */
  readonly operation: OperationName;
  readonly isDanger?: true;
  /** Number of items that support it; disabled at zero. */
  readonly count: number;
  readonly onPress: () => void;
}

interface BulkActionsProps {
  readonly actions: readonly BulkAction[];
  readonly isBusy: boolean;
}

/** Buttons of a {@link BulkBar}, each with the number of affected items. */
export function BulkActions({ actions, isBusy }: BulkActionsProps) {
  return actions.map((action) => <ActionButton key={action.label} {...action} isBusy={isBusy} />);
}

function ActionButton(props: BulkAction & { readonly isBusy: boolean }) {
  const { icon, label, operation, isDanger, count, isBusy, onPress } = props;
  const may = useCan(operation);
  return (
    <Button
      size="small"
      icon={icon}
      variant={isDanger ? 'danger' : 'secondary'}
      isDisabled={count === 0 || isBusy}
      unavailable={may.reason}
      onPress={onPress}
    >
      {count === 0 ? label : `${label} ${count}`}
    </Button>
  );
}

interface BulkBarProps {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: React.ReactNode;
}

/** Actions on the selected items. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Selection">
      <span className={styles.bulkCount} role="status">
        {count} selected
      </span>
      {children}
      <span className={styles.space} />
      <IconButton label="Clear selection" icon={X} onPress={onClear} />
    </div>
  );
}

interface BulkReportProps {
  readonly report: BulkReport;
  /** Noun for the items, such as `run`. */
  readonly thing: string;
  readonly onClose: () => void;
}

/** Lists the items for which an action failed, with the reasons. */
export function BulkReportDialog({ report, thing, onClose }: BulkReportProps) {
  const { verb, done, failed } = report;
  const title =
    done === 0
      ? `${pluralize(failed.length, thing)} not ${verb}`
      : `${pluralize(done, thing)} ${verb}, ${failed.length} failed`;
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className={styles.report}>
        {failed.map(({ item, reason }) => (
          <li key={item.name}>
            <CircleAlert size={16} aria-hidden="true" />
            <div className={styles.reportText}>
              {item.href === undefined ? <b>{item.name}</b> : <Link href={item.href}>{item.name}</Link>}
              <span>{reason}</span>
            </div>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Applies an action to several items and reports the result: a toast, or a report if some failed. */
export function useBulk(thing: string) {
  const [report, setReport] = useState<BulkReport>();
  const [isPending, setPending] = useState(false);
  const begin = async <Item extends BulkItem>(
    verb: string,
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ): Promise<void> => {
    setPending(true);
    const result = await runBulkAction(verb, items, work);
    setPending(false);
    if (result.failed.length > 0) setReport(result);
    else showToast('info', `${pluralize(result.done, thing)} ${verb}`);
  };
  return {
    begin,
    isPending,
    dialog: report && <BulkReportDialog report={report} thing={thing} onClose={() => setReport(undefined)} />,
  };
}
