import { useState } from 'react';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import { showToast } from '../../overlay/toasts.tsx';
import { BulkReportDialog } from './bulk-report.tsx';
import { runBulkAction, type BulkItem, type BulkReport } from './bulk-work.ts';

/** Applies an action to several items and shows the result: a toast, or a report if some failed. */
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
