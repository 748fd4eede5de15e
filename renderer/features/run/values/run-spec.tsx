import { Suspense, useState } from 'react';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { useDag, useDags } from '../../../api/queries/workflows/workflow-queries.ts';
import { LazyDiff } from '../../../editor/save/lazy-difference.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { SpecView } from '../../workflow/spec-view.tsx';
import styles from './values.module.css';

/** The text that the run executes, and the changes in the file since. */
export function RunSpec({ run }: { readonly run: RunDetailView }) {
  const dag = useDags().data?.find(({ name }) => name === run.name);
  if (dag === undefined) return <Text run={run} current={undefined} />;
  return <WithFile run={run} fileName={dag.fileName} />;
}

function WithFile({ run, fileName }: { readonly run: RunDetailView; readonly fileName: string }) {
  const current = useDag(fileName).data?.spec;
  return <Text run={run} current={current} />;
}

interface TextProps {
  readonly run: RunDetailView;
  readonly current: string | undefined;
}

function Text({ run, current }: TextProps) {
  const [shown, setShown] = useState<'text' | 'changes'>('text');
  const differs = current !== undefined && current !== run.spec;
  const words =
    current === undefined
      ? 'Version of this run. The file no longer exists.'
      : differs
        ? 'The file has changed since this run.'
        : 'The file has not changed since this run.';
  return (
    <>
      <div className={styles.specHead}>
        <span>{words}</span>
        {differs && (
          <Segmented
            label="View"
            value={shown}
            choices={[
              { value: 'text', label: 'Version of this run' },
              { value: 'changes', label: 'Changes since' },
            ]}
            onChange={setShown}
          />
        )}
      </div>
      {differs && shown === 'changes' ? (
        <Suspense fallback={<div />}>
          <LazyDiff before={run.spec} after={current} />
        </Suspense>
      ) : (
        <SpecView spec={run.spec} diagnostics={[]} />
      )}
    </>
  );
}
