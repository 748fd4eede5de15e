/** Last entry of a backup: what belongs to it. A backup without it was not written to its end. */
export interface BackupManifest {
  readonly format: 1;
  /** Release that has written it. */
  readonly version: string;
  /** Of the database. */
  readonly schema: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Whether the logs of the runs are in it. */
  readonly logs: boolean;
  readonly files: readonly BackupFile[];
}

/** One file of a backup. */
export interface BackupFile {
  /** Below the home, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Of the content, hexadecimal. */
  readonly sha256: string;
}

export const manifestName = 'manifest.json';

/** The database's place in a home and in a backup. */
export const databaseName = 'data/engine.db';

/** In a backup, what the embedded database of the gateway has dumped; in a home it is a folder beside. */
export const gatewayDatabaseName = 'data/gateway/pgdata.tar.gz';

/** Reads a manifest; undefined when the text is none that this release knows. */
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

/** Whether a path of an entry stays below the folder it is put into, on any platform. */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > 4096 || /^[/\\]|^[A-Za-z]:|[\0\\]/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
