import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { useAddressQuery } from '../../app/address.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { readChosen } from './lines/line-choice.ts';
import type { LogAddress } from './reading/log-book.ts';
import { LogPanel } from './log-panel.tsx';
import type { LogStream } from './rows/line-rows.ts';
import { useStreamLines } from './reading/use-stream-lines.ts';

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

type Shown = LogStream | 'both';
const streamsOf: Readonly<Record<Shown, readonly LogStream[]>> = {
  stdout: ['stdout'],
  stderr: ['stderr'],
  both: ['stdout', 'stderr'],
};

/** A log with a switch between its two streams, which begins at the one that is worth looking at. */
export function StreamedLog({ run, step, address, end, controls }: StreamedLogProps) {
  const [query] = useAddressQuery();
  // A line that an address names is of some stream.
  const [chosen, setChosen] = useState<Shown | undefined>(() => readChosen(query.get('line'))?.stream);
  const errorLines = useStreamLines(address && { ...address, stream: 'stderr' }, end === undefined);
  // What somebody has to say about a failure is usually on stderr.
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

/** The two streams; stderr tells beforehand whether there is anything in it. */
const listStreams = (errorLines: number | undefined): { value: Shown; label: string }[] => [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: errorLines ? `stderr (${errorLines.toLocaleString('en')})` : 'stderr' },
  { value: 'both', label: 'both' },
];
