import { CircleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import { Button } from '../../controls/button.tsx';
import { Dialog, DialogActions } from '../../overlay/dialog.tsx';
import type { BulkReport } from './bulk-work.ts';
import styles from '../list.module.css';

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
