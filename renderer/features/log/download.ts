import type { ExportRequest } from '../../../core/contract/desktop-calls.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { visibleText } from '../../../core/base/text.ts';
import { useBridge } from '../../api/bridge.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { type LogRef, listRowPositions, getRanges } from './log-line-cache.ts';
import type { LogDocument } from './log-document.ts';
import type { LineRows, LogStream } from './line-rows.ts';

/**
 * Returns a function that saves a copy through the system's save dialog and reports the result; it never
 * rejects. Undefined in a browser.
 */
export function useSaveCopy(): ((what: ExportRequest) => Promise<void>) | undefined {
  const { desktop } = useBridge();
  if (desktop === undefined) return undefined;
  return async (what) => {
    try {
      const { saved } = await desktop.call('files.export', { what });
      if (saved !== undefined) showToast('info', `Saved as ${saved}`);
    } catch (error) {
      showError(error);
    }
  };
}

const chunkBytes = 1_048_576;
const blockRows = 5_000;

/** Downloads the raw bytes of a log in chunks; the browser stores them, on disk for large logs. */
export async function readWholeLog(
  bridge: Bridge,
  address: LogRef,
  notify: (share: number) => void,
): Promise<Blob> {
  const blobs: Blob[] = [];
  for (let offset = 0; ;) {
    const { data, size } = await bridge.call('logs.bytes', { ...address, offset, length: chunkBytes });
    if (data === '') break;
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    blobs.push(new Blob([bytes]));
    offset += bytes.length;
    notify(offset / size);
    if (offset >= size) break;
  }
  return new Blob(blobs, { type: 'application/octet-stream' });
}

/** Returns all rows as displayed, as text. @param prefixOf returns the prefix of a line */
export async function renderLogAsText(
  log: LogDocument,
  rows: LineRows,
  {
    getPrefix,
    notify,
  }: { getPrefix: (stream: LogStream, line: number) => string; notify: (share: number) => void },
): Promise<Blob> {
  const blobs: Blob[] = [];
  for (let row = 0; row < rows.count; row += blockRows) {
    const positions = [...listRowPositions(rows, row, row + blockRows)];
    const texts = await readLineTexts(log, positions);
    const lines = positions.map(
      ({ stream, line }, index) => `${getPrefix(stream, line)}${texts[index] ?? ''}\n`,
    );
    blobs.push(new Blob(lines));
    notify((row + positions.length) / rows.count);
  }
  return new Blob(blobs, { type: 'text/plain;charset=utf-8' });
}

/** Reads lines in any order, in as few ranges per stream as possible. */
async function readLineTexts(
  log: LogDocument,
  positions: readonly { stream: LogStream; line: number }[],
): Promise<string[]> {
  const found = new Map<string, string>();
  const ranges = [...getRanges(positions)].flatMap(([stream, all]) =>
    all.map((range) => ({ stream, ...range })),
  );
  for (const { stream, from, to } of ranges) {
    const texts = await log.readRange(stream, from, to);
    texts.forEach((text, index) => found.set(`${stream} ${from + index}`, visibleText(text)));
  }
  return positions.map(({ stream, line }) => found.get(`${stream} ${line}`) ?? '');
}

/** Saves through the browser; the desktop window asks for a location. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Returns a file name: `load.2.stderr.log`. */
export const logFileName = ({ step, attempt, item }: LogRef, stream: LogStream | 'both'): string =>
  [
    step.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_'),
    attempt ?? 1,
    ...(item === undefined ? [] : [`item-${item}`]),
    stream,
    'log',
  ].join('.');
