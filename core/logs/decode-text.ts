/** Makes text of the bytes of a line, or of a part of one. */
export type DecodeText = (bytes: Buffer) => string;

/** Shows U+FFFD for what is no UTF-8. */
export const decodeUtf8: DecodeText = (bytes) => bytes.toString('utf8');

/**
 * Reads UTF-8 where it is that, as what the engine itself writes is, and another encoding where it is not.
 * @param charset a label of the Encoding Standard, such as `euc-jp`; UTF-8 alone when absent
 */
export function textDecoder(charset: string | undefined): DecodeText {
  if (charset === undefined || charset === 'utf-8') return decodeUtf8;
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const other = new TextDecoder(charset);
  return (bytes) => {
    try {
      return strict.decode(bytes);
    } catch {
      return other.decode(bytes);
    }
  };
}
