import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { OtelSettings } from './trace.ts';
import type { SpanRecord } from './run-spans.ts';

/** Receives the spans of a run. */
export interface SpanSink {
  add(span: SpanRecord): void;
  /** Ends the sink; remaining spans are sent in the background. */
  close(): void;
}

/** A receiver with the runs that use it. */
interface Route {
  /** Undefined if the receiver cannot be used. */
  readonly pipeline: Promise<Pipeline | undefined>;
  /** The reason, if known. */
  fault: string | undefined;
  readonly users: Set<(message: string) => void>;
}

/**
 * Sends the spans of runs to the receivers of their workflows. Runs with the same settings share a connection. The
 * libraries are loaded with the first traced run.
 */
export class Telemetry {
  readonly #clock: Clock;
  /** The engine's environment, with its variables `OTEL_…`. */
  readonly #environment: Readonly<Record<string, string | undefined>>;
  /** Version of the engine. */
  readonly #version: string;
  readonly #routes = new Map<string, Route>();
  readonly #closing = new Set<Promise<void>>();

  constructor(clock: Clock, environment: Readonly<Record<string, string | undefined>>, version: string) {
    this.#clock = clock;
    this.#environment = environment;
    this.#version = version;
  }

  /** Whether `OTEL_SDK_DISABLED` disables tracing for the whole engine. */
  get isOff(): boolean {
    return this.#environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  }

  /** @param report called once if spans of the run cannot be sent, with the reason */
  open(settings: OtelSettings, report: (message: string) => void): SpanSink {
    const key = JSON.stringify(settings);
    const route = this.#routes.get(key) ?? this.#openRoute(key, settings);
    const reportOnce = onlyOnce(report);
    route.users.add(reportOnce);
    if (route.fault !== undefined) reportOnce(route.fault);
    const added: Promise<void>[] = [];
    return {
      add: (span) => void added.push(route.pipeline.then((pipeline) => pipeline?.add(span))),
      close: () => {
        const closed = Promise.all(added).then(() => this.#leave(key, route, reportOnce));
        this.#closing.add(closed);
        void closed.then(() => this.#closing.delete(closed));
      },
    };
  }

  /** Resolves when everything has been sent or has timed out. */
  async settled(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #openRoute(key: string, settings: OtelSettings): Route {
    const users: Route['users'] = new Set();
    const report = (message: string): void => users.forEach((user) => user(message));
    const pipeline = this.#openPipeline(settings, report).catch((error: unknown) => {
      route.fault = `Cannot export traces: ${getErrorMessage(error)}`;
      report(route.fault);
      return undefined;
    });
    const route: Route = { users, pipeline, fault: undefined };
    this.#routes.set(key, route);
    return route;
  }

  async #openPipeline(settings: OtelSettings, report: (message: string) => void): Promise<Pipeline> {
    const [{ findDestination }, { Pipeline }] = await Promise.all([
      import('./delivery.ts'),
      import('./pipeline.ts'),
    ]);
    const destination = findDestination(settings, this.#environment);
    return new Pipeline({
      destination,
      resource: settings.resource,
      version: this.#version,
      clock: this.#clock,
      report,
    });
  }

  /** Removes a user; the last one sends all remaining spans. */
  async #leave(key: string, route: Route, user: (message: string) => void): Promise<void> {
    if (route.users.size === 1) {
      this.#routes.delete(key);
      await (await route.pipeline)?.close();
    }
    route.users.delete(user);
  }
}

function onlyOnce(report: (message: string) => void): (message: string) => void {
  let isFirst = true;
  return (message) => {
    if (isFirst) report(message);
    isFirst = false;
  };
}
