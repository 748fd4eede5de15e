/**
 * A UUID version 7 (RFC 9562 section 5.7): sortable by creation time.
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

/** What a caller may choose as a run id: at most 64 of letters, digits, `-` and `_`. */
export const runIdPattern = '^[-a-zA-Z0-9_]{1,64}$';

/**
 * What a DAG name may be: at most 40 of letters, digits, `_`, `.` and `-`. Names are parts of
 * folders and of addresses, where `.` and `..` mean another place: these two are none.
 */
export const dagNamePattern = '^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,40}$';

/** What the name of a workflow's file may be, without its ending. */
export const fileNamePattern = '^[A-Za-z0-9_.-]{1,80}$';

/** What the name of a receiver of webhooks may be. */
export const receiverNamePattern = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

/** What the name of a user may hold; it has an end of its own. */
export const userNamePattern = '^[^\\s:\\u0000-\\u001f\\u007f]+$';

/** A day, such as `2026-01-31`. */
export const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';

/** A SHA-256, in small letters. */
export const hashPattern = '^[0-9a-f]{64}$';

/** The number of a row, as a text. */
export const rowPattern = '^[0-9]{1,15}$';

/** In the place of a run id: the newest run of the DAG. No run may be called so. */
export const latestRunId = 'latest';
