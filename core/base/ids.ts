/**
 * Formats a UUID version 7 (RFC 9562 section 5.7): sortable by creation time.
 * @param epochMs creation time, milliseconds
 * @param random ten random bytes
 */
export function formatUuidV7(epochMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index += 1)
    bytes[index] = Math.floor(epochMs / 2 ** (8 * (5 - index))) & 0xff;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Run ids chosen by a caller: at most 64 letters, digits, `-` and `_`. */
export const runIdPattern = '^[-a-zA-Z0-9_]{1,64}$';

/**
 * DAG names: at most 40 letters, digits, `_`, `.` and `-`. Names are parts of paths and URLs, so `.` and `..` are
 * excluded.
 */
export const dagNamePattern = '^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,40}$';

/** Names of workflow files, without extension. */
export const fileNamePattern = '^[A-Za-z0-9_.-]{1,80}$';

/** Relative paths of visible folders, separated by `/`; empty for none. */
export const folderPattern =
  '^(?:$|(?:[^./\\\\:*?"<>|\\u0000-\\u001f][^/\\\\:*?"<>|\\u0000-\\u001f]*)(?:/[^./\\\\:*?"<>|\\u0000-\\u001f][^/\\\\:*?"<>|\\u0000-\\u001f]*)*$)';

/** Tags, which lists separate by commas. */
export const tagPattern = '^[^,]*$';

/** Names of webhook receivers. */
export const receiverNamePattern = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

/** Name of a stored secret. */
export const secretNamePattern = '^[A-Za-z0-9_.:/@-]{1,128}$';

/** User names; the length is checked separately. */
export const userNamePattern = '^[^\\s:\\u0000-\\u001f\\u007f]+$';

/** A day, such as `2026-01-31`. */
export const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';

/** A SHA-256 hash in lower-case hexadecimal. */
export const hashPattern = '^[0-9a-f]{64}$';

/** The key of a row, as a string. */
export const rowPattern = '^[0-9]{1,15}$';

/** Means the newest run of the DAG where a run id is expected. No run can have this id. */
export const latestRunId = 'latest';
