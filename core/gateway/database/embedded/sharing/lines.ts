import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

/**
 * Calls back for each line of JSON. An invalid or overlong line closes the connection.
 * @param mostUnits maximum line length in UTF-16 code units; called for each chunk
 */
export function readLines(
  socket: Socket,
  onLine: (value: unknown) => void,
  mostUnits: () => number = () => Number.POSITIVE_INFINITY,
): void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let units = 0;
  socket.on('data', (bytes: Buffer) => {
    const lines = decoder.write(bytes).split('\n');
    for (const [at, part] of lines.entries()) {
      pieces.push(part);
      units += part.length;
      if (units > mostUnits()) return void socket.destroy();
      if (at === lines.length - 1) break;
      const line = pieces.join('');
      pieces = [];
      units = 0;
      try {
        onLine(JSON.parse(line));
      } catch {
        socket.destroy();
        return;
      }
    }
  });
}

export const writeLine = (socket: Socket, value: object): boolean =>
  socket.write(`${JSON.stringify(value)}\n`);
