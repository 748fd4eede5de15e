import { RotateCw, X, ListChecks, Play, CircleAlert, ExternalLink, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { ParamForm } from '../../../core/model/param-form.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import { isFinal } from '../../../core/model/run.ts';
import { askingLabels, isAsking } from '../../format/values.ts';
import { formatDuration, formatElapsed, getSpan, formatFull } from '../../format/time.ts';
import { statusLabels, isActive } from '../../format/labels.ts';
import { DryRunPanel } from '../../features/start/dry-run-panel.tsx';
import { IconButton, Button, LinkButton } from '../../ui/button.tsx';
import { StepPanel } from '../../features/run/step-output.tsx';
import {
  findUnencodableParam,
  formatParams,
  startValues,
  toParamForm,
} from '../../features/start/param-values.ts';
import { StartFields, type StartAnswers, UnsendableNotice } from '../../features/start/param-input.tsx';
import { FieldErrorScope } from '../../ui/fields.tsx';
import { QueryState } from '../../ui/state.tsx';
import { useSavedForm } from '../../api/workflow-queries.ts';
import start from '../../features/start/start.module.css';
import { Dialog, DialogActions, FormErrorNotice } from '../../ui/dialog.tsx';
import { useElapsed } from '../../base/clock.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { StatusShape } from '../../ui/status.tsx';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import { useTestState, formatScope, type RunScope, type TestRun } from './test-store.ts';
import { useTestLoopContext } from './use-test-loop.ts';
import styles from './run.module.css';

/** Returns the step or handler that failed first. */
const findFailed = ({ steps, handlers }: RunDetailView): StepRunView | undefined =>
  [...steps, ...handlers]
    .filter(({ status }) => status === 'failed')
    .toSorted((a, b) => (a.finishedAt ?? '').localeCompare(b.finishedAt ?? ''))[0];

/** Describes the status of a run, without a full stop: `Failed in load, 3.2 s: exit code 1`. */
export function formatOutcome(run: RunDetailView, now: number): string {
  const { status, startedAt, finishedAt } = run;
  if (!isFinal(status)) {
    const asking = run.steps.find(isAsking);
    const words = asking === undefined ? statusLabels[status] : `${askingLabels} in ${asking.name}`;
    return startedAt === undefined ? words : `${words}, ${formatElapsed(getSpan(startedAt, undefined, now))}`;
  }
  const failed = status === 'failed' ? findFailed(run) : undefined;
  const where = failed ? ` in ${failed.name}` : '';
  const span = startedAt === undefined ? '' : `, ${formatDuration(getSpan(startedAt, finishedAt, now))}`;
  const reason = failed?.error ?? (status === 'succeeded' ? undefined : run.error);
  return `${statusLabels[status]}${where}${span}${reason === undefined ? '' : `: ${reason}`}`;
}

/** The result of a dry run, next to the views. */
export function DryRunPane() {
  const loop = useTestLoopContext();
  const session = useEditorSession();
  const dry = useTestState((state) => state.dry);
  const isEarlier = useSessionView(() => dry !== undefined && session.text !== dry.text);
  if (!dry) return null;
  return (
    <section className={styles.dry} aria-label="Dry run">
      <div className={styles.paneHead}>
        <h2>Dry run</h2>
        <IconButton label="Repeat dry run" icon={RotateCw} size="small" onPress={loop.dryRun} />
        <IconButton
          label="Close dry run"
          icon={X}
          size="small"
          onPress={() => loop.store.setState({ dry: undefined })}
        />
      </div>
      {isEarlier && <p className={styles.earlier}>The workflow has changed since this dry run.</p>}
      <DryRunPanel
        key={`${dry.params}\n${dry.text}`}
        fileName={session.fileName}
        params={dry.params}
        spec={dry.text}
      />
    </section>
  );
}

/** The log of a step of the shown run, below the views. */
function LogPane() {
  const loop = useTestLoopContext();
  const run = useTestState((state) => state.run);
  const logNode = useTestState((state) => state.logNode);
  if (!run || !logNode) return null;
  return (
    <section className={styles.log} aria-label={`Log of ${logNode.name}`}>
      <div className={styles.logBody}>
        <StepPanel run={run} selected={logNode} isReadOnly />
      </div>
      <div className={styles.logClose}>
        <IconButton
          label="Close log"
          icon={X}
          size="small"
          onPress={() => loop.store.setState({ logNode: undefined })}
        />
      </div>
    </section>
  );
}

/** Asks for the parameters of a run, prefilled with the last ones. */
function ParamsDialog() {
  const question = useTestState((state) => state.question);
  return question ? <OpenQuestion scope={question.scope} /> : null;
}

function OpenQuestion({ scope }: { readonly scope: RunScope | 'dry' }) {
  const loop = useTestLoopContext();
  const session = useEditorSession();
  const [workflow] = useState(() => loop.workflow);
  const saved = useSavedForm(session.fileName);
  const title = scope === 'dry' ? 'Dry run' : `Run ${formatScope(scope)}`;
  return (
    <Dialog title={title} onClose={loop.closeQuestion}>
      {saved.isLoading ? (
        <QueryState query={saved} what="The parameters">
          {() => null}
        </QueryState>
      ) : (
        workflow && (
          <ParamsForm
            // Only the engine can read a schema that the text refers to.
            form={toParamForm(workflow, saved.data?.form)}
            earlier={saved.data?.earlier}
            runConfig={workflow.runConfig ?? {}}
            isDry={scope === 'dry'}
          />
        )
      )}
    </Dialog>
  );
}

interface ParamsFormProps {
  readonly form: ParamForm;
  /** Parameters of the last run, to offer. */
  readonly earlier: readonly Parameter[] | undefined;
  readonly runConfig: RunConfig;
  readonly isDry: boolean;
}

function ParamsForm({ form, earlier, runConfig, isDry }: ParamsFormProps) {
  const loop = useTestLoopContext();
  const remembered = useTestState((state) => state.answers);
  const rejection = useTestState((state) => state.rejection);
  const isStarting = useTestState((state) => state.isStarting);
  const [answers, setAnswers] = useState<StartAnswers>({
    values: startValues(form, remembered),
    runId: '',
  });
  const unsendable = findUnencodableParam(form.fields, answers.values);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    const params = formatParams(form.fields, answers.values);
    void loop.answer(answers.values, { params, dagRunId: answers.runId.trim() });
  };
  return (
    <form className={start.form} onSubmit={submit} noValidate>
      <FieldErrorScope error={rejection}>
        <StartFields
          form={form}
          runConfig={runConfig}
          answers={answers}
          earlier={earlier}
          onChange={setAnswers}
        />
        <UnsendableNotice param={unsendable} />
        <FormErrorNotice error={rejection} />
      </FieldErrorScope>
      <DialogActions>
        <Button onPress={loop.closeQuestion}>Cancel</Button>
        <Button
          variant="primary"
          type="submit"
          icon={isDry ? ListChecks : Play}
          isPending={isStarting}
          isDisabled={unsendable !== undefined}
        >
          {isDry ? 'Dry run' : 'Run'}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The status and the actions of the run started here; renders nothing if there is none. */
function RunBar() {
  const loop = useTestLoopContext();
  const error = useTestState((state) => state.startError);
  const test = useTestState((state) => state.test);
  if (error !== undefined)
    return (
      <section className={styles.bar} aria-label="Run" data-tone="refused">
        <CircleAlert size={16} aria-hidden="true" />
        <p role="alert" className={styles.outcome}>
          Run not started. {error}
        </p>
        <IconButton label="Clear" icon={X} size="small" onPress={loop.clear} />
      </section>
    );
  return test ? <ActiveRunBar test={test} /> : null;
}

/** Returns the time, in whole seconds since the start of the run while it is active. */
function useRunClock(run: RunDetailView | undefined, isGoing: boolean): number {
  const since = isGoing && run?.startedAt !== undefined ? Date.parse(run.startedAt) : undefined;
  return (since ?? 0) + useElapsed(since);
}

function ActiveRunBar({ test }: { readonly test: TestRun }) {
  const loop = useTestLoopContext();
  const run = useTestState((state) => state.run);
  const isEarlier = useTestState((state) => state.isEarlierText);
  const isGoing = run === undefined || isActive(run);
  const now = useRunClock(run, isGoing);
  const failed = run && !isGoing ? findFailed(run) : undefined;
  const asking = run?.steps.find(isAsking);
  return (
    <section className={styles.bar} aria-label="Run" data-tone={run?.status}>
      <StatusShape status={run?.status ?? 'queued'} size={16} />
      <p className={styles.outcome}>
        <span role="status">{run && !isGoing ? formatOutcome(run, now) : ''}</span>
        {isGoing && <span>{run ? formatOutcome(run, now) : 'Starting'}</span>}
        <span className={styles.scope}> · {testStatusText(test)}</span>
        {isEarlier && <span className={styles.scope}> · from an earlier version</span>}
      </p>
      {failed && (
        <Button
          size="small"
          icon={ScrollText}
          onPress={() => loop.showLog({ section: failed.section, name: failed.name })}
        >
          Show log
        </Button>
      )}
      {!isGoing && (
        <Button size="small" icon={RotateCw} onPress={loop.runAgain}>
          Rerun
        </Button>
      )}
      <LinkButton
        href={withQuery(paths.run(test.ref.name, test.ref.dagRunId), { step: asking?.name })}
        icon={ExternalLink}
      >
        {asking === undefined ? 'Open run' : 'Open run to answer'}
      </LinkButton>
      {!isGoing && <IconButton label="Clear" icon={X} size="small" onPress={loop.clear} />}
    </section>
  );
}

/** Describes the steps that ran, and the source of a single step's inputs. */
function testStatusText({ scope, outputs }: TestRun): string {
  if (outputs === undefined) return formatScope(scope);
  const from =
    outputs === 'none'
      ? 'without outputs of earlier steps'
      : `with outputs from the run on ${formatFull(outputs.createdAt)}`;
  return `${formatScope(scope)}, ${from}`;
}

/** The views with the run bar above and the log below. */
export function RunFrame({ children }: { readonly children: React.ReactNode }) {
  return (
    <>
      <RunBar />
      <div className={styles.views}>{children}</div>
      <LogPane />
      <ParamsDialog />
    </>
  );
}
