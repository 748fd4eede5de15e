import { FileBox } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { RunRef } from '../../../core/model/run.ts';
import type { ArtifactView } from '../../../core/contract/run-steps.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { isActive } from '../../format/labels.ts';
import { useArtifacts } from '../../api/run-queries.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { DownloadButton } from '../files/download-button.tsx';
import { FileDialog } from '../files/file-dialog.tsx';
import styles from './run.module.css';
import { formatBytes } from '../../../core/base/text.ts';

/** The artifacts of a run. */
export function RunFiles({ run }: { readonly run: RunDetailView }) {
  const { name, dagRunId } = run;
  const [query, changeQuery] = useQueryParams();
  const show = useCallback((file: string | undefined): void => changeQuery({ file }), [changeQuery]);
  const columns = useMemo(() => listColumns({ name, dagRunId }, show), [name, dagRunId, show]);
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
              getKey={(artifact) => artifact.name}
              getName={(artifact) => artifact.name}
              onOpen={(artifact) => show(artifact.name)}
              minWidth={560}
            />
            {artifacts
              .filter((artifact) => artifact.name === query.get('file'))
              .map((artifact) => (
                <FileDialog
                  key={artifact.at}
                  run={{ name, dagRunId }}
                  artifact={artifact}
                  onClose={() => show(undefined)}
                />
              ))}
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

const listColumns = (run: RunRef, show: (file: string) => void): readonly Column<ArtifactView>[] => [
  {
    id: 'name',
    header: 'File',
    cell: ({ name }) => (
      <button
        type="button"
        className={`${styles.stepName} ${table.code}`}
        title={name}
        onClick={() => show(name)}
      >
        {name}
      </button>
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
    header: <span className="visually-hidden">Download</span>,
    width: '64px',
    cell: ({ name }) => <DownloadButton run={run} artifact={name} />,
  },
];
