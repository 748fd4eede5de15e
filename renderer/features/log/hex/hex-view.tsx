import { useQueries } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useBridge } from '../../../api/bridge.ts';
import type { LogRef } from '../reading/log-line-cache.ts';
import { LogRows } from '../rows/log-rows.tsx';
import type { RowListHandle } from '../rows/row-list.ts';
import { bytesPerRow, writeHexRow } from './hex-row.ts';
import styles from '../log.module.css';

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
  const bytesOf = (row: number): string | undefined => {
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
          const bytes = bytesOf(row);
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
