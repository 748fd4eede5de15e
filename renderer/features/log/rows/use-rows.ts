import { useCallback, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useBridge } from '../../../api/bridge.ts';
import { findGroupEnd } from '../lines/find-group-end.ts';
import type { LogDocumentSnapshot, LogDocument } from '../reading/log-document.ts';
import { addFold, findEnclosingFold, foldsOfStream, visibleLinesOf, type Fold } from './folds.ts';
import { mergedRows, singleRows, type LinePosition, type LineRows } from './line-rows.ts';

/** The rows of a log, and functions to fold groups of lines. */
export function useRows(log: LogDocument, { extents, times }: LogDocumentSnapshot) {
  const bridge = useBridge();
  const [folds, setFolds] = useState<readonly Fold[]>([]);
  const [first] = log.streams;
  const stdout = extents.stdout?.totalLines ?? 0;
  const stderr = extents.stderr?.totalLines ?? 0;
  const isMerged = log.streams.length > 1;
  const rows: LineRows = useMemo(() => {
    const totals = { stdout, stderr };
    const shown = {
      stdout: visibleLinesOf(foldsOfStream(folds, 'stdout')),
      stderr: visibleLinesOf(foldsOfStream(folds, 'stderr')),
    };
    return isMerged ? mergedRows(times, totals, shown) : singleRows(first!, totals[first!], shown[first!]);
  }, [isMerged, times, stdout, stderr, folds, first]);
  const fold = useCallback(
    async ({ stream, line }: LinePosition): Promise<void> => {
      const known = foldsOfStream(folds, stream).find(({ head }) => head === line);
      if (known) return setFolds(folds.filter((one) => one !== known));
      const total = stream === 'stdout' ? stdout : stderr;
      const last = await findGroupEnd(bridge, { ...log.address, stream }, { line, total });
      setFolds((before) => addFold(before, { stream, head: line, last }));
      return undefined;
    },
    [bridge, log, folds, stdout, stderr],
  );
  /** Expands the fold that hides a line. The page is updated when this returns. */
  const unfold = useCallback(
    (position: LinePosition): void => {
      const hiding = findEnclosingFold(folds, position);
      if (hiding) flushSync(() => setFolds((before) => before.filter((one) => one !== hiding)));
    },
    [folds],
  );
  return { rows, folds, fold, unfold };
}
