import { useQueries } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import type { LogRef } from './log-line-cache.ts';
import { LogRows } from './log-rows.tsx';
import type { RowListHandle } from './row-list.ts';
import styles from './log.module.css';

const bytesPerRow = 16;

/**
 * Formats a row like `hexdump -C`: offset, bytes, and printable characters. @param bytes one character per byte
 */
export function writeHexRow(row: number, bytes: string): string {
  const codes = Array.from(bytes, (sign) => sign.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16).padStart(2, '0'));
  const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')];
  const characters = codes
    .map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.'))
    .join('');
  const offset = (row * bytesPerRow).toString(16).padStart(8, '0');
  return `${offset}  ${halves[0]!.padEnd(23)}  ${halves[1]!.padEnd(23)}  |${characters}|`;
}

const pageBytes = 16_384;

/** Hex dump of a binary log. */
export function HexView({ address, size }: { readonly address: LogRef; readonly size: number }) {
  const bridge = useBridge();
  const handle = useRef<RowListHandle>(null);
  const [pages, setPages] = useState<readonly number[]>([]);
  const onRange = useCallback((from: number, to: number) => {
    const first = Math.floor((from * bytesPerRow) / pageBytes);
    const last = Math.floor((Math.max(from, to - 1) * bytesPerRow) / pageBytes);
    setPages(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  }, []);
  const found = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['log-bytes', address, page, Math.min(size, (page + 1) * pageBytes)],
      queryFn: () => bridge.call('logs.bytes', { ...address, offset: page * pageBytes, length: pageBytes }),
      gcTime: 10_000,
    })),
  });
  const getBytes = (row: number): string | undefined => {
    const pageIndex = pages.indexOf(Math.floor((row * bytesPerRow) / pageBytes));
    const data = found[pageIndex]?.data?.data;
    if (data === undefined) return undefined;
    const offset = (row * bytesPerRow) % pageBytes;
    return atob(data).slice(offset, offset + bytesPerRow);
  };
  return (
    <div className={styles.frame}>
      <LogRows
        wrap={false}
        count={Math.ceil(size / bytesPerRow)}
        renderRow={(row) => {
          const bytes = getBytes(row);
          const content =
            bytes === undefined ? (
              <span className={styles.pending} />
            ) : (
              <code className={styles.hex}>{writeHexRow(row, bytes)}</code>
            );
          return { content, chosen: false, stream: 'stdout' };
        }}
        following={false}
        onRange={onRange}
        onScroll={() => undefined}
        handle={handle}
        label="Bytes"
        onKeyDown={() => undefined}
      />
    </div>
  );
}
