import type { Dispose } from '../../core/base/clock.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport.ts';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';

type Answers = {
  [Name in OperationName]?: (
    input: OperationInput<Name>,
  ) => OperationOutput<Name> | Promise<OperationOutput<Name>>;
};

/** A fake engine behind the bridge: its responses and pushes are set by the test. */
export class FakeBridge implements Bridge {
  readonly transport = 'direct';
  readonly calls: { readonly name: OperationName; readonly input: unknown }[] = [];
  readonly answers: Answers;
  readonly #observers = new Map<StreamName, Set<StreamObserver<never>>>();

  constructor(answers: Answers) {
    this.answers = answers;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    this.calls.push({ name, input });
    const answer = this.answers[name];
    if (!answer) throw new Error(`the test gave no answer for ${name}`);
    return answer(input);
  }

  follow<Name extends StreamName>(
    name: Name,
    _input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    const observers = this.#observers.get(name) ?? new Set();
    this.#observers.set(name, observers.add(observer));
    return () => observers.delete(observer);
  }

  /** Sends an item to all followers of the stream. */
  push<Name extends StreamName>(name: Name, item: StreamItem<Name>): void {
    for (const observer of this.#observers.get(name) ?? []) observer.item(item as never);
  }

  followers(name: StreamName): number {
    return this.#observers.get(name)?.size ?? 0;
  }

  callsOf(name: OperationName): readonly unknown[] {
    return this.calls.filter((call) => call.name === name).map(({ input }) => input);
  }
}
