import { ChevronDown, ListChecks, ListEnd, ListPlus, Play } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { useCan } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import controls from '../../ui/controls/controls.module.css';
import { useStartRun } from './use-start-run.tsx';

interface RunButtonProps {
  readonly fileName: string;
  readonly params: readonly Parameter[];
  readonly isDisabled?: boolean;
  readonly label?: string;
  /** Parameters of the run to repeat. */
  readonly initial?: readonly Parameter[];
}

/** Runs a workflow or does a dry run; with parameters, it can also run with the defaults directly. */
export function RunButton({ fileName, params, isDisabled = false, label = 'Run', initial }: RunButtonProps) {
  const { begin, dialog, pending } = useStartRun();
  const may = useCan('dags.start');
  const ask = (): void => begin(fileName, initial ? { initial } : {});
  const main = (
    <Button
      variant="primary"
      icon={Play}
      isDisabled={isDisabled}
      isPending={pending !== undefined}
      unavailable={may.reason}
      onPress={ask}
    >
      {params.length > 0 ? `${label}…` : label}
    </Button>
  );
  if (!may.allowed) return main;
  const ways = [
    { id: 'ask', label: 'Choose parameters…', icon: ListPlus, run: ask },
    {
      id: 'defaults',
      label: 'Run with defaults',
      icon: Play,
      run: () => begin(fileName, { withoutAsking: true }),
    },
  ];
  const check = {
    id: 'check',
    label: 'Dry run…',
    icon: ListChecks,
    run: () => begin(fileName, { checkFirst: true, ...(initial && { initial }) }),
  };
  const queue = {
    id: 'queue',
    label: params.length > 0 ? 'Queue with defaults' : 'Queue',
    icon: ListEnd,
    run: () => begin(fileName, { inQueue: true, withoutAsking: true }),
  };
  return (
    <div className={controls.splitButton}>
      {main}
      <ActionMenu label="Run options" actions={[...(params.length > 0 ? ways : []), queue, check]}>
        <AriaButton className={controls.splitMore} aria-label="More run options" isDisabled={isDisabled}>
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </ActionMenu>
      {dialog}
    </div>
  );
}
