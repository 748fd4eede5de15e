import type { Size } from 'electron';

const PNG_SIGNATURE = 0x89504e47;
const JPEG_SIGNATURE = 0xffd8;

/**
 * Reads the size of a PNG or JPEG.
 * @returns undefined for anything else; Electron decodes only these two on every platform, not SVG
 */
export function readImageSize(bytes: Buffer): Size | undefined {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === PNG_SIGNATURE) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === JPEG_SIGNATURE ? readJpegSize(bytes) : undefined;
}

/** Scans the segments of a JPEG for the frame header, which contains the size. */
function readJpegSize(bytes: Buffer): Size | undefined {
  for (let offset = 2; offset + 9 <= bytes.length; offset += 2 + bytes.readUInt16BE(offset + 2)) {
    const marker = bytes.readUInt16BE(offset);
    // C0 to CF are frame headers, except the tables C4, C8 and CC.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    }
  }
  return undefined;
}
