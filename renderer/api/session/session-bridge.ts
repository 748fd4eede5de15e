import type { Dispose } from '../../../core/base/clock.ts';
import { AppError } from '../../../core/base/errors.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../../core/contract/operations.ts';
import type { Bridge, StreamObserver } from '../../../core/contract/transport/bridge.ts';
import type { CurrentUser, Session } from './session.ts';

/** Operations on sessions are never held back. */
const sessionOperations: ReadonlySet<OperationName> = new Set(['auth.info', 'auth.login', 'auth.logout']);

/**
 * A bridge whose calls and streams survive the end of a session: requests rejected with 401 were not executed,
 * so they wait until the same user has signed in and are then repeated. Meanwhile nothing is sent that would
 * only be rejected.
 */
export class SessionBridge implements Bridge {
  /** Without waiting. */
  readonly direct: Bridge;
  readonly #session: Session;

  constructor(direct: Bridge, session: Session) {
    this.direct = direct;
    this.#session = session;
  }

  get transport(): Bridge['transport'] {
    return this.direct.transport;
  }

  get openLogFile(): Bridge['openLogFile'] {
    return this.direct.openLogFile?.bind(this.direct);
  }

  get desktop(): Bridge['desktop'] {
    return this.direct.desktop;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    if (sessionOperations.has(name)) return this.direct.call(name, input);
    for (;;) {
      if (this.#session.isClosed) await this.#session.ask();
      const sentAt = this.#session.signIns;
      try {
        const output = await this.direct.call(name, input);
        if (name === 'auth.me' && sentAt === this.#session.signIns) this.#session.know(output as CurrentUser);
        return output;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
        await this.#session.ask(sentAt);
      }
    }
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    let isOver = false;
    let stop: Dispose = () => undefined;
    const end: typeof observer.end = (error) => {
      if (isOver) return;
      isOver = true;
      stopListening();
      observer.end(error);
    };
    const resume = (sentAt?: number): void => {
      stop = () => undefined;
      this.#session.ask(sentAt).then(open, (error: AppError) => end(error));
    };
    const open = (): void => {
      if (isOver) return;
      if (this.#session.isClosed) return resume();
      const sentAt = this.#session.signIns;
      stop = this.direct.follow(name, input, {
        item: (item) => observer.item(item),
        end: (error) => (error?.code === 'unauthorized' ? resume(sentAt) : end(error)),
      });
    };
    const stopListening = this.#session.onLeave(() => {
      stop();
      resume();
    });
    open();
    return () => {
      isOver = true;
      stopListening();
      stop();
    };
  }
}
