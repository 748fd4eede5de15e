import { useEffect, useRef, useState } from 'react';
import type { CsvTotals } from '../../../core/base/csv-batches.ts';
import type { CsvOutline } from '../../../core/base/csv-columns.ts';
import type { GatewayImportOutcome } from '../../../core/contract/gateway-tables.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../../api/bridge.ts';
import { type FileHead, sendFile } from './import-file.ts';

export type ImportTarget = Omit<OperationInput<'gateway.finishImport'>, 'importId'>;

/** Progress of an import. */
export type ImportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'writing' }
  /** Some lines of the file are broken; the others can be imported. */
  | { readonly kind: 'broken'; readonly totals: CsvTotals }
  /** The database rejected lines; nothing was imported. */
  | { readonly kind: 'rejected'; readonly errors: GatewayImportOutcome['errors'] }
  | { readonly kind: 'failed'; readonly error: unknown };

interface StartRequest {
  readonly head: FileHead;
  readonly outline: CsvOutline;
  readonly target: ImportTarget;
  readonly skipsBroken: boolean;
}

/** Sends a file once, and writes it to a table; after a rejection it can be written again with other types. */
export function useImport(onDone: (rows: number) => void) {
  const bridge = useBridge();
  const [state, setState] = useState<ImportState>({ kind: 'idle' });
  const sent = useRef<{ readonly id: string; readonly format: string; readonly totals: CsvTotals }>(
    undefined,
  );
  const aborter = useRef(new AbortController());
  const discard = (id: string): void =>
    void bridge.call('gateway.cancelImport', { importId: id }).catch(() => {});
  useEffect(() => {
    const { signal } = (aborter.current = new AbortController());
    return () => {
      if (!signal.aborted) aborter.current.abort();
      if (sent.current !== undefined)
        void bridge.call('gateway.cancelImport', { importId: sent.current.id }).catch(() => {});
    };
  }, [bridge]);

  const send = async ({ head, outline }: StartRequest) => {
    const format = JSON.stringify([head.file.name, head.file.size, head.delimiter, outline.hasHeader]);
    if (sent.current?.format === format) return sent.current;
    if (sent.current !== undefined) discard(sent.current.id);
    sent.current = undefined;
    const { signal } = aborter.current;
    const { importId } = await bridge.call('gateway.createImport', { width: outline.columns.length });
    try {
      const onProgress = (share: number): void => setState({ kind: 'sending', share });
      const totals = await sendFile(bridge, { head, outline, importId, onProgress, signal });
      return (sent.current = { id: importId, format, totals });
    } catch (error) {
      discard(importId);
      throw error;
    }
  };

  const start = async (request: StartRequest): Promise<void> => {
    try {
      setState({ kind: 'sending', share: 0 });
      const { id, totals } = await send(request);
      if (totals.problemCount > 0 && !request.skipsBroken) return setState({ kind: 'broken', totals });
      setState({ kind: 'writing' });
      const { rows, errors } = await bridge.call('gateway.finishImport', { importId: id, ...request.target });
      if (errors.length > 0) return setState({ kind: 'rejected', errors });
      sent.current = undefined;
      onDone(rows);
    } catch (error) {
      if (!aborter.current.signal.aborted) setState({ kind: 'failed', error });
    }
  };
  return { state, start, reset: () => setState({ kind: 'idle' }) };
}
