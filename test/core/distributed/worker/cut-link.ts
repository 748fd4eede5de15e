import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from '../../../rig/servers/loopback.ts';
import { whenOver } from '../../../rig/when-over.ts';

/** A link between a worker and a coordinator that can be cut. */
export class CutLink {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isCut = false;

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
  }

  /** @param target URL of what lies at the other end */
  static async open(target: string): Promise<CutLink> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      if (link.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.pipe(near);
    });
    const link = new CutLink(`http://127.0.0.1:${await listenOnLoopback(server)}`, server, sockets);
    whenOver(() => link.#close());
    return link;
  }

  /** Nothing gets through any more. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  #close(): void {
    this.cut();
    this.#server.close();
  }
}
