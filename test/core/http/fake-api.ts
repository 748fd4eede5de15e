import type { Caller, EngineApi } from '../../../core/api/engine-host.ts';
import type { Dispose } from '../../../core/base/clock.ts';
import type { AppError, ErrorBody } from '../../../core/base/errors.ts';
import type { StreamObserver } from '../../../core/contract/transport/bridge.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../../core/contract/operations.ts';

/** One call that arrived. */
export interface RecordedCall {
  readonly name: OperationName;
  readonly input: unknown;
  readonly caller: Caller;
}

/** An open stream, driven by the test. */
export interface OpenStream {
  readonly name: StreamName;
  readonly input: unknown;
  readonly observer: StreamObserver<unknown>;
  disposed: number;
}

/** An engine API that records what arrives and answers what the test tells it to. */
export class FakeApi implements EngineApi {
  readonly calls: RecordedCall[] = [];
  readonly streams: OpenStream[] = [];
  /** What every call does; echoes its input until told otherwise. */
  answer: (call: RecordedCall) => unknown = ({ name, input }) => ({ name, input });
  /** Said at once to everybody who follows. */
  refusal: ErrorBody | undefined;
  #waiting: ((stream: OpenStream) => void)[] = [];

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>> {
    const call = { name, input, caller };
    this.calls.push(call);
    return (await this.answer(call)) as OperationOutput<Name>;
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    const stream: OpenStream = { name, input, observer, disposed: 0 };
    this.streams.push(stream);
    if (this.refusal) observer.end(this.refusal);
    for (const resolve of this.#waiting.splice(0)) resolve(stream);
    return () => {
      stream.disposed += 1;
    };
  }

  /** Resolves with the next stream that somebody follows. */
  nextStream(): Promise<OpenStream> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Makes every call fail. */
  refuse(error: AppError | Error): void {
    this.answer = () => {
      throw error;
    };
  }
}
