/** How a file is displayed. */
export type FileKind = 'json' | 'lines' | 'csv' | 'markdown' | 'html' | 'image' | 'pdf' | 'text';

const kinds: Readonly<Record<string, FileKind>> = {
  ...{ json: 'json', geojson: 'json', ipynb: 'json', har: 'json', sarif: 'json' },
  ...{ jsonl: 'lines', ndjson: 'lines' },
  ...{ csv: 'csv', tsv: 'csv' },
  ...{ md: 'markdown', markdown: 'markdown' },
  ...{ html: 'html', htm: 'html' },
  pdf: 'pdf',
};

const imageTypes: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', bmp: 'image/bmp', ico: 'image/x-icon', svg: 'image/svg+xml' },
};

const getExtension = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns the media type of an image by its name. */
export const getImageType = (name: string): string | undefined => imageTypes[getExtension(name)];

/** Determines how to display a file by its name; anything unknown may be text. */
export const getFileKind = (name: string): FileKind =>
  getImageType(name) !== undefined ? 'image' : (kinds[getExtension(name)] ?? 'text');

/** Files up to this size in bytes are read when opened; for larger ones the user is asked. */
export const askFromBytes = 5_000_000;

interface ReadLimit {
  /** Maximum number of bytes to read. */
  readonly bytes: number;
  /** Whether the beginning of a larger file can be displayed. */
  readonly isPartial: boolean;
}

const limits: Readonly<Record<FileKind, ReadLimit>> = {
  json: { bytes: 25_000_000, isPartial: false },
  lines: { bytes: 50_000_000, isPartial: true },
  csv: { bytes: 50_000_000, isPartial: true },
  markdown: { bytes: 1_000_000, isPartial: true },
  html: { bytes: 10_000_000, isPartial: false },
  image: { bytes: 25_000_000, isPartial: false },
  pdf: { bytes: 100_000_000, isPartial: false },
  text: { bytes: 256_000, isPartial: true },
};

/** Returns how many bytes to read of a file; undefined if it is too large to display. */
export function bytesToRead(kind: FileKind, size: number): number | undefined {
  const { bytes, isPartial } = limits[kind];
  if (size <= bytes) return size;
  return isPartial ? bytes : undefined;
}
