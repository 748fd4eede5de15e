import path from 'node:path';
import { getErrorMessage } from '../base/errors.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { RunTrace } from '../model/run.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Masker } from '../process/secrets/masker.ts';
import { readOtelSettings, type OtelSettings } from './telemetry/trace.ts';
import { RunSpans } from './telemetry/run-spans.ts';
import type { SpanSink } from './telemetry/telemetry.ts';
import type { RunHost, RunInput } from './run-input.ts';
import { runLogFile } from '../store/run-logs.ts';
import type { Inheritance } from './values/open-scope.ts';
import type { RunScope } from './values/run-scope.ts';
import { RunLog } from './run-journal.ts';
import { hasReference } from '../spec/parse-template.ts';

/** The resolved values of a traced run; `scope` is absent when they could not be resolved. */
export interface TracedValues {
  readonly scope: RunScope | undefined;
  readonly masker: Masker;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
}

type Host = Pick<RunHost, 'telemetry' | 'clock' | 'logger'>;

/**
 * State of the export.
 *
 *   buffering ──▶ exporting ──▶ ended ──▶ off
 *       └────────────────────────────────▲ nothing is exported, or the run is released
 *
 * - off: tracing is disabled, failed or complete
 * - buffering: keeps the events until the values are resolved
 * - ended: the end of the run is recorded, so that it can have no more events
 */
type TelemetryState =
  | { readonly phase: 'off' }
  | { readonly phase: 'buffering'; readonly events: { readonly at: number; readonly event: RunEvent }[] }
  | {
      readonly phase: 'exporting';
      readonly settings: OtelSettings;
      readonly sink: SpanSink;
      readonly spans: RunSpans;
    }
  | { readonly phase: 'ended'; readonly sink: SpanSink };

/**
 * Exports the spans of one run while it is running, if its workflow enables that. An error loses spans but has no other
 * effect.
 */
export class RunTelemetry {
  readonly #host: Host;
  readonly #run: RunInput;
  readonly #trace: RunTrace;
  readonly #emit: (event: RunEvent) => void;
  #state: TelemetryState;

  constructor(host: Host, run: RunInput, trace: RunTrace, emit: (event: RunEvent) => void) {
    this.#host = host;
    this.#run = run;
    this.#trace = trace;
    this.#emit = emit;
    const isEnabled = wantsTracing(run.workflow, run.inherited);
    // A caller that does not record its trace does not want ours recorded either (W3C Trace Context, sampled).
    const isOn = isEnabled && trace.sampled && !host.telemetry.isOff;
    this.#state = isOn ? { phase: 'buffering', events: [] } : { phase: 'off' };
  }

  /** Settings for the runs of its steps that configure no tracing. */
  get settings(): OtelSettings | undefined {
    return this.#state.phase === 'exporting' ? this.#state.settings : undefined;
  }

  /** Starts to export. */
  async open({ scope, masker, runDir }: TracedValues): Promise<void> {
    if (this.#state.phase !== 'buffering') return;
    const settings = await this.#readSettings({ scope, masker });
    // The run may have been released meanwhile.
    if (this.#state.phase !== 'buffering') return;
    const { events } = this.#state;
    if (settings === undefined) return void (this.#state = { phase: 'off' });
    const sink = this.#host.telemetry.open(settings, (message) => this.#report(masker.mask(message), runDir));
    const spans = new RunSpans(this.#run.record, this.#trace, (span) => sink.add(span));
    this.#state = { phase: 'exporting', settings, sink, spans };
    for (const { at, event } of events) this.note(at, event);
  }

  /** Records the next event, with secrets masked. */
  note(at: number, event: RunEvent): void {
    const state = this.#state;
    if (state.phase === 'buffering') state.events.push({ at, event });
    if (state.phase !== 'exporting') return;
    state.spans.note(at, event);
    if (event.type === 'run.finished') this.#state = { phase: 'ended', sink: state.sink };
  }

  /** Ends the recording when the run has ended or is released; the rest is exported in the background. */
  close(): void {
    if ('sink' in this.#state) this.#state.sink.close();
    this.#state = { phase: 'off' };
  }

  async #readSettings(values: Pick<TracedValues, 'scope' | 'masker'>): Promise<OtelSettings | undefined> {
    try {
      return await readRunOtel(this.#run.workflow, this.#run.inherited, values);
    } catch (error) {
      const message = `Cannot export traces: ${getErrorMessage(error)}`;
      this.#emit({ type: 'run.message', level: 'warning', message });
      return undefined;
    }
  }

  /** Reports that spans cannot be sent: in the run's log when the run has ended and can have no more events. */
  #report(message: string, runDir: string): void {
    const note: RunEvent = { type: 'run.message', level: 'warning', message };
    const { phase } = this.#state;
    if (phase === 'buffering' || phase === 'exporting') return this.#emit(note);
    const { name, dagRunId } = this.#run.record;
    this.#host.logger.warn(message, { dag: name, dagRunId });
    try {
      const log = new RunLog(path.join(runDir, runLogFile));
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
      if (!hasReference(text)) return text;
      if (scope === undefined) throw new Error(`cannot resolve the values of the run`);
      return scope.expand(text, await scope.stepEnvironment([], new Map(), {}));
    },
  });
}
