import { showToast } from '../../ui/overlay/toasts.tsx';
import { readTextFile, type SourceText } from './text-file.ts';
import { wayOfFile, type TextWay } from './ways.ts';

/**
 * Reads a file and finds out what it is; when nothing comes of it, a toast says why.
 * @param otherwise what a file is taken for that does not show what it is
 */
export async function takeFile(
  file: File,
  others: number,
  otherwise?: TextWay,
): Promise<(SourceText & { readonly way: TextWay }) | undefined> {
  const read = await readTextFile(file);
  if (!read.ok) {
    showToast('error', read.error);
    return undefined;
  }
  const way = wayOfFile(file.name, read.value.text) ?? otherwise;
  if (way === undefined) {
    showToast(
      'error',
      `${file.name} is neither a workflow (.yaml), a shell script (.sh), a Makefile nor a crontab by its name or its text. Choose "New workflow" and what it is, then drop it there.`,
    );
    return undefined;
  }
  if (others > 0) showToast('info', `Only ${file.name} was taken. Drop the other files one by one.`);
  return { ...read.value, way };
}
