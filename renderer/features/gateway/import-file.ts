import { useEffect, useRef, useState } from 'react';
import {
  type CsvTotals,
  sendCsv,
  type CsvOutline,
  outlineCsv,
  toColumnName,
  type ImportType,
} from '../../../core/base/csv-columns.ts';
import { CsvStream, detectDelimiter } from '../../../core/base/csv.ts';
import type { GatewayTableView } from '../../../core/contract/gateway.ts';
import type { GatewayImportColumn, GatewayImportOutcome } from '../../../core/contract/gateway-tables.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useBridge } from '../../api/bridge.ts';
import { writableColumns } from './cell.tsx';

/** The beginning of a file, by which its format is detected. */
export interface FileHead {
  readonly file: File;
  readonly encoding: string;
  readonly text: string;
  /** Whether there is more. */
  readonly isPartial: boolean;
  readonly delimiter: string;
}

const headBytes = 262_144;

/** Reads the beginning of a file. Files that are not Unicode are read as Windows-1252, as Excel writes them. */
export async function readHead(file: File): Promise<FileHead> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const encoding = detectEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  return { file, encoding, text, isPartial: file.size > headBytes, delimiter: detectDelimiter(text) };
}

function detectEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Describes the columns of a file. */
export function readOutline({ text, isPartial, delimiter }: FileHead, hasHeader?: boolean): CsvOutline {
  const stream = new CsvStream(delimiter);
  return outlineCsv([...stream.push(text), ...(isPartial ? [] : stream.end())], hasHeader);
}

/** Target of a column of the file. */
export interface ColumnChoice {
  /** Column of the table; empty for a column that is not imported. */
  readonly name: string;
  /** Type in a new table. */
  readonly type: ImportType;
}

/** Returns the suggested target of each column: by name, or by position without a header. */
export function suggestColumns(
  { columns, hasHeader }: CsvOutline,
  table: GatewayTableView | undefined,
): readonly ColumnChoice[] {
  if (table === undefined) return columns;
  const own = writableColumns(table);
  return columns.map(({ name, type }, index) => ({
    type,
    name: (hasHeader ? own.find((each) => toColumnName(each.name) === name)?.name : own[index]?.name) ?? '',
  }));
}

/** Returns a name for a new table: `Orders 2026.csv` becomes `orders_2026`. */
export const suggestTable = (file: File): string =>
  toColumnName(file.name.replace(/\.[^.]*$/, '')) || 'imported';

/** Returns the columns to import. */
export const chosenColumns = (choices: readonly ColumnChoice[], isNew: boolean): GatewayImportColumn[] =>
  choices.flatMap(({ name, type }, source) =>
    name === '' ? [] : [{ source, name, ...(isNew && { type }) }],
  );

interface SendRequest {
  readonly head: FileHead;
  readonly outline: CsvOutline;
  readonly importId: string;
  /** Receives the share of the file that was sent. */
  readonly onProgress: (share: number) => void;
  /** Stops the transfer when it aborts. */
  readonly signal: AbortSignal;
}

/** Sends the records of a file to an import. */
function sendFile(bridge: Bridge, request: SendRequest): Promise<CsvTotals> {
  const { head, outline, importId } = request;
  return sendCsv({
    parts: readParts(request),
    delimiter: head.delimiter,
    hasHeader: outline.hasHeader,
    width: outline.columns.length,
    send: (rows) => bridge.call('gateway.addImportRows', { importId, rows }),
  });
}

async function* readParts({
  head: { file, encoding },
  onProgress,
  signal,
}: SendRequest): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const chunk = headBytes * 4;
  for (let offset = 0; offset < file.size; offset += chunk) {
    signal.throwIfAborted();
    onProgress(offset / file.size);
    const bytes = await file.slice(offset, offset + chunk).arrayBuffer();
    yield decoder.decode(bytes, { stream: offset + chunk < file.size });
  }
  onProgress(1);
}

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
