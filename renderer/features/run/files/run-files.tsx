import { FileBox } from 'lucide-react';
import { useMemo } from 'react';
import type { ArtifactView } from '../../../../core/contract/runs/artifacts.ts';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { isActive } from '../../../format/status.ts';
import { useArtifacts } from '../../../api/queries/runs/run-queries.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import table from '../../../ui/list/table.module.css';
import { VirtualTable, type Column } from '../../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { DownloadButton } from './download-button.tsx';
import styles from './files.module.css';

/** The artifacts of a run. */
export function RunFiles({ run }: { readonly run: RunDetailView }) {
  const { name, dagRunId } = run;
  const columns = useMemo(() => listColumns({ name, dagRunId }), [name, dagRunId]);
  return (
    <QueryState query={useArtifacts(run, isActive(run))} what="The files">
      {({ artifacts, folder }) =>
        artifacts.length === 0 ? (
          <NoFiles hasSomeFiles={hasFiles(run)} />
        ) : (
          <div className={styles.pane}>
            <VirtualTable
              label="Run files"
              rows={artifacts}
              columns={columns}
              keyOf={(artifact) => artifact.name}
              nameOf={(artifact) => artifact.name}
              minWidth={560}
            />
            {folder !== undefined && (
              <p className={styles.folder}>
                Folder <code>{folder}</code>
                <CopyButton label="Copy folder path" text={folder} />
              </p>
            )}
          </div>
        )
      }
    </QueryState>
  );
}

const hasFiles = ({ workflow: { steps, handlers } }: RunDetailView): boolean =>
  [...steps, ...Object.values(handlers)].some(({ outputFiles }) => outputFiles !== undefined);

const NoFiles = ({ hasSomeFiles }: { readonly hasSomeFiles: boolean }) => (
  <EmptyState icon={FileBox} title="No files">
    {hasSomeFiles ? (
      <p>No files yet. Steps store their files when they succeed.</p>
    ) : (
      <p>
        Set <code>outputFiles</code> on a step to store files. Later steps can use them with{' '}
        <code>inputFiles</code>.
      </p>
    )}
  </EmptyState>
);

const listColumns = (run: {
  readonly name: string;
  readonly dagRunId: string;
}): readonly Column<ArtifactView>[] => [
  {
    id: 'name',
    header: 'File',
    cell: ({ name }) => (
      <span className={table.code} title={name}>
        {name}
      </span>
    ),
  },
  { id: 'size', header: 'Size', width: '90px', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: 'step',
    header: 'Step',
    width: '22%',
    cell: ({ step, attempt = 1 }) =>
      step === undefined ? (
        <span className={table.faint} title="May come from several steps">
          –
        </span>
      ) : (
        <span title={`Attempt ${attempt} of ${step}`}>
          {step}
          {attempt > 1 && <span className={table.faint}> attempt {attempt}</span>}
        </span>
      ),
  },
  {
    id: 'at',
    header: 'Stored',
    width: '110px',
    cell: ({ at }) => (
      <span className={table.muted}>
        <RelativeTime iso={at} />
      </span>
    ),
  },
  {
    id: 'download',
    header: '',
    width: '64px',
    cell: ({ name }) => <DownloadButton run={run} artifact={name} />,
  },
];
