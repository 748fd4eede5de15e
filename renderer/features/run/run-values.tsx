import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import type { DryPlanView, DryStepView, DryNamedValueView } from '../../../core/contract/dry.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { formatParamText, isParamName } from '../../../core/spec/params.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { useBridge } from '../../api/bridge.ts';
import { useDags, useDag } from '../../api/workflow-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { ScrollArea } from '../../ui/page.tsx';
import { LazyDiff } from '../../code/lazy-difference.ts';
import { Segmented } from '../../ui/choices.tsx';
import { parseContainer, JsonTree } from '../files/json-tree.tsx';
import { SpecView } from '../workflow/spec-view.tsx';
import styles from './run.module.css';

/** A heading with its contents. */
export function ValueSection({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>
        {title}
        {note !== undefined && <span>{note}</span>}
      </h2>
      {children}
    </section>
  );
}

interface NameValueTableProps {
  /** Rows with an empty value are omitted. */
  readonly rows: readonly (readonly [label: string, value: React.ReactNode])[];
}

/** A table with names on the left and values on the right. */
export function NameValueTable({ rows }: NameValueTableProps) {
  return (
    <dl className={styles.facts}>
      {rows
        .filter(([, value]) => value !== undefined && value !== false && value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Formats a value: a string unchanged, anything else as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);

/** An output value with a copy button. */
export function JsonValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = formatValue(value);
  return (
    <div className={styles.value}>
      {text === '' ? <i>empty</i> : <pre>{text}</pre>}
      <CopyButton label={`Copy ${name}`} text={text} />
    </div>
  );
}

/** An output: JSON as a tree, anything else as text. */
function OutputValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const root = useMemo(() => parseContainer(value), [value]);
  if (root === undefined) return <JsonValue name={name} value={value} />;
  return (
    <div className={styles.value}>
      <JsonTree label={name} root={root} isInline />
      <CopyButton label={`Copy ${name}`} text={formatValue(value)} />
    </div>
  );
}

/**
 * Resolves the variables, directories and commands of a run on this machine. The engine masks secrets.
 * Undefined while loading or after a failure.
 */
export function useRunPlan(run: RunDetailView, enabled = true) {
  const bridge = useBridge();
  const may = useCan('runs.dry').allowed;
  const dags = useDags();
  // A workflow file can be in a folder of its own below the workflow folder.
  const place = run.file?.replaceAll('\\', '/').replace(/\.[^./]*$/, '');
  const fileName = dags.data
    ?.filter((dag) => place?.endsWith(`/${dag.fileName}`))
    .toSorted((a, b) => b.fileName.length - a.fileName.length)[0]?.fileName;
  const params = formatParamText(run.params.filter(({ name }) => isParamName(name)));
  const plan = useQuery({
    queryKey: ['run-plan', run.name, run.dagRunId, fileName],
    queryFn: () =>
      bridge.call('runs.dry', {
        spec: run.spec,
        ...(run.parent === undefined && { name: run.name }),
        ...(params !== '' && { params }),
        ...(fileName !== undefined && { fileName }),
      }),
    // Without its file, relative paths would be resolved from the server's own folder.
    enabled: enabled && may && !dags.isPending,
    staleTime: Infinity,
    retry: false,
  });
  return { plan: plan.data && findPlan(plan.data.plans, run), error: plan.error, isAllowed: may };
}

/** A run may belong to a document other than the first one in its file. */
function findPlan(plans: readonly DryPlanView[], run: RunDetailView): DryPlanView | undefined {
  const names = new Set(run.workflow.steps.map(({ name }) => name));
  return plans.find(({ steps }) => steps.length === names.size && steps.every(({ name }) => names.has(name)));
}

/** Finds the plan of a step or handler. */
export const findPlannedStep = (
  plan: DryPlanView | undefined,
  { section, name }: { readonly section: 'step' | 'handler'; readonly name: string },
): DryStepView | undefined =>
  (section === 'step' ? plan?.steps : plan?.handlers)?.find((step) => step.name === name);

/** Parameters, variables (with masked secrets) and outputs of a run. */
export function RunValues({ run }: { readonly run: RunDetailView }) {
  const { plan } = useRunPlan(run);
  const outputs = Object.entries(run.outputs);
  return (
    <ScrollArea className={styles.valuesPane} aria-label="Run values">
      <ValueSection title="Parameters">
        {run.params.length === 0 && <p className={styles.empty}>No parameters</p>}
        <NameValueTable
          rows={run.params.map(({ name, value }) => [
            /^\d+$/.test(name) ? `Parameter ${name}` : name,
            <JsonValue key={name} name={name} value={value} />,
          ])}
        />
      </ValueSection>
      <ValueSection title="Outputs" note="saved by steps">
        {outputs.length === 0 && (
          <p className={styles.empty}>
            No outputs yet. Set <code>output: NAME</code> on a step.
          </p>
        )}
        <NameValueTable
          rows={outputs.map(([name, value]) => [name, <OutputValue key={name} name={name} value={value} />])}
        />
      </ValueSection>
      <Environment run={run} values={plan?.env} />
      {(run.workflow.secrets?.length ?? 0) > 0 && (
        <ValueSection title="Secrets" note="values are never shown">
          <NameValueTable
            rows={(run.workflow.secrets ?? []).map(({ name, provider, key }) => [
              name,
              <span key={name}>
                <code>*******</code> <span className={styles.note}>{`from ${provider} ${key}`}</span>
              </span>,
            ])}
          />
        </ValueSection>
      )}
      <ValueSection title="Locations">
        <NameValueTable
          rows={[
            ['Working directory', plan && pathValue('Working directory', plan.workingDir.value)],
            ['Logs', run.logDir !== undefined && pathValue('Logs', run.logDir)],
            ['File', run.file !== undefined && pathValue('File', run.file)],
          ]}
        />
      </ValueSection>
    </ScrollArea>
  );
}

const pathValue = (name: string, path: string) => <JsonValue key={name} name={name} value={path} />;

interface EnvironmentProps {
  readonly run: RunDetailView;
  /** Resolved values; absent if unknown. */
  readonly values: readonly DryNamedValueView[] | undefined;
}

function Environment({ run, values }: EnvironmentProps) {
  const env = values ?? run.workflow.env;
  return (
    <ValueSection
      title="Environment"
      note={values === undefined ? 'as written' : 'resolved with the parameters of this run'}
    >
      {env.length === 0 && <p className={styles.empty}>No variables</p>}
      <NameValueTable
        rows={env.map((entry) => [
          entry.name,
          <span key={entry.name}>
            {entry.value === '' ? <i className={styles.note}>empty</i> : <code>{entry.value}</code>}
            {'unresolved' in entry && entry.unresolved !== undefined && (
              <span className={styles.note}> known at run time</span>
            )}
          </span>,
        ])}
      />
    </ValueSection>
  );
}

/** The text that the run executes, and the changes in the file since. */
export function RunSpec({ run }: { readonly run: RunDetailView }) {
  const dag = useDags().data?.find(({ name }) => name === run.name);
  if (dag === undefined) return <Text run={run} current={undefined} />;
  return <WithFile run={run} fileName={dag.fileName} />;
}

function WithFile({ run, fileName }: { readonly run: RunDetailView; readonly fileName: string }) {
  const current = useDag(fileName).data?.spec;
  return <Text run={run} current={current} />;
}

interface TextProps {
  readonly run: RunDetailView;
  readonly current: string | undefined;
}

function Text({ run, current }: TextProps) {
  const [shown, setShown] = useState<'text' | 'changes'>('text');
  const differs = current !== undefined && current !== run.spec;
  const words =
    current === undefined
      ? 'Version of this run. The file no longer exists.'
      : differs
        ? 'The file has changed since this run.'
        : 'The file has not changed since this run.';
  return (
    <>
      <div className={styles.specHead}>
        <span>{words}</span>
        {differs && (
          <Segmented
            label="View"
            value={shown}
            choices={[
              { value: 'text', label: 'Version of this run' },
              { value: 'changes', label: 'Changes since' },
            ]}
            onChange={setShown}
          />
        )}
      </div>
      {differs && shown === 'changes' ? (
        <Suspense fallback={<div />}>
          <LazyDiff before={run.spec} after={current} />
        </Suspense>
      ) : (
        <SpecView spec={run.spec} diagnostics={[]} />
      )}
    </>
  );
}
