import type { DryNamedValueView } from '../../../../core/contract/runs/dry.ts';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { NameValueTable, ValueSection } from './fact-table.tsx';
import { JsonValue } from './json-value.tsx';
import { useRunPlan } from './use-run-plan.ts';
import styles from './values.module.css';

/** Parameters, variables (with masked secrets) and outputs of a run. */
export function RunValues({ run }: { readonly run: RunDetailView }) {
  const { plan } = useRunPlan(run);
  const outputs = Object.entries(run.outputs);
  return (
    <ScrollArea className={styles.pane} aria-label="Run values">
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
          <p className={styles.empty}>No outputs yet. Set “output: NAME” on a step.</p>
        )}
        <NameValueTable
          rows={outputs.map(([name, value]) => [name, <JsonValue key={name} name={name} value={value} />])}
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
