import type { DryStepView } from '../../../../core/contract/runs/dry.ts';
import type { StepAction } from '../../../../core/model/workflow/step.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { DryNamedValues } from '../../dry/dry-values.tsx';
import { ValueSection } from '../values/fact-table.tsx';
import styles from '../values/values.module.css';

interface StepCommandProps {
  readonly action: StepAction;
  /** The step with its values; absent if unknown. */
  readonly planned: DryStepView | undefined;
}

/** The command of a step, with the values of this run if known. */
export function StepCommand({ action, planned }: StepCommandProps) {
  const text = planned === undefined ? actionText(action) : plannedText(planned.action);
  return (
    <ValueSection
      title="Command"
      note={
        <>
          {planned === undefined ? 'as written' : 'with values from this run'}
          <CopyButton label="Copy command" text={text} />
        </>
      }
    >
      <pre className={styles.command}>{text}</pre>
      {planned && <DryNamedValues label="with" values={planned.variables} />}
    </ValueSection>
  );
}

const withParams = (dag: string, params: readonly { name: string; value: string }[]): string =>
  [dag, ...params.map(({ name, value }) => `${name}=${value}`)].join('\n  ');

/** Returns the full text that an action executes, as written. */
export function actionText(action: StepAction): string {
  switch (action.kind) {
    case 'command':
      return action.command;
    case 'argv':
      return action.argv.join(' ');
    case 'script':
      return [...(action.command ? [`# ${action.command.join(' ')}`] : []), action.script].join('\n');
    case 'dag':
      return withParams(action.dag, action.params);
    case 'executor': {
      const config = Object.keys(action.config).length > 0 ? JSON.stringify(action.config, undefined, 2) : '';
      return [action.command ?? action.argv?.join(' '), action.script, config].filter(Boolean).join('\n');
    }
  }
}

function plannedText(action: DryStepView['action']): string {
  switch (action.kind) {
    case 'command':
    case 'script':
      return action.text;
    case 'argv':
      return action.argv.map(({ value }) => (/\s|^$/.test(value) ? JSON.stringify(value) : value)).join(' ');
    case 'dag':
      return withParams(action.dag, action.params);
    case 'executor':
      return action.fields.map(({ name, value }) => `${name}: ${value}`).join('\n');
  }
}
