export const bytesPerRow = 16;

/**
 * Formats a row like `hexdump -C`: offset, bytes, and printable characters. @param bytes one character per byte
 */
export function writeHexRow(row: number, bytes: string): string {
  const codes = Array.from(bytes, (sign) => sign.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16).padStart(2, '0'));
  const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')];
  const signs = codes.map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.')).join('');
  const offset = (row * bytesPerRow).toString(16).padStart(8, '0');
  return `${offset}  ${halves[0]!.padEnd(23)}  ${halves[1]!.padEnd(23)}  |${signs}|`;
}
