import { create } from 'zustand';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { FileInput } from 'lucide-react';
import { fail, succeed, type Result } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useBridge } from '../../api/bridge.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { detectSourceKind, type TextSourceKind } from './new-workflow-button.tsx';
import styles from './new-workflow.module.css';

/** A text from a file, or typed. */
export interface SourceText {
  /** File name; empty for pasted or typed text. */
  readonly fileName: string;
  readonly text: string;
}

export const emptySource: SourceText = { fileName: '', text: '' };

/** A larger file is not a workflow and would block the window. */
const maxBytes = 2 * 1_048_576;

/** Reads a file unchanged: a byte order mark and line breaks stay in the text. */
export async function readTextFile(file: File): Promise<Result<SourceText, string>> {
  if (file.size > maxBytes)
    return fail(`${file.name} is too large (${Math.ceil(file.size / 1_048_576)} MB). Maximum: 2 MB.`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return fail(`${file.name} is not a text file.`);
    return succeed({ fileName: file.name, text });
  } catch (failure) {
    const reason =
      failure instanceof TypeError
        ? 'is not UTF-8 text. Save it as UTF-8.'
        : 'could not be read. Folders are not supported.';
    return fail(`${file.name} ${reason}`);
  }
}

/**
 * Restores the line breaks and the byte order mark of a text edited in a text area, which only supports `\n`.
 */
export function preserveLineBreaks(before: string, edited: string): string {
  const isWide = /\r\n/.test(before) && !/(?:^|[^\r])\n/.test(before);
  const mark = before.startsWith('\uFEFF') && edited !== '' && !edited.startsWith('\uFEFF') ? '\uFEFF' : '';
  const breaks = edited.replaceAll(/\r\n?/g, '\n');
  return mark + (isWide ? breaks.replaceAll('\n', '\r\n') : breaks);
}

/** A text with its detected kind. */
export type ImportedFile = SourceText & { readonly way: TextSourceKind };

/** Adds the accepted files to the list of recent files; only the desktop app has one. */
export function recordRecentFiles(
  bridge: Bridge,
  files: readonly File[],
  taken: readonly ImportedFile[],
): void {
  const names = new Set(taken.map(({ fileName }) => fileName));
  bridge.desktop?.noteFiles(files.filter(({ name }) => names.has(name)));
}

/**
 * Reads files and detects their kind; a toast explains why a file was not accepted.
 * @param otherwise the kind of a file that cannot be detected
 */
export async function readDroppedFiles(
  files: readonly File[],
  otherwise?: TextSourceKind,
): Promise<readonly ImportedFile[]> {
  const taken = await Promise.all(files.map((file) => takeFile(file, otherwise)));
  return taken.filter((one) => one !== undefined);
}

async function takeFile(
  file: File,
  otherwise: TextSourceKind | undefined,
): Promise<ImportedFile | undefined> {
  const read = await readTextFile(file);
  if (!read.ok) {
    showToast('error', read.error);
    return undefined;
  }
  const way = detectSourceKind(file.name, read.value.text) ?? otherwise;
  if (way === undefined) {
    showToast(
      'error',
      `Unknown file type: ${file.name}. Open "New workflow", choose a type and drop the file there.`,
    );
    return undefined;
  }
  return { ...read.value, way };
}

/** Files dropped on another page, for the page that creates workflows from them. */
export const usePendingFiles = create<{ readonly files: readonly ImportedFile[] }>(() => ({ files: [] }));

/**
 * Opens files: a workflow of the home directory in the editor, others on the page that creates workflows from
 * them. A toast explains why a file was not accepted.
 */
function useOpenFiles(): (dropped: readonly File[]) => Promise<void> {
  const bridge = useBridge();
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  const error = may.allowed ? undefined : (may.reason ?? 'You do not have permission to create workflows.');
  return useCallback(
    async (dropped) => {
      const files = await readDroppedFiles(dropped);
      const [first] = files;
      if (first === undefined) return;
      const existing = files.length === 1 ? await findExistingWorkflow(bridge, first) : undefined;
      if (existing === undefined && error !== undefined) return showToast('error', error);
      recordRecentFiles(bridge, dropped, files);
      if (existing !== undefined) return navigate(paths.editor(existing));
      usePendingFiles.setState({ files });
      navigate(paths.newWorkflow(first.way));
    },
    [bridge, navigate, error],
  );
}

/**
 * Finds the workflow of the home directory with the same name and text, because a page does not know the path
 * of a file.
 */
async function findExistingWorkflow(
  bridge: Bridge,
  { fileName, text, way }: ImportedFile,
): Promise<string | undefined> {
  if (way !== 'yaml') return undefined;
  const name = fileName.replace(/\.ya?ml$/i, '');
  try {
    // Requesting a missing workflow would log an error in the browser console.
    const { dags } = await bridge.call('dags.list', { name });
    if (!dags.some(({ fileName: known }) => known === name)) return undefined;
    return (await bridge.call('dags.get', { fileName: name })).spec === text ? name : undefined;
  } catch {
    // Not a valid workflow name.
    return undefined;
  }
}

/** Marks an element that accepts dropped files itself. */
export const fileDropTarget = { 'data-takes-files': '' } as const;

/**
 * Opens files dropped anywhere in the window, and never runs them. Elements that accept files themselves are
 * excluded; editors that would only insert the file's text are not.
 */
export function WindowDropTarget() {
  const [isOver, setOver] = useState(false);
  const take = useOpenFiles();
  useEffect(() => listen(setOver, (files) => void take(files)), [take]);
  if (!isOver) return null;
  return (
    <div className={`${styles.dropHint} ${styles.dropWindow}`} role="status">
      <FileInput size={28} strokeWidth={1.5} aria-hidden="true" />
      <span>Drop to preview. Nothing will run.</span>
    </div>
  );
}

/**
 * Listens in the capture phase, because an editor inserts dropped files as text.
 * @returns a function that stops listening
 */
function listen(setOver: (isOver: boolean) => void, take: (files: readonly File[]) => void): () => void {
  const handlers: Readonly<Record<string, (event: DragEvent) => void>> = {
    dragenter: () => setOver(true),
    dragover: ({ dataTransfer }) => {
      dataTransfer!.dropEffect = 'copy';
    },
    // Leave events inside the window have a related target; those that leave it have none.
    dragleave: ({ relatedTarget }) => setOver(relatedTarget !== null),
    drop: ({ dataTransfer }) => {
      setOver(false);
      if (dataTransfer!.files.length > 0) take([...dataTransfer!.files]);
    },
  };
  const hear = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    if (event.target instanceof Element && event.target.closest('[data-takes-files]') !== null)
      return setOver(false);
    event.preventDefault();
    event.stopPropagation();
    handlers[event.type]!(event);
  };
  const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
  for (const type of types) window.addEventListener(type, hear, { capture: true });
  return () => {
    for (const type of types) window.removeEventListener(type, hear, { capture: true });
  };
}
