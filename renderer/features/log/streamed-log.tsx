import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { useQueryParams } from '../../app/address.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { parseLineSelection } from './lines/line-choice.ts';
import type { LogRef } from './reading/log-line-cache.ts';
import { LogPanel } from './log-panel.tsx';
import type { LogStream } from './rows/line-rows.ts';
import { useStreamLines } from './reading/use-stream-lines.ts';

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
const streamsOf: Readonly<Record<StreamChoice, readonly LogStream[]>> = {
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
  // Error output is usually on stderr.
  const shown = chosen ?? (end?.failed && errorLines ? 'stderr' : 'stdout');
  return (
    <LogPanel
      run={run}
      step={step}
      address={address}
      streams={streamsOf[shown]}
      controls={
        <>
          {controls}
          <Segmented label="Stream" value={shown} choices={listStreams(errorLines)} onChange={setChosen} />
        </>
      }
    />
  );
}

/** Returns the two streams; stderr shows its line count. */
const listStreams = (errorLines: number | undefined): { value: StreamChoice; label: string }[] => [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: errorLines ? `stderr (${errorLines.toLocaleString('en')})` : 'stderr' },
  { value: 'both', label: 'both' },
];
