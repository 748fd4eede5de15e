import { readlink } from 'node:fs/promises';
import { quote, toArchiveError } from '../archive-error.ts';
import { maxBufferedBytes } from '../entries/entry.ts';
import { SourceFile } from './source-file.ts';
import type { SourceItem } from './walk.ts';

/** The content of a file to pack: in memory if it is small, else as an open file. */
export type SourceContent =
  | { readonly kind: 'whole'; readonly item: SourceItem; readonly bytes: Buffer }
  | { readonly kind: 'open'; readonly item: SourceItem; readonly file: SourceFile };

/** Opens a file and reads it if it is small, in which case it is closed again. Folders and links have no content. */
export async function prepareContent(
  item: SourceItem,
  options: { readonly followSymlinks: boolean; readonly signal: AbortSignal },
): Promise<SourceContent> {
  if (item.kind !== 'file') return { kind: 'whole', item, bytes: Buffer.alloc(0) };
  const file = await SourceFile.open(item, options);
  if (file.item.size > maxBufferedBytes) return { kind: 'open', item: file.item, file };
  try {
    return { kind: 'whole', item: file.item, bytes: await file.readAll() };
  } finally {
    file.close();
  }
}

/** Returns the target of a link that is packed. */
export async function readTarget({ path }: SourceItem): Promise<string> {
  try {
    return await readlink(path);
  } catch (error) {
    throw toArchiveError(error, quote(path));
  }
}
