import {
  ChevronDown,
  ListChecks,
  ListEnd,
  ListPlus,
  Play,
  Ellipsis,
  Save,
  SquareTerminal,
  FileText,
  SlidersHorizontal,
  PenLine,
} from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import { useEffect } from 'react';
import type { Parameter, Workflow } from '../../../core/model/workflow.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { useWorkflowActions, useWorkflowKeys } from '../organize/workflow-actions.ts';
import controls from '../../ui/controls.module.css';
import { useRegisterActions } from '../../navigation/navigation-items.ts';
import { systemClock } from '../../base/clock.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { formatCron, formatDayAndTime, isNear } from '../../format/time.ts';
import { DetailList } from '../../ui/detail-list.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useDag } from '../../api/workflow-queries.ts';
import { TagList, Page } from '../../ui/page.tsx';
import { Breadcrumb } from '../../ui/tabs.tsx';
import { Notice, isMissing, QueryState } from '../../ui/state.tsx';
import { hasParams } from '../start/param-values.ts';
import { useStartRun } from '../start/start-dialog.tsx';
import { openTerminal, TerminalButtons } from '../terminal/terminal-store.tsx';
import { useSaveCopy } from '../log/download.ts';
import { MissedMark } from '../expectations/expectations.tsx';
import { FailureTargets } from '../notifications/notify-banner.tsx';
import { SchedulerWarning } from '../schedules/scheduler-notice.tsx';
import { ScheduleSwitch } from '../schedules/suspend-button.tsx';
import styles from './workflow.module.css';
import { BaseConfigErrorNotice, MissingWorkflow, ScheduledParamsNotice } from './workflow-notices.tsx';
import { WorkflowViews } from './workflow-views.tsx';

interface RunButtonProps {
  readonly fileName: string;
  readonly workflow: Workflow | undefined;
  readonly isDisabled?: boolean;
  readonly label?: string;
  /** Parameters of the run to repeat. */
  readonly initial?: readonly Parameter[];
}

/** Opens the run dialog for a link that asks for it, such as those of the tray. */
function useAskByAddress(ask: () => void, isPossible: boolean): void {
  const [query, change] = useQueryParams();
  const isAsked = isPossible && query.get('run') === 'ask';
  useEffect(() => {
    if (!isAsked) return;
    change({ run: undefined });
    ask();
    // Once per link: `ask` and `change` differ in each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isAsked]);
}

/** Runs a workflow or does a dry run; with parameters, it can also run with the defaults directly. */
export function RunButton({
  fileName,
  workflow,
  isDisabled = false,
  label = 'Run',
  initial,
}: RunButtonProps) {
  const { begin, dialog, pending } = useStartRun();
  const may = useCan('dags.start');
  const isAsking = hasParams(workflow);
  const ask = (): void => begin(fileName, initial ? { initial } : {});
  useAskByAddress(ask, !isDisabled && may.allowed);
  const main = (
    <Button
      variant="primary"
      icon={Play}
      isDisabled={isDisabled}
      isPending={pending !== undefined}
      unavailable={may.reason}
      onPress={ask}
    >
      {isAsking ? `${label}…` : label}
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
    label: isAsking ? 'Queue with defaults' : 'Queue',
    icon: ListEnd,
    run: () => begin(fileName, { inQueue: true, withoutAsking: true }),
  };
  return (
    <div className={controls.splitButton}>
      {main}
      <ActionMenu label="Run options" actions={[...(isAsking ? ways : []), queue, check]}>
        <AriaButton className={controls.splitMore} aria-label="More run options" isDisabled={isDisabled}>
          <ChevronDown size={16} aria-hidden="true" />
        </AriaButton>
      </ActionMenu>
      {dialog}
    </div>
  );
}

/** Actions on a workflow, in a menu, in the palette and by key. */
function WorkflowMenu({ dag }: { readonly dag: DagDetailView }) {
  const { fileName } = dag;
  const saveCopy = useSaveCopy();
  const list = useWorkflowActions();
  useWorkflowKeys(() => [dag]);
  const desktopActions: readonly MenuAction[] =
    saveCopy === undefined
      ? []
      : [
          {
            id: 'save copy',
            label: 'Save a copy…',
            icon: Save,
            run: () => void saveCopy({ kind: 'workflow', fileName }),
          },
          // A workflow with errors has no working directory.
          ...(dag.valid
            ? [
                {
                  id: 'terminal',
                  label: 'Open terminal here',
                  icon: SquareTerminal,
                  run: () => openTerminal({ fileName }),
                },
              ]
            : []),
        ];
  const actions = [...desktopActions, ...list([dag]).filter(({ id }) => id !== 'edit')];
  useRegisterActions(
    actions.map(({ id, label, icon, unavailable, run }) => ({
      ...{ id, icon, unavailable },
      title: label,
      run: () => run?.(),
    })),
  );
  return (
    <ActionMenu label="More workflow actions" actions={actions}>
      <IconButton label="More" icon={Ellipsis} />
    </ActionMenu>
  );
}

/** Key information about a workflow. */
function WorkflowDetails({ dag }: { readonly dag: DagDetailView }) {
  const { latestRun, schedule, nextRun, suspended, paramForm } = dag;
  const fields = paramForm?.fields ?? [];
  const isScheduled = Object.values(schedule).some((times) => times.length > 0);
  const now = systemClock.now();
  return (
    <>
      {dag.description !== undefined && (
        <p className={styles.description} dir="auto" title={dag.description}>
          {dag.description}
        </p>
      )}
      <DetailList>
        {latestRun && (
          <Link className={styles.latest} href={paths.run(latestRun.name, latestRun.dagRunId)}>
            <StatusBadge status={latestRun.status} />
            <span>
              <RelativeTime iso={latestRun.startedAt ?? latestRun.createdAt} />
            </span>
          </Link>
        )}
        {isScheduled && (
          <span className={styles.schedule}>
            <ScheduleSwitch fileName={dag.fileName} name={dag.name} suspended={suspended} />
            <span title={schedule.start.map((cron) => `${cron}  ${formatCron(cron)}`).join('\n')}>
              {schedule.start.map(formatCron).join('; ')}
              {suspended && ': suspended'}
              {nextRun !== undefined && (
                <>
                  , next <RelativeTime iso={nextRun} />
                  {isNear(nextRun, now) && <span className={styles.at}> ({formatDayAndTime(nextRun)})</span>}
                </>
              )}
            </span>
            <SchedulerWarning />
          </span>
        )}
        <MissedMark missed={dag.missed} />
        <FailureTargets workflow={dag.name} />
        {fields.length > 0 && (
          <span title={fields.map((field) => `${field.name}=${field.default ?? ''}`).join('\n')}>
            <SlidersHorizontal size={14} aria-hidden="true" />
            {pluralize(fields.length, 'parameter')}
          </span>
        )}
        <span title={dag.file}>
          <FileText size={14} aria-hidden="true" />
          {dag.folder !== undefined && `${dag.folder}/`}
          {dag.file.split(/[/\\]/).at(-1)}
        </span>
      </DetailList>
    </>
  );
}

/** One workflow: its overview, its text, its runs and its versions. */
export function WorkflowPage({ fileName }: { readonly fileName: string }) {
  const dag = useDag(fileName);
  useSystemChanges('dags', queryKeys.dag(fileName));
  const may = useCan('dags.updateSpec');
  const known = isMissing(dag.error) ? undefined : dag.data;
  return (
    <Page
      title={known?.name ?? fileName}
      beside={
        <>
          {known?.group !== undefined && (
            <span className={styles.group} dir="auto">
              {known.group}
            </span>
          )}
          <TagList tags={known?.tags ?? []} />
          {known?.valid === true && <TerminalButtons location={{ fileName }} />}
        </>
      }
      below={known && <WorkflowDetails dag={known} />}
      above={<Breadcrumb trail={[{ href: paths.workflows }]} />}
      actions={
        known && (
          <>
            {may.allowed && (
              <LinkButton href={paths.editor(fileName)} icon={PenLine}>
                Edit
              </LinkButton>
            )}
            <RunButton fileName={fileName} workflow={known.workflow} isDisabled={!known.valid} />
            <WorkflowMenu dag={known} />
          </>
        )
      }
    >
      <QueryState query={dag} what="This workflow" missing={<MissingWorkflow fileName={fileName} />}>
        {(data) => (
          <>
            {!data.valid && <InvalidNotice dag={data} />}
            <ScheduledParamsNotice dag={data} />
            {data.ignoredFiles !== undefined && (
              <Notice tone="warning">
                Other files with the same name are ignored: {data.ignoredFiles.join(', ')}. Rename them to use
                them.
              </Notice>
            )}
            <WorkflowViews dag={data} mayEdit={may.allowed} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function InvalidNotice({ dag }: { readonly dag: DagDetailView }) {
  const first = dag.diagnostics.find(({ severity }) => severity === 'error');
  if (first !== undefined && first.file !== dag.file) return <BaseConfigErrorNotice diagnostic={first} />;
  return (
    <Notice tone="error">
      <strong>Fix the errors to run this workflow.</strong>
      {first && ` Line ${first.line}: ${first.message}`}
    </Notice>
  );
}
