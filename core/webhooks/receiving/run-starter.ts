import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WebhookParam } from '../../model/webhook.ts';
import type { Parameter, WebhookTrigger } from '../../model/workflow.ts';
import type { Clock } from '../../base/clock.ts';
import { isQuarantined, reportQuarantined, runActivity, quarantineReason } from '../../base/activity.ts';
import { AppError, getErrorMessage } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import { Batcher } from '../../base/turns.ts';
import type { RunRef } from '../../model/run.ts';
import type {
  AcceptedRequest,
  ReceivedStore,
  RefusedRequest,
  StoredRequest,
  StoredStart,
} from '../../store/types/receivers.ts';
import { fsyncDir } from '../../process/write-file-durable.ts';
import type { WorkflowLibrary } from '../../home/library/workflow-library.ts';
import type { Queues } from '../../run/queue/queues.ts';
import type { RunService } from '../../run/run-service.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { Delivery } from './delivery-receiver.ts';
import { expressionText, type Listener } from './match-workflows.ts';

/** Maximum size of a value in bytes: it becomes an environment variable, which platforms limit. */
const maxValueLength = 65_536;

/**
 * Returns the parameters from a payload. Strings are used unchanged, other values as compact JSON. The values are not
 * expanded.
 * @returns an error message if a value is not available
 */
function readTriggerParams(
  definition: Pick<WebhookTrigger, 'params'>,
  payload: JsonObject,
): readonly Parameter[] | string {
  const params: Parameter[] = [];
  for (const { name, path, default: fallback } of definition.params) {
    const value = valueAt(payload, path);
    const text = value === undefined || value === null ? fallback : formatValue(value);
    if (text === undefined) continue;
    const problem = findProblem(text);
    if (problem !== undefined) return `The value of parameter ${name} ${problem}.`;
    params.push({ name, value: text });
  }
  return params;
}

function findProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character, which environment variables do not allow';
  const length = Buffer.byteLength(text);
  return length > maxValueLength
    ? `is ${length} bytes (the limit is ${maxValueLength}). Steps can read the whole payload from WEBHOOK_PAYLOAD_FILE`
    : undefined;
}

const formatValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function valueAt(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  for (const key of path) {
    if (Array.isArray(value)) value = typeof key === 'number' ? value.at(key) : undefined;
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** A run to start for a webhook. */
interface RunStartRequest {
  readonly dag: string;
  readonly dagRunId: string;
  readonly startedBy: string;
  readonly params: readonly Parameter[];
  readonly singleton: boolean;
  /** Overrides the workflow's queue. */
  readonly queue?: string | undefined;
  /** Runs of the same group run sequentially. */
  readonly group?: string | undefined;
}

/** Temporary errors, after which the start is retried. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'storage_full']);

type Request = AcceptedRequest | RefusedRequest;
type SettledStart = Parameters<ReceivedStore['settle']>[0][number];

/** A delivery whose payload file is written when the first run needs it. */
interface DeliveryWithFile extends Delivery {
  readonly payloadFile: (receivedKey: number) => Promise<string>;
}

interface RunStarterOptions {
  readonly received: Pick<ReceivedStore, 'keep' | 'settle'>;
  readonly store: Pick<RunStore, 'findRun'>;
  readonly library: WorkflowLibrary;
  readonly runs: Pick<RunService, 'start'>;
  readonly queues: Pick<Queues, 'enqueue' | 'isProcessed'>;
  readonly clock: Pick<Clock, 'soon'>;
  readonly logger: Logger;
  /** Returns the current triggers. */
  readonly listeners: () => readonly Listener[];
  readonly payloads: PayloadFiles;
}

/**
 * Stores deliveries durably, and then starts their runs, each exactly once: the run id is derived from delivery and
 * trigger.
 */
export class RunStarter {
  readonly #options: RunStarterOptions;
  /** Stores requests in batches, because each durable commit waits for the disk. */
  readonly #batcher: Batcher<Request, StoredRequest>;
  readonly #active = new Set<string>();
  #idle: (() => void)[] = [];

  constructor(options: RunStarterOptions) {
    this.#options = options;
    this.#batcher = new Batcher(
      options.clock,
      async (requests) => {
        failPoint('webhook.before_keep');
        const stored = await options.received.keep(requests);
        failPoint('webhook.kept');
        return stored;
      },
      countFirst,
    );
  }

  /** Stores a request. Resolves when it is on disk. */
  keep(request: Request): Promise<StoredRequest> {
    return this.#batcher.add(request);
  }

  /** Stores a delivery. Resolves when it is on disk; the starts that are due begin then. */
  async accept(request: AcceptedRequest, delivery: Delivery): Promise<StoredRequest> {
    const stored = await this.#batcher.add(request);
    void this.startAll(
      stored.starts.filter(({ dueAt }) => dueAt === undefined),
      delivery,
    );
    return stored;
  }

  /** Starts the runs of a delivery, unless already in progress, and stores their outcome. Never rejects. */
  async startAll(starts: readonly StoredStart[], delivery: Delivery): Promise<void> {
    const [receivedKey] = starts.map((start) => start.receivedKey);
    if (receivedKey === undefined) return;
    const activity = { kind: 'delivery', receivedKey } as const;
    if (!isQuarantined(activity))
      return runActivity(activity, () =>
        this.#startClaimed(starts, (claimed) => this.#startEach(claimed, delivery)),
      );
    const reason = quarantineReason(activity);
    await this.#startClaimed(starts, async (claimed) =>
      claimed.map((start) => ({ ...start, outcome: 'refused', reason })),
    );
    reportQuarantined(activity);
  }

  async #startEach(claimed: readonly StoredStart[], delivery: Delivery): Promise<SettledStart[]> {
    const withFile = this.#keepPayload(delivery);
    const settled = await Promise.all(claimed.map((start) => this.#startOne(start, withFile)));
    return settled.filter((one) => one !== undefined);
  }

  /** @param start starts the runs and resolves with the outcomes to store */
  async #startClaimed(
    starts: readonly StoredStart[],
    start: (claimed: readonly StoredStart[]) => Promise<SettledStart[]>,
  ): Promise<void> {
    const claimed = starts.filter((one) => !this.#active.has(getKey(one)));
    for (const one of claimed) this.#active.add(getKey(one));
    try {
      const settled = await start(claimed);
      if (settled.length > 0) await this.#options.received.settle(settled);
    } catch (error) {
      this.#options.logger.error('Cannot record the result of a webhook, retrying', {
        message: getErrorMessage(error),
      });
    } finally {
      for (const one of claimed) this.#active.delete(getKey(one));
      if (this.#active.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when no starts are in progress. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#active.size === 0) resolve();
      else this.#idle.push(resolve);
    });
  }

  /** Starts one run; undefined if it must be retried. */
  async #startOne(start: StoredStart, delivery: DeliveryWithFile): Promise<SettledStart | undefined> {
    try {
      failPoint('webhook.before_start');
      const run =
        (await this.#options.store.findRun(start.run)) !== undefined
          ? start.run
          : await this.#launch(start, delivery);
      failPoint('webhook.started');
      return { ...start, run, outcome: 'started', reason: undefined };
    } catch (error) {
      if (error instanceof AppError && passing.has(error.code)) return undefined;
      // Another host, or this one before a crash, has started the run.
      if (error instanceof AppError && error.code === 'already_exists')
        return { ...start, outcome: 'started', reason: undefined };
      const reason = getErrorMessage(error);
      this.#options.logger.warn(`A webhook could not start workflow ${start.dag}: ${reason}`);
      return { ...start, outcome: 'refused', reason };
    }
  }

  async #launch(start: StoredStart, delivery: DeliveryWithFile): Promise<RunRef> {
    const { dag, trigger } = start;
    const listener = this.#options.listeners().find((one) => one.dag === dag && one.trigger === trigger);
    if (listener === undefined)
      throw new AppError('not_found', `Workflow ${dag} no longer subscribes to webhooks.`);
    if (listener.problem !== undefined) throw new AppError('invalid_spec', listener.problem);
    const { definition } = listener;
    const params = readTriggerParams(definition, delivery.payload);
    if (typeof params === 'string') throw new AppError('bad_request', params);
    const group =
      definition.concurrencyKey === undefined
        ? undefined
        : await expressionText(definition.concurrencyKey, delivery);
    return this.#startOrEnqueue({
      dag,
      dagRunId: start.run.dagRunId,
      startedBy: `webhook ${delivery.receiver.name}`,
      params: [...params, ...(await this.#evaluateParams(start, delivery))],
      singleton: definition.singleton,
      queue: definition.queue,
      group: group === undefined ? undefined : groupName(group),
    });
  }

  /**
   * Adds a run to its queue. When no host serves queues and no queue was requested, it starts at once, unless the
   * workflow has reached its limit of active runs.
   */
  async #startOrEnqueue(request: RunStartRequest): Promise<RunRef> {
    const { library, runs, queues } = this.#options;
    const { dag, dagRunId, startedBy, params, singleton, group } = request;
    const { spec: source } = await library.get(dag);
    const workflow = source.workflows[0];
    const run = { source, trigger: 'webhook', startedBy, params, dagRunId, singleton } as const;
    const queue = request.queue ?? workflow?.queue;
    if (group !== undefined) {
      const base = queue ?? workflow?.name ?? dag;
      return queues.enqueue({ ...run, queue: `${base}:${group}`, maxActiveRuns: 1 });
    }
    if (queue !== undefined || (await queues.isProcessed()))
      return queues.enqueue({ ...run, ...(queue && { queue }) });
    try {
      return await runs.start(run);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'max_run_reached') throw error;
      return queues.enqueue(run);
    }
  }

  #keepPayload(delivery: Delivery): DeliveryWithFile {
    let file: Promise<string> | undefined;
    const { receiver, text } = delivery;
    const payloadFile = (receivedKey: number): Promise<string> =>
      (file ??= this.#options.payloads.write({ receiverId: receiver.id, receivedKey }, text));
    return { ...delivery, payloadFile };
  }

  async #evaluateParams(
    { receivedKey }: StoredStart,
    { receiver, event, action, deliveryId, payloadFile }: DeliveryWithFile,
  ): Promise<Parameter[]> {
    const values: readonly (readonly [WebhookParam, string | undefined])[] = [
      ['WEBHOOK_RECEIVER', receiver.name],
      ['WEBHOOK_EVENT', event],
      ['WEBHOOK_ACTION', action],
      ['WEBHOOK_DELIVERY', deliveryId ?? String(receivedKey)],
      ['WEBHOOK_PAYLOAD_FILE', await payloadFile(receivedKey)],
    ];
    return values.map(([name, value = '']) => ({ name, value: value.replaceAll('\0', '') }));
  }
}

/** Maximum size of bodies per transaction: writing 25 MB takes a tenth of a second. */
const maxBytes = 4 * 1024 * 1024;

/** Returns how many of the requests to store in the next transaction: large ones are spread over several ticks. */
function countFirst(requests: readonly Request[]): number {
  let bytes = 0;
  const end = requests.findIndex(({ body }) => (bytes += body?.length ?? 0) > maxBytes);
  return end < 0 ? requests.length : Math.max(end, 1);
}

const getKey = ({ receivedKey, dag, trigger }: StoredStart): string => `${receivedKey}/${trigger}/${dag}`;

const maxGroupLength = 80;

/** Escapes a string injectively for use in a queue name. */
function groupName(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  if (plain === text && plain.length <= maxGroupLength && plain !== '') return plain;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${plain.slice(0, maxGroupLength - 20).trim()}#${digest}`;
}

/** Identity of a payload. */
export interface PayloadLocation {
  /** Opaque, consisting of letters, digits, `-` and `_`. */
  readonly receiverId: string;
  readonly receivedKey: number;
}

/** Payload files for the steps of webhook-triggered runs, retained as long as their delivery. */
export class PayloadFiles {
  readonly #folder: string;

  /** @param folder absolute; created with the first payload */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a payload durably, readable only by this user. Resolves with its absolute path. */
  async write(location: PayloadLocation, text: string): Promise<string> {
    const file = this.#getFilePath(location);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Written atomically, because a later start may write the file again while it is read.
    await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
    await fsyncDir(dirname(file));
    return file;
  }

  remove(locations: readonly PayloadLocation[]): void {
    for (const payloadLocation of locations) rmSync(this.#getFilePath(payloadLocation), { force: true });
  }

  /** Deletes all payloads of a receiver. */
  removeAll(receiverId: string): void {
    rmSync(join(this.#folder, receiverId), { recursive: true, force: true });
  }

  #getFilePath({ receiverId, receivedKey }: PayloadLocation): string {
    return join(this.#folder, receiverId, `${receivedKey}.json`);
  }
}
