import { BellRing, Pencil, Plus, Power, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { RuleView } from '../../../core/contract/notifications.ts';
import { formatSelection } from '../../../core/model/notification.ts';
import { useNotificationMutation, useRules } from '../../api/notification-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { formatDuration } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { type Column, VirtualTable } from '../../ui/list/virtual-table.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { showError } from '../../ui/toasts.tsx';
import { DeleteRuleDialog, eventLabels, RuleDialog } from './rule-dialog.tsx';
import styles from './notifications.module.css';

interface RuleActions {
  readonly edit: (rule: RuleView) => void;
  readonly toggle: (rule: RuleView) => void;
  readonly remove: (rule: RuleView) => void;
  readonly mayChange: string | undefined;
}

/** The notification rules. */
export function RulesView({ onMake }: { readonly onMake: () => void }) {
  const rules = useRules();
  const [asking, setAsking] = useState<{ readonly what: 'edit' | 'remove'; readonly rule: RuleView }>();
  const { mutate } = useNotificationMutation('rules.update');
  const mayChange = useCan('rules.update').reason;
  const columns = useMemo(
    () =>
      listColumns({
        edit: (rule) => setAsking({ what: 'edit', rule }),
        remove: (rule) => setAsking({ what: 'remove', rule }),
        toggle: ({ id, enabled }) => mutate({ ruleId: id, enabled: !enabled }, { onError: showError }),
        mayChange,
      }),
    [mutate, mayChange],
  );
  const close = (): void => setAsking(undefined);
  return (
    <QueryState query={rules} what="The rules">
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <EmptyState icon={BellRing} title="No rules yet">
              <p>Rules decide which events of which workflows go to which channels.</p>
              <Button icon={Plus} unavailable={mayChange} onPress={onMake}>
                New rule…
              </Button>
            </EmptyState>
          ) : (
            <VirtualTable
              label="Notification rules"
              rows={rows}
              columns={columns}
              getKey={({ id }) => String(id)}
              getName={({ name }) => name}
              minWidth={760}
              isRoomy
            />
          )}
          {asking?.what === 'edit' && <RuleDialog rule={asking.rule} onClose={close} />}
          {asking?.what === 'remove' && <DeleteRuleDialog rule={asking.rule} onClose={close} />}
        </>
      )}
    </QueryState>
  );
}

const formatTiming = ({ enabled, after, once, quiet, digestSec }: RuleView): string =>
  [
    ...(enabled ? [] : ['Off']),
    ...(after > 1 ? [`after ${after} failures`] : []),
    ...(once ? ['first failure only'] : []),
    ...(digestSec === undefined ? [] : [`digest ${formatDuration(digestSec * 1000)}`]),
    ...(quiet === undefined ? [] : [`quiet ${quiet}`]),
  ].join(', ');

function CutText({ text }: { readonly text: string }) {
  return (
    <span className={styles.cut} title={text}>
      {text}
    </span>
  );
}

const listColumns = (actions: RuleActions): readonly Column<RuleView>[] => [
  {
    id: 'name',
    header: 'Rule',
    cell: (rule) => (
      <span className={styles.two}>
        <strong>{rule.name}</strong>
        <span className={styles.faint} title={formatTiming(rule)}>
          {formatTiming(rule)}
        </span>
      </span>
    ),
  },
  {
    id: 'workflows',
    header: 'Workflows',
    width: '22%',
    cell: ({ workflows }) => <CutText text={formatSelection(workflows, 'All workflows')} />,
  },
  {
    id: 'events',
    header: 'Events',
    width: '22%',
    cell: ({ events }) => <CutText text={events.map((name) => eventLabels[name]).join(', ')} />,
  },
  {
    id: 'channels',
    header: 'Channels',
    width: '16%',
    cell: ({ channels }) => <CutText text={channels.join(', ')} />,
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '140px',
    isNumber: true,
    cell: (rule) => <RowActions rule={rule} actions={actions} />,
  },
];

function RowActions({ rule, actions }: { readonly rule: RuleView; readonly actions: RuleActions }) {
  const { edit, toggle, remove, mayChange } = actions;
  const { name, enabled } = rule;
  return (
    <span className={styles.actions}>
      <RowButton icon={Pencil} label={`Edit ${name}`} unavailable={mayChange} onPress={() => edit(rule)} />
      <RowButton
        icon={Power}
        label={`Turn ${enabled ? 'off' : 'on'} ${name}`}
        pressed={enabled}
        unavailable={mayChange}
        onPress={() => toggle(rule)}
      />
      <RowButton
        icon={Trash2}
        label={`Delete ${name}`}
        unavailable={mayChange}
        onPress={() => remove(rule)}
      />
    </span>
  );
}
