import { FileX2, Hourglass, ScrollText, Workflow } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LogExtent } from '../../../core/contract/logs.ts';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { isFinal } from '../../../core/model/run.ts';
import { EmptyState } from '../../ui/state.tsx';
import { useBridge } from '../../api/bridge.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { CharsetBar, SelectionBar, GoToBar, LogBar } from './log-bars.tsx';
import { copyChosen, copyReference, useLogActions, useLogOptions } from './log-actions.ts';
import { HexView, LogView } from './log-view.tsx';
import type { LogRef } from './log-line-cache.ts';
import type { LogStream } from './line-rows.ts';
import { OverviewMarks, SearchBar } from './search-bar.tsx';
import { handleLinesKeyDown, handleLogKeyDown, useOpenLog, type OpenedLog } from './use-open-log.ts';
import styles from './log.module.css';
import { parseLineSelection } from './log-line.tsx';
import { formatBytes } from '../../../core/base/text.ts';

interface OpenLogProps {
  readonly address: LogRef;
  readonly streams: readonly LogStream[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
}

/** One log, or both streams of an attempt, with all actions. */
function OpenLog({ address, streams, controls }: OpenLogProps) {
  const opened = useOpenLog(address, streams);
  const { log, snapshot, extents, rows, isFull, isBinary } = opened;
  const { actions, progress } = useLogActions({
    log,
    rows,
    onBinary: () => opened.setShowsBytes(!isBinary),
    onCharset: () => opened.setAsks('charset'),
  });
  const state = progress === undefined ? formatExtents(extents) : `Reading… ${Math.floor(progress * 100)}%`;
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
      <ApprovalRequests opened={opened} />
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
function ApprovalRequests({ opened }: { readonly opened: OpenedLog }) {
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

function formatExtents(extents: readonly LogExtent[]): string {
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

interface LogPanelProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  /** The shown log; absent if the step has no attempt yet. */
  readonly address: LogRef | undefined;
  readonly streams: readonly LogStream[];
  /** The attempt and stream selectors. */
  readonly controls: React.ReactNode;
}

/** The log of a step, with selection, search and copy. */
function LogPanel({ run, step, address, streams, controls }: LogPanelProps) {
  const { charset } = useLogOptions();
  if (!address) return <NoAttempt run={run} step={step} />;
  return <OpenLog key={JSON.stringify([address, streams, charset])} {...{ address, streams, controls }} />;
}

function NoAttempt({ run, step }: { readonly run: RunDetailView; readonly step: StepRunView }) {
  if (step.subRuns.length > 0) {
    return <EmptyState icon={Workflow} title="The output is in the sub-runs" />;
  }
  if (step.status === 'skipped') return <EmptyState icon={FileX2} title="Step skipped. No log." />;
  if (isFinal(step.status) || isFinal(run.status)) return <EmptyState icon={FileX2} title="Step not run" />;
  return <EmptyState icon={Hourglass} title="Step not started yet" />;
}

const pollIntervalMs = 2_000;

/**
 * Returns the number of lines in a log, for the badge on its tab; undefined while unknown.
 * @param address absent for a step without an attempt
 * @param growing whether the log may still grow
 */
function useStreamLines(address: LogRef | undefined, growing: boolean): number | undefined {
  const bridge = useBridge();
  const found = useQuery({
    queryKey: ['log-lines', address, growing],
    queryFn: () => bridge.call('logs.lines', { ...address!, from: 0, count: 1 }),
    enabled: address !== undefined,
    refetchInterval: growing ? pollIntervalMs : false,
    select: ({ totalLines }) => totalLines,
  });
  // The log itself says why it cannot be read.
  return found.isError ? 0 : found.data;
}

interface StreamedLogProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  /** The attempt or item; absent if the step has no attempt yet. */
  readonly address: LogRef | undefined;
  /** The result of the attempt or item; absent while it is running. */
  readonly end: { readonly failed: boolean } | undefined;
  /** The attempt and item selectors. */
  readonly controls: React.ReactNode;
}

type StreamChoice = LogStream | 'both';
const streamsByChoice: Readonly<Record<StreamChoice, readonly LogStream[]>> = {
  stdout: ['stdout'],
  stderr: ['stderr'],
  both: ['stdout', 'stderr'],
};

/** A log with tabs for its two streams, opened at the more relevant one. */
export function StreamedLog({ run, step, address, end, controls }: StreamedLogProps) {
  const [query] = useQueryParams();
  // A line in the address determines the stream.
  const [chosen, setChosen] = useState<StreamChoice | undefined>(
    () => parseLineSelection(query.get('line'))?.stream,
  );
  const errorLines = useStreamLines(address && { ...address, stream: 'stderr' }, end === undefined);
  const outputLines = useStreamLines(end && address && { ...address, stream: 'stdout' }, false);
  const shown = chosen ?? findRelevantStream(end, { stdout: outputLines, stderr: errorLines });
  if (shown === undefined) return null;
  return (
    <LogPanel
      run={run}
      step={step}
      address={address}
      streams={streamsByChoice[shown]}
      controls={
        <>
          {controls}
          <Segmented label="Stream" value={shown} choices={listStreams(errorLines)} onChange={setChosen} />
        </>
      }
    />
  );
}

/**
 * Returns the stream to open: for a failed attempt the one with its error, which is usually on stderr; for a finished one
 * the one with output. Undefined while that depends on line counts that are still loading.
 */
export function findRelevantStream(
  end: StreamedLogProps['end'],
  lines: Readonly<Record<LogStream, number | undefined>>,
): LogStream | undefined {
  if (end === undefined) return 'stdout';
  if (lines.stderr === undefined || lines.stdout === undefined) return undefined;
  return lines.stderr > 0 && (end.failed || lines.stdout === 0) ? 'stderr' : 'stdout';
}

/** Returns the two streams; stderr with its line count. */
const listStreams = (errorLines: number | undefined): { value: StreamChoice; label: string }[] => [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: errorLines ? `stderr (${errorLines.toLocaleString('en')})` : 'stderr' },
  { value: 'both', label: 'both' },
];
