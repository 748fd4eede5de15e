import { Download, ExternalLink, Eye, FileLock, FileQuestion, FileText } from 'lucide-react';
import { useState } from 'react';
import type { ArtifactView } from '../../../core/contract/run-steps.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { formatBytes } from '../../format/values.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { DownloadButton } from './download-button.tsx';
import { askFromBytes } from './file-kind.ts';
import { FileTableView } from './file-table.tsx';
import { JsonTree } from './json-tree.tsx';
import type { ParsedFile } from './parse-file.ts';
import { type OpenFile, useOpenFile } from './read-file.ts';
import { SandboxedPage } from './sandboxed-page.tsx';
import styles from './files.module.css';

interface FileDialogProps {
  readonly run: RunRef;
  readonly artifact: ArtifactView;
  readonly onClose: () => void;
}

/** Renders an artifact: a table, a tree, a page, an image or text. */
export function FileDialog({ run, artifact, onClose }: FileDialogProps) {
  const { name, bytes } = artifact;
  const [isConfirmed, setConfirmed] = useState(bytes <= askFromBytes);
  const { query, share, length } = useOpenFile(run, artifact, isConfirmed);
  const isPartial = length !== undefined && length < bytes;
  return (
    <Dialog title={name} size="full" onClose={onClose}>
      <div className={styles.head}>
        <span>{formatBytes(bytes)}</span>
        {isPartial && isConfirmed && <span>Showing the first {formatBytes(length)}</span>}
        <DownloadButton run={run} artifact={name} isLabeled />
      </div>
      <div className={styles.body}>
        {length === undefined ? (
          <EmptyState icon={FileLock} title="File too large to show">
            <p>
              {name} is {formatBytes(bytes)}. Download it to open it in another program.
            </p>
          </EmptyState>
        ) : isConfirmed ? (
          <QueryState query={query} what="The file" waiting={<Reading share={share} />}>
            {(file) => <FileContents name={name} file={file} isPartial={isPartial} />}
          </QueryState>
        ) : (
          <EmptyState icon={FileText} title={`${formatBytes(bytes)} file`}>
            <p>
              {isPartial
                ? `Only the first ${formatBytes(length)} will be read.`
                : 'Reading it may take a moment.'}
            </p>
            <Button icon={Eye} variant="primary" onPress={() => setConfirmed(true)}>
              Show
            </Button>
          </EmptyState>
        )}
      </div>
    </Dialog>
  );
}

const Reading = ({ share }: { readonly share: number }) => (
  <div className={styles.reading}>
    <progress value={share} aria-label="Reading file" />
    <span>{share < 1 ? `Reading… ${Math.floor(share * 100)}%` : 'Preparing…'}</span>
  </div>
);

interface ContentsProps<File> {
  readonly name: string;
  readonly file: File;
  readonly isPartial: boolean;
}

function FileContents({ name, file, isPartial }: ContentsProps<OpenFile>) {
  switch (file.kind) {
    case 'image':
      return (
        <div className={styles.image}>
          <img src={file.url} alt={name} />
        </div>
      );
    case 'pdf':
      return <PdfFile blob={file.blob} />;
    case 'parsed':
      return <ParsedContents name={name} file={file.file} isPartial={isPartial} />;
  }
}

function ParsedContents({ name, file, isPartial }: ContentsProps<ParsedFile>) {
  switch (file.kind) {
    case 'table':
      return <FileTableView name={name} table={file} isPartial={isPartial} />;
    case 'json':
      return <JsonTree label={name} root={file.root} />;
    case 'page':
      return <SandboxedPage title={name} html={file.html} source={file.source} />;
    case 'text':
      return <PlainText text={file.text} />;
    case 'invalid':
      return (
        <>
          <Notice tone="error">
            Invalid JSON (line {file.problem.line}, {file.problem.message}).
          </Notice>
          <PlainText text={file.text} />
        </>
      );
    case 'binary':
      return (
        <EmptyState icon={FileQuestion} title="No preview">
          <p>This file is not text. Download it to open it in another program.</p>
        </EmptyState>
      );
  }
}

const PlainText = ({ text }: { readonly text: string }) => (
  <div className={styles.text}>
    <CopyButton label="Copy text" text={text} />
    {text === '' ? <i>Empty file</i> : <pre>{text}</pre>}
  </div>
);

/** Browsers have a viewer for PDF files, which runs outside the page. */
function PdfFile({ blob }: { readonly blob: Blob }) {
  const { desktop } = useBridge();
  const open = (): void => {
    // Not revoked: the new tab needs it as long as it is open.
    window.open(URL.createObjectURL(blob), '_blank', 'noopener');
  };
  return (
    <EmptyState icon={desktop ? Download : ExternalLink} title="PDF document">
      {desktop ? (
        <p>Save it to open it in your PDF viewer.</p>
      ) : (
        <Button icon={ExternalLink} variant="primary" onPress={open}>
          Open in new tab
        </Button>
      )}
    </EmptyState>
  );
}
