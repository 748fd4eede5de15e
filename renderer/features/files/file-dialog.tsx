import { useMemo, useState } from 'react';
import { Download, ExternalLink, Eye, FileLock, FileQuestion, FileText } from 'lucide-react';
import type { ArtifactView } from '../../../core/contract/run-steps.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import styles from './files.module.css';
import { DownloadButton } from './download-button.tsx';
import { askFromBytes } from './file-kind.ts';
import { FileTableView } from './file-table.tsx';
import { JsonTree } from './json-tree.tsx';
import type { ParsedFile } from './parse-file.ts';
import { type OpenFile, useOpenFile } from './read-file.ts';
import { formatBytes } from '../../../core/base/text.ts';

/** No scripts, requests, forms or frames: only what the document itself contains. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Tokens of the theme that Markdown is displayed with. */
const tokens = ['--surface-panel', '--surface-inset', '--border', '--text', '--text-muted', '--accent'];

const markdownStyle = `
  body { max-width: 76ch; margin: 0 auto; padding: 8px 24px 32px; background: var(--surface-panel);
    color: var(--text); font: 14px/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
  h1, h2 { padding-bottom: 4px; border-bottom: 1px solid var(--border); }
  h1 { font-size: 24px; } h2 { font-size: 19px; } h3 { font-size: 16px; }
  h1, h2, h3, h4 { line-height: 1.3; margin: 24px 0 12px; }
  a { color: var(--accent); }
  code, pre { background: var(--surface-inset); border-radius: 4px; font: 12px/1.5 ui-monospace, monospace; }
  code { padding: 2px 4px; } pre { padding: 12px; overflow: auto; } pre code { padding: 0; }
  table { display: block; border-collapse: collapse; overflow: auto; }
  th, td { padding: 5px 10px; border: 1px solid var(--border); text-align: left; }
  blockquote { margin-inline: 0; padding-left: 14px; border-left: 3px solid var(--border); color: var(--text-muted); }
  img { max-width: 100%; }`;

/** Copies the theme, because a frame does not inherit it. */
function readTheme(): string {
  const style = getComputedStyle(document.documentElement);
  const values = tokens.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  return `:root { color-scheme: ${style.colorScheme}; ${values} } ${markdownStyle}`;
}

interface SandboxedPageProps {
  readonly title: string;
  readonly html: string;
  /** Markdown has the theme of the window; HTML has its own. */
  readonly source: 'markdown' | 'html';
}

/**
 * Renders untrusted HTML in a frame of its own origin, without scripts. Links open in a new tab.
 */
function SandboxedPage({ title, html, source }: SandboxedPageProps) {
  const content = useMemo(
    () =>
      [
        `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
        '<base target="_blank">',
        source === 'markdown' ? `<style>${readTheme()}</style>` : '',
        html,
      ].join(''),
    [html, source],
  );
  return (
    <iframe
      className={styles.frame}
      title={title}
      data-source={source}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={content}
    />
  );
}

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
