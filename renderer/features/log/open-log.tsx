import { FileX2, Hourglass, ScrollText } from 'lucide-react';
import type { LogExtent } from '../../../core/contract/runs/logs.ts';
import { formatBytes } from '../../format/bytes.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { CharsetBar } from './bar/charset-bar.tsx';
import { SelectionBar } from './bar/selection-bar.tsx';
import { GoToBar } from './bar/go-to-bar.tsx';
import { LogBar } from './bar/log-bar.tsx';
import { copyChosen, copyReference } from './copy-lines.ts';
import { HexView } from './hex/hex-view.tsx';
import type { LogRef } from './reading/log-line-cache.ts';
import { LogView } from './log-view.tsx';
import type { LogStream } from './rows/line-rows.ts';
import { OverviewMarks } from './search/overview-marks.tsx';
import { SearchBar } from './search/search-bar.tsx';
import { useLogActions } from './use-log-actions.ts';
import { useLogOptions } from './use-log-options.ts';
import { handleLinesKeyDown, handleLogKeyDown, useOpenLog, type OpenedLog } from './use-open-log.ts';
import styles from './log.module.css';

interface OpenLogProps {
  readonly address: LogRef;
  readonly streams: readonly LogStream[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
}

/** One log, or both streams of an attempt, with all actions. */
export function OpenLog({ address, streams, controls }: OpenLogProps) {
  const opened = useOpenLog(address, streams);
  const { log, snapshot, extents, rows, isFull, isBinary } = opened;
  const { actions, progress } = useLogActions({
    log,
    rows,
    onBinary: () => opened.setShowsBytes(!isBinary),
    onCharset: () => opened.setAsks('charset'),
  });
  const state =
    progress === undefined ? describeExtents(extents) : `Reading, ${Math.floor(progress * 100)} %`;
  const isEmpty = rows.count === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys that its controls ignore
    <div
      className={styles.log}
      data-full={isFull || undefined}
      onKeyDown={(event) => handleLogKeyDown(event, opened)}
    >
      <LogBar
        {...{ controls, state, isFull, actions }}
        whose={[address.name, address.step]}
        onSearch={opened.search.open}
        onGo={() => opened.setAsks('line')}
        onFull={() => opened.setFull(!isFull)}
      />
      <Questions opened={opened} />
      {snapshot.error && <p className={styles.error}>{snapshot.error.message}</p>}
      {!isEmpty && isBinary && (
        <Bytes address={{ ...address, stream: streams[0]! }} size={extents[0]?.size ?? 0} />
      )}
      {!isEmpty && !isBinary && <Lines opened={opened} />}
      {isEmpty && extents.length === streams.length && (
        <NoOutput complete={extents.every(({ complete }) => complete)} streams={streams} />
      )}
    </div>
  );
}

/** The bars that ask for input. */
function Questions({ opened }: { readonly opened: OpenedLog }) {
  const { search, asks, setAsks, view, snapshot } = opened;
  return (
    <>
      {search.isOpen && (
        <SearchBar
          query={search.query}
          snapshot={search.query.query === '' ? undefined : search.snapshot}
          position={search.position}
          summons={search.summons}
          onQuery={search.setQuery}
          onStep={opened.step}
          onClose={() => {
            search.close();
            view.current?.focus();
          }}
        />
      )}
      {asks === 'line' && (
        <GoToBar
          startedAt={snapshot.times.startedAt}
          onGo={opened.go}
          onClose={() => {
            setAsks(undefined);
            view.current?.focus();
          }}
        />
      )}
      {asks === 'charset' && <CharsetBar onClose={() => setAsks(undefined)} />}
    </>
  );
}

function Lines({ opened }: { readonly opened: OpenedLog }) {
  const { log, snapshot, rows, folds, search, chosen } = opened;
  const { wrap, times } = useLogOptions();
  return (
    <LogView
      {...{ log, snapshot, rows, folds, wrap, times, chosen }}
      search={search.search}
      current={search.current}
      handle={opened.view}
      onChoose={opened.choose}
      onFold={(linePosition) => void opened.fold(linePosition)}
      onKeyDown={(event) => handleLinesKeyDown(event, opened)}
    >
      {search.snapshot && search.isOpen && <OverviewMarks snapshot={search.snapshot} rows={rows} />}
      {chosen && (
        <SelectionBar
          chosen={chosen}
          onCopyLines={() => void copyChosen(log, chosen)}
          onCopyReference={() => void copyReference(log, chosen)}
          onClear={() => opened.setChosen(undefined)}
        />
      )}
    </LogView>
  );
}

function Bytes({ address, size }: { readonly address: LogRef; readonly size: number }) {
  return (
    <>
      <p className={styles.note}>
        <FileX2 size={14} aria-hidden="true" />
        Binary output. Use the menu above to download it.
      </p>
      <HexView address={address} size={size} />
    </>
  );
}

function describeExtents(extents: readonly LogExtent[]): string {
  if (extents.length === 0) return '';
  const lines = extents.reduce((sum, { totalLines }) => sum + totalLines, 0);
  const size = extents.reduce((sum, extent) => sum + extent.size, 0);
  const about = extents.some(({ estimated }) => estimated === true) ? 'about ' : '';
  const weight = size > 1_000_000 ? `, ${formatBytes(size)}` : '';
  return `${about}${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}${weight}`;
}

interface NoOutputProps {
  readonly complete: boolean;
  readonly streams: readonly LogStream[];
}

function NoOutput({ complete, streams }: NoOutputProps) {
  if (!complete) return <EmptyState icon={Hourglass} title="No output yet" />;
  const where = streams.length > 1 ? 'stdout or stderr' : streams[0];
  return <EmptyState icon={ScrollText} title={`No output on ${where}`} />;
}
