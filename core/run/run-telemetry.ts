import path from 'node:path';
import { getErrorMessage } from '../base/errors.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { RunTrace } from '../model/run.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Masker } from '../process/secrets/masker.ts';
import { readOtelSettings, type OtelSettings } from './telemetry/settings.ts';
import { RunSpans } from './telemetry/run-spans.ts';
import type { SpanSink } from './telemetry/telemetry.ts';
import type { RunHost, RunInput } from './run-input.ts';
import { runLogFile } from '../store/run-logs.ts';
import type { Inheritance } from './values/open-scope.ts';
import type { RunScope } from './values/run-scope.ts';
import { RunLog } from './run-log.ts';

/** The resolved values of a traced run; `scope` is absent when they could not be resolved. */
export interface TracedValues {
  readonly scope: RunScope | undefined;
  readonly masker: Masker;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
}

type Host = Pick<RunHost, 'telemetry' | 'clock' | 'logger'>;

/**
 * Exports the spans of one run while it is running, if its workflow enables that. An error loses spans but has no other
 * effect.
 */
export class RunTelemetry {
  readonly #host: Host;
  readonly #run: RunInput;
  readonly #trace: RunTrace;
  readonly #emit: (event: RunEvent) => void;
  /** Events from before the values were resolved; absent when tracing is off. */
  #buffered: { at: number; event: RunEvent }[] | undefined;
  #settings: OtelSettings | undefined;
  #sink: SpanSink | undefined;
  #spans: RunSpans | undefined;
  #runDir = '';
  #isOver = false;

  constructor(host: Host, run: RunInput, trace: RunTrace, emit: (event: RunEvent) => void) {
    this.#host = host;
    this.#run = run;
    this.#trace = trace;
    this.#emit = emit;
    const isEnabled = wantsTracing(run.workflow, run.inherited);
    // A caller that does not record its trace does not want ours recorded either (W3C Trace Context, sampled).
    if (isEnabled && trace.sampled && !host.telemetry.isOff) this.#buffered = [];
  }

  /** Settings for the runs of its steps that configure no tracing. */
  get settings(): OtelSettings | undefined {
    return this.#settings;
  }

  /** Starts to export. */
  async open({ scope, masker, runDir }: TracedValues): Promise<void> {
    if (this.#buffered === undefined) return;
    this.#runDir = runDir;
    try {
      this.#settings = await readRunOtel(this.#run.workflow, this.#run.inherited, { scope, masker });
    } catch (error) {
      this.#report(`Cannot export traces: ${getErrorMessage(error)}`);
    }
    const buffered = this.#buffered;
    this.#buffered = undefined;
    if (this.#settings === undefined) return;
    const hidden = (message: string): void => this.#report(masker.mask(message));
    const sink = (this.#sink = this.#host.telemetry.open(this.#settings, hidden));
    this.#spans = new RunSpans(this.#run.record, this.#trace, (span) => sink.add(span));
    for (const { at, event } of buffered) this.#spans.note(at, event);
  }

  /** Records the next event, with secrets masked. */
  note(at: number, event: RunEvent): void {
    if (event.type === 'run.finished') this.#isOver = true;
    this.#buffered?.push({ at, event });
    this.#spans?.note(at, event);
  }

  /** Ends the recording when the run has ended or is released; the rest is exported in the background. */
  close(): void {
    this.#isOver = true;
    this.#sink?.close();
    this.#sink = undefined;
    this.#buffered = undefined;
  }

  /** Reports an error in the run's log, because a run that has ended has no more events. */
  #report(message: string): void {
    const note: RunEvent = { type: 'run.message', level: 'warning', message };
    if (!this.#isOver) return this.#emit(note);
    const { name, dagRunId } = this.#run.record;
    this.#host.logger.warn(message, { dag: name, dagRunId });
    try {
      const log = new RunLog(path.join(this.#runDir, runLogFile));
      log.write(this.#host.clock.now(), note);
      log.close();
    } catch {
      // The logs of the run were deleted, or cannot be written; the engine's own report has the message.
    }
  }
}

/** Whether the run is traced. A sub-run whose workflow configures no tracing is traced to where its parent is. */
function wantsTracing({ otel }: Workflow, inherited: Inheritance | undefined): boolean {
  return otel === undefined ? inherited?.telemetry !== undefined : otel.enabled === true;
}

/** Returns where the spans of a run are exported to. Rejects when a value cannot be expanded. */
export async function readRunOtel(
  { otel }: Workflow,
  inherited: Inheritance | undefined,
  { scope, masker }: Pick<TracedValues, 'scope' | 'masker'>,
): Promise<OtelSettings | undefined> {
  if (otel === undefined) return inherited?.telemetry;
  return readOtelSettings(otel, {
    mask: (text) => masker.mask(text),
    async expand(text) {
      if (!/[$`]/.test(text)) return text;
      if (scope === undefined) throw new Error(`cannot resolve the values of the run`);
      return scope.expand(text, await scope.stepEnvironment([], new Map(), {}));
    },
  });
}
