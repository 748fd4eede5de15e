import {
  CalendarClock,
  CalendarX2,
  Copy,
  FolderInput,
  Group,
  ListEnd,
  Play,
  SquarePen,
  Tags,
  TextCursorInput,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { DagSummaryView } from '../../../core/contract/dags.ts';
import { useCan } from '../../api/session-queries.ts';
import { useSuspendSchedule } from '../../api/workflow-queries.ts';
import { usePreferences } from '../../base/preferences.ts';
import { paths } from '../../navigation/address.ts';
import { bindings, keysForBinding, useKeys } from '../../navigation/key-bindings.ts';
import type { MenuAction } from '../../ui/menu.tsx';
import { useLatest } from '../../ui/list/row-state.ts';
import { showError } from '../../ui/toasts.tsx';
import { organize, type OrganizeKind } from './use-organize.ts';

interface OrganizeAction {
  readonly kind: OrganizeKind;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isSingle?: true;
}

/** Actions that open a dialog. */
export const organizeActions: readonly OrganizeAction[] = [
  { kind: 'rename', label: 'Rename…', icon: TextCursorInput, isSingle: true },
  { kind: 'duplicate', label: 'Duplicate…', icon: Copy, isSingle: true },
  { kind: 'move', label: 'Move to folder…', icon: FolderInput },
  { kind: 'tags', label: 'Tags…', icon: Tags },
  { kind: 'group', label: 'Group…', icon: Group },
  { kind: 'queue', label: 'Queue…', icon: ListEnd },
  { kind: 'delete', label: 'Delete…', icon: Trash2 },
];

const isScheduled = ({ schedule }: Pick<DagSummaryView, 'schedule'>): boolean =>
  Object.values(schedule).some((times) => times.length > 0);

/** Lists the actions of a menu for one workflow, or for several at once. */
type ListActions = (
  dags: readonly DagSummaryView[],
  start?: (fileName: string) => void,
) => readonly MenuAction[];

/** Returns a function that lists actions. */
export function useWorkflowActions(): ListActions {
  const [, navigate] = useLocation();
  const run = useCan('dags.start').reason;
  const listDialogs = useDialogActions();
  const listSchedule = useScheduleActions();
  const keys = usePreferences((state) => state.keys);
  return useMemo(
    () => (dags, start) => {
      const [first] = dags;
      if (first === undefined) return [];
      const invalid = first.valid ? undefined : 'Fix the errors in this workflow first.';
      const singleActions: readonly MenuAction[] = [
        {
          id: 'run',
          label: 'Run',
          icon: Play,
          unavailable: invalid ?? run,
          run: () => start?.(first.fileName),
        },
        {
          id: 'edit',
          label: 'Edit',
          icon: SquarePen,
          keys: getKeys('edit', keys),
          run: () => navigate(paths.editor(first.fileName)),
        },
      ];
      return [
        ...(dags.length === 1 ? singleActions.filter(({ id }) => id !== 'run' || start !== undefined) : []),
        ...listSchedule(dags),
        ...listDialogs(dags),
      ];
    },
    [navigate, run, keys, listDialogs, listSchedule],
  );
}

function getKeys(kind: string, chosen: Readonly<Record<string, string>>): string | undefined {
  const binding = bindings.find(({ id }) => id === `workflow ${kind}`);
  return binding && keysForBinding(binding, chosen)[0];
}

/** Suspends the schedules, or resumes them if all are suspended. */
function useScheduleActions(): ListActions {
  const unavailable = useCan('dags.suspend').reason;
  const { mutate } = useSuspendSchedule();
  return useCallback(
    (dags) => {
      const scheduled = dags.filter(isScheduled);
      if (scheduled.length === 0) return [];
      const suspend = !scheduled.every(({ suspended }) => suspended);
      const change = (): void => {
        for (const { fileName } of scheduled) mutate({ fileName, suspend }, { onError: showError });
      };
      const label = suspend ? 'Suspend schedule' : 'Resume schedule';
      return [{ id: 'suspend', label, icon: suspend ? CalendarX2 : CalendarClock, unavailable, run: change }];
    },
    [unavailable, mutate],
  );
}

function useDialogActions(): ListActions {
  const unavailable = useCan('dags.rename').reason;
  const keys = usePreferences((state) => state.keys);
  return useCallback(
    (dags) =>
      organizeActions
        .filter(({ isSingle = false }) => dags.length === 1 || !isSingle)
        .map(({ kind, label, icon }, index) => ({
          ...{ id: kind, label, icon, unavailable },
          keys: getKeys(kind, keys),
          beginsGroup: index === 0 || kind === 'delete',
          isDanger: kind === 'delete',
          run: () => organize(kind, dags),
        })),
    [unavailable, keys],
  );
}

/** Handles the shortcuts of the actions. @param current returns the workflows that they are about */
export function useWorkflowKeys(current: () => readonly DagSummaryView[]): void {
  const [, navigate] = useLocation();
  const may = useCan('dags.rename').allowed;
  const latest = useLatest(current);
  const handlers = useMemo(() => {
    const act = (kind: OrganizeKind, isSingle: boolean) => (): void => {
      const dags = latest.current();
      if (may) organize(kind, isSingle ? dags.slice(0, 1) : dags);
    };
    return {
      'workflow edit': () => {
        const [dag] = latest.current();
        if (dag) navigate(paths.editor(dag.fileName));
      },
      ...Object.fromEntries(
        organizeActions.map(({ kind, isSingle = false }) => [`workflow ${kind}`, act(kind, isSingle)]),
      ),
    };
  }, [latest, may, navigate]);
  useKeys(handlers, false);
}
