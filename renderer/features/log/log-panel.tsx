import { FileX2, Hourglass, ScrollText, WrapText, Workflow } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { isFinal } from '../../../core/model/status.ts';
import { useBridge } from '../../api/bridge.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { LogBook, type LogAddress } from './log-book.ts';
import { LogView } from './log-view.tsx';
import styles from './log.module.css';

export type LogStream = 'stdout' | 'stderr';

interface LogPanelProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  /** Which log; absent while the step has not been tried. */
  readonly address: LogAddress | undefined;
  /** What chooses attempt and stream. */
  readonly controls: React.ReactNode;
}

/** What a step has written, with the means to choose and to copy. */
export function LogPanel({ run, step, address, controls }: LogPanelProps) {
  const [wrap, setWrap] = useState(false);
  if (!address) return <NoAttempt run={run} step={step} />;
  return (
    <OpenLog
      key={JSON.stringify(address)}
      address={address}
      wrap={wrap}
      onWrap={setWrap}
      controls={controls}
    />
  );
}

interface OpenLogProps {
  readonly address: LogAddress;
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  readonly controls: React.ReactNode;
}

const copiedLines = 10_000;

function OpenLog({ address, wrap, onWrap, controls }: OpenLogProps) {
  const bridge = useBridge();
  const [book] = useState(() => new LogBook(bridge, address));
  useEffect(() => book.open(), [book]);
  const { extent, error } = useSyncExternalStore(book.subscribe, book.read);
  const total = extent?.totalLines ?? 0;
  return (
    <>
      <div className={styles.bar}>
        {controls}
        <span className={styles.size} role="status">
          {extent && describeExtent(total, extent.estimated === true)}
        </span>
        <IconButton
          label="Wrap lines"
          icon={WrapText}
          size="small"
          pressed={wrap}
          onPress={() => onWrap(!wrap)}
        />
        <CopyButton
          label={
            total > copiedLines ? `Copy the last ${copiedLines.toLocaleString('en')} lines` : 'Copy the log'
          }
          text={() => book.readTail(copiedLines)}
        />
      </div>
      {error && <p className={styles.error}>{error.message}</p>}
      {total > 0 && (
        <LogView
          key={String(wrap)}
          book={book}
          totalLines={total}
          wrap={wrap}
          live={extent?.complete === false}
        />
      )}
      {total === 0 && extent && <NoOutput complete={extent.complete} stream={address.stream ?? 'stdout'} />}
    </>
  );
}

const describeExtent = (lines: number, estimated: boolean): string =>
  `${estimated ? 'about ' : ''}${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;

function NoOutput({ complete, stream }: { readonly complete: boolean; readonly stream: LogStream }) {
  if (!complete) return <EmptyState icon={Hourglass} title="Nothing written yet" />;
  return <EmptyState icon={ScrollText} title={`Nothing was written to ${stream}`} />;
}

function NoAttempt({ run, step }: { readonly run: RunDetailView; readonly step: StepRunView }) {
  if (step.subRuns.length > 0) {
    return <EmptyState icon={Workflow} title="Its output is in the runs it has started" />;
  }
  if (step.status === 'skipped')
    return <EmptyState icon={FileX2} title="The step was skipped, so there is no log" />;
  if (isFinal(step.status) || isFinal(run.status))
    return <EmptyState icon={FileX2} title="The step did not run" />;
  return <EmptyState icon={Hourglass} title="The step has not started yet" />;
}
