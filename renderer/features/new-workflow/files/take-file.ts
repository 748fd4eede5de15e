import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { readTextFile, type SourceText } from './text-file.ts';
import { detectSourceKind, type TextSourceKind } from '../ways.ts';

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
