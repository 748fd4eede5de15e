import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { LogAddress } from './log-book.ts';
import { LogPanel, type LogStream } from './log-panel.tsx';
import { useStreamLines } from './use-stream-lines.ts';

interface StreamedLogProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  /** Which attempt or item; absent while the step has not been tried. */
  readonly address: LogAddress | undefined;
  /** How what has written it stands: absent while it goes on. */
  readonly end: { readonly failed: boolean } | undefined;
  /** What chooses among attempts and items. */
  readonly controls: React.ReactNode;
}

/** A log with a switch between its two streams, which begins at the one that is worth looking at. */
export function StreamedLog({ run, step, address, end, controls }: StreamedLogProps) {
  const [chosen, setChosen] = useState<LogStream>();
  const errorLines = useStreamLines(address && { ...address, stream: 'stderr' }, end === undefined);
  // What somebody has to say about a failure is usually on stderr.
  const stream = chosen ?? (end?.failed && errorLines ? 'stderr' : 'stdout');
  return (
    <LogPanel
      run={run}
      step={step}
      address={address && { ...address, stream }}
      controls={
        <>
          {controls}
          <Segmented label="Stream" value={stream} choices={listStreams(errorLines)} onChange={setChosen} />
        </>
      }
    />
  );
}

/** The two streams; stderr tells beforehand whether there is anything in it. */
const listStreams = (errorLines: number | undefined) => [
  { value: 'stdout' as const, label: 'stdout' },
  { value: 'stderr' as const, label: errorLines ? `stderr (${errorLines.toLocaleString('en')})` : 'stderr' },
];
