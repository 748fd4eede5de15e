const pageBytes = 65_536;
/** What two bytes of the binary's format hold: 1 GiB but for one page. */
const maxPages = 16_383;
/** What one jq may use, whatever its step says. */
export const highestMemoryBytes = maxPages * pageBytes;

const headerBytes = 8;
const memorySection = 5;

/**
 * The binary with a larger limit for its memory in the place of its own, 256 MiB: values take about 20 times the size
 * of their JSON. Throws for a binary that states its limits in another manner.
 */
export function raiseMemoryLimit(binary: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const raised = binary.slice();
  const reader = { bytes: raised, position: headerBytes };
  while (reader.position < raised.length) {
    const section = raised[reader.position]!;
    reader.position += 1;
    const length = readNumber(reader);
    if (section !== memorySection) {
      reader.position += length;
      continue;
    }
    const [memories, flags] = [readNumber(reader), readNumber(reader)];
    readNumber(reader);
    const limitAt = reader.position;
    readNumber(reader);
    if (memories !== 1 || flags !== 1 || reader.position !== limitAt + 2) break;
    raised.set([0x80 | (maxPages & 0x7f), maxPages >> 7], limitAt);
    return raised;
  }
  throw new Error('the package jq-wasm states no limit for its memory');
}

/** LEB128: seven bits a byte, the lowest first. */
function readNumber(reader: { readonly bytes: Uint8Array; position: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.position]!;
    reader.position += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}
