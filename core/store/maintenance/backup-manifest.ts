/** Last entry of a backup, which lists its content. A backup without it is incomplete. */
export interface BackupManifest {
  readonly format: 1;
  /** Release that wrote it. */
  readonly version: string;
  /** Schema version of the database. */
  readonly schema: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Whether run logs are included. */
  readonly logs: boolean;
  readonly files: readonly BackupFile[];
}

/** A file of a backup. */
export interface BackupFile {
  /** Relative to the home, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Content hash, hexadecimal. */
  readonly sha256: string;
}

export const manifestName = 'manifest.json';

/** Path of the database in a home and in a backup. */
export const databaseName = 'data/engine.db';

/** Path of the gateway database dump in a backup; in a home it is a directory next to it. */
export const gatewayDatabaseName = 'data/gateway/pgdata.tar.gz';

/** Parses a manifest; undefined if invalid or of an unknown version. */
export function readManifest(text: string): BackupManifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<BackupManifest> | null;
    const isKnown =
      manifest?.format === 1 && Number.isInteger(manifest.schema) && Array.isArray(manifest.files);
    return isKnown ? (manifest as BackupManifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the path of an entry stays within the target directory, on any platform. */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > 4096 || /^[/\\]|^[A-Za-z]:|[\0\\]/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
