import type { FileHandle } from 'node:fs/promises';
import type { ArchiveFormat } from '../../../model/executors/archive.ts';

const endings: readonly (readonly [RegExp, ArchiveFormat])[] = [
  [/\.(zip|jar|war|whl|apk)$/i, 'zip'],
  [/\.tar$/i, 'tar'],
  [/\.(tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(tar\.zst|tzst)$/i, 'tar.zst'],
  [/\.(tar\.xz|txz)$/i, 'tar.xz'],
  [/\.(tar\.bz2|tbz2?|tar\.bz)$/i, 'tar.bz2'],
];

/** Returns the format of a file name extension. */
export const findFormatOfName = (path: string): ArchiveFormat | undefined =>
  endings.find(([ending]) => ending.test(path))?.[1];

const signatures: readonly (readonly [offset: number, bytes: readonly number[], format: ArchiveFormat])[] = [
  [0, [0x50, 0x4b, 0x03, 0x04], 'zip'],
  // Empty archive.
  [0, [0x50, 0x4b, 0x05, 0x06], 'zip'],
  [0, [0x1f, 0x8b], 'tar.gz'],
  [0, [0x28, 0xb5, 0x2f, 0xfd], 'tar.zst'],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'tar.xz'],
  [0, [0x42, 0x5a, 0x68], 'tar.bz2'],
  // "ustar"
  [257, [0x75, 0x73, 0x74, 0x61, 0x72], 'tar'],
];

/** Detects the format from the first bytes of a file. */
export async function findFormatOfContent(file: FileHandle): Promise<ArchiveFormat | undefined> {
  const head = Buffer.alloc(262);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return signatures.find(
    ([offset, bytes]) =>
      offset + bytes.length <= bytesRead && bytes.every((byte, index) => head[offset + index] === byte),
  )?.[2];
}
