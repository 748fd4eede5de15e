import { Download, Save, FileBox } from 'lucide-react';
import { useState, useMemo } from 'react';
import { type Bridge, readArtifact, type ArtifactRef } from '../../../core/contract/transport.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { ArtifactView } from '../../../core/contract/run-steps.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useBridge } from '../../api/bridge.ts';
import { IconButton } from '../../ui/button.tsx';
import { showError, CopyButton } from '../../ui/toasts.tsx';
import { isActive } from '../../format/labels.ts';
import { useArtifacts } from '../../api/run-queries.ts';
import { formatBytes } from '../../format/values.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useSaveCopy, saveBlob } from '../log/download.ts';
import styles from './run.module.css';

/**
 * Downloads an artifact in chunks; the browser stores them, on disk for large files. Rejects with `conflict` if
 * it is replaced in the meantime.
 * @param notify called with the fraction that has been read
 */
async function readWholeArtifact(
  bridge: Pick<Bridge, 'call'>,
  address: ArtifactRef,
  notify: (share: number) => void,
): Promise<Blob> {
  const blobs: Blob[] = [];
  for await (const { data, next, size } of readArtifact(
    (input) => bridge.call('runs.artifactBytes', input),
    address,
  )) {
    blobs.push(new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))]));
    notify(next / size);
  }
  return new Blob(blobs, { type: 'application/octet-stream' });
}

interface DownloadButtonProps {
  readonly run: RunRef;
  readonly artifact: string;
}

/** Downloads an artifact: through the system's save dialog, or as a browser download. */
function DownloadButton({ run, artifact }: DownloadButtonProps) {
  const bridge = useBridge();
  const saveCopy = useSaveCopy();
  const [share, setShare] = useState<number>();
  const download = async (): Promise<void> => {
    const { name, dagRunId } = run;
    if (saveCopy) return await saveCopy({ kind: 'artifact', name, dagRunId, artifact });
    const blob = await readWholeArtifact(bridge, { name, dagRunId, artifact }, setShare);
    saveBlob(blob, artifact.slice(artifact.lastIndexOf('/') + 1));
  };
  const press = (): void => {
    setShare(0);
    download()
      .catch(showError)
      .finally(() => setShare(undefined));
  };
  const label = saveCopy ? `Save ${artifact} as…` : `Download ${artifact}`;
  return (
    <IconButton
      label={share === undefined ? label : `Downloading… ${Math.floor(share * 100)}%`}
      icon={saveCopy ? Save : Download}
      size="small"
      isDisabled={share !== undefined}
      onPress={press}
    />
  );
}

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
