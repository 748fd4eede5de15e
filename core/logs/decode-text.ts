/** Decodes the bytes of a line, or of a part of one. */
export type DecodeText = (bytes: Buffer) => string;

/** Decodes UTF-8, with U+FFFD for invalid bytes. */
export const decodeUtf8: DecodeText = (bytes) => bytes.toString('utf8');

/**
 * Returns a decoder for valid UTF-8, such as the engine's own output, that uses another encoding for the rest.
 * @param charset a label of the Encoding Standard, such as `euc-jp`; default: UTF-8 only
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
