import type { Dispose } from '../base/clock.ts';
import { toAppError, toErrorBody } from '../base/errors.ts';
import type { StreamObserver } from '../contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../contract/operations.ts';
import type * as Operations from './dispatch.ts';
import type { Caller, EngineApi } from './engine-api.ts';
import type { EngineContext } from './engine-context.ts';

let operations: typeof Operations | undefined;

/** Loads all operations. */
export async function loadOperations(): Promise<typeof Operations> {
  return (operations ??= await import('./dispatch.ts'));
}

/** Loads the operations with the first call, because a command that only runs a workflow calls none of them. */
export class LazyDispatch implements EngineApi {
  readonly #context: EngineContext;
  #opened: EngineApi | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
  ): Promise<OperationOutput<Name>> {
    return this.#open(await loadOperations()).call(name, input, caller);
  }

  follow<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
    caller: Caller,
  ): Dispose {
    if (operations !== undefined) return this.#open(operations).follow(name, input, observer, caller);
    const start = async (): Promise<Dispose> =>
      this.#open(await loadOperations()).follow(name, input, observer, caller);
    return startStream(start, observer);
  }

  #open({ Dispatch }: typeof Operations): EngineApi {
    return (this.#opened ??= new Dispatch(this.#context));
  }
}

/** Starts a stream, now or later, and passes errors to the observer. Returns a function that ends the stream. */
export function startStream(
  start: () => Dispose | Promise<Dispose>,
  observer: Pick<StreamObserver<never>, 'end' | 'starting'>,
): Dispose {
  let isLeft = false;
  let stop: Dispose = () => {};
  const fail = (error: unknown): void => {
    if (!isLeft) observer.end(toErrorBody(toAppError(error)));
  };
  try {
    const started = start();
    if (!(started instanceof Promise)) return started;
    const settled = started.then((dispose) => {
      stop = dispose;
      if (isLeft) stop();
    }, fail);
    observer.starting?.(settled);
  } catch (error) {
    fail(error);
  }
  return () => {
    isLeft = true;
    stop();
  };
}
