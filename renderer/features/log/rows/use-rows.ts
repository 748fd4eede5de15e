import { useCallback, useMemo, useState } from 'react';
import { useBridge } from '../../../api/bridge.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { findGroupEnd } from '../find-group-end.ts';
import type { DocumentPicture, LogDocument } from '../log-document.ts';
import { foldedRows, mergedRows, singleRows, type Fold, type LinePlace, type LineRows } from './line-rows.ts';

/** The rows of a log, and how to fold groups of lines away. */
export function useRows(log: LogDocument, { extents, times }: DocumentPicture) {
  const bridge = useBridge();
  const [folds, setFolds] = useState<readonly Fold[]>([]);
  const [first] = log.streams;
  const stdout = extents.stdout?.totalLines ?? 0;
  const stderr = extents.stderr?.totalLines ?? 0;
  const isMerged = log.streams.length > 1;
  const rows: LineRows = useMemo(
    () =>
      isMerged
        ? mergedRows(times, { stdout, stderr })
        : foldedRows(singleRows(first!, first === 'stdout' ? stdout : stderr), folds),
    [isMerged, times, stdout, stderr, folds, first],
  );
  const fold = useCallback(
    async ({ stream, line }: LinePlace): Promise<void> => {
      if (isMerged) return showToast('info', 'Groups are folded where one stream is shown, not both.');
      if (folds.some(({ head }) => head === line)) return setFolds(folds.filter(({ head }) => head !== line));
      const total = stream === 'stdout' ? stdout : stderr;
      const last = await findGroupEnd(bridge, { ...log.address, stream }, { line, total });
      // A group within it is a part of it from now on.
      const outside = folds.filter((one) => one.last < line || one.head > last);
      setFolds([...outside, { stream, head: line, last }].toSorted((a, b) => a.head - b.head));
      return undefined;
    },
    [bridge, log, folds, isMerged, stdout, stderr],
  );
  return { rows, folds, fold };
}
