import { FolderInput, Group, ListEnd, Tags } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { useQueues } from '../../api/system-queries.ts';
import { useDags, useReferences } from '../../api/workflow-queries.ts';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { OrganizeFailures } from './delete-dialog.tsx';
import {
  closeOrganizeDialog,
  formatTargets,
  listParents,
  type WorkflowTarget,
  useOrganize,
} from './use-organize.ts';

interface TargetProps {
  readonly dags: readonly WorkflowTarget[];
}

const collator = new Intl.Collator('en', { numeric: true });
const uniqueSorted = (values: readonly string[]): string[] => [...new Set(values)].toSorted(collator.compare);

/** Value of the choice that reveals a text field. */
const newValue = '\n';

interface ChooseDialogProps extends TargetProps {
  readonly title: string;
  readonly label: string;
  /** Label of the field for a value that is not in the list. */
  readonly newLabel: string;
  /** Label of the empty choice. */
  readonly none: string;
  readonly values: readonly string[];
  readonly initial: string;
  readonly hint?: string;
  /** Further choices. */
  readonly children?: React.ReactNode;
  readonly submit: { readonly label: string; readonly icon: typeof Tags };
  readonly change: (dag: WorkflowTarget, value: string, bridge: Bridge) => Promise<unknown>;
  readonly done: (value: string, what: string) => string;
}

/** Sets one value of workflows: one of a list, a new one, or none. */
function ChooseDialog(props: ChooseDialogProps) {
  const { dags, title, label, newLabel, none, values, initial, hint, children, submit, change, done } = props;
  const [choice, setChoice] = useState(initial);
  const [text, setText] = useState('');
  const { apply, isPending, failures } = useOrganize(dags);
  const value = choice === newValue ? text.trim() : choice;
  const isSame = dags.length === 1 && value === initial;
  return (
    <FormDialog
      title={title}
      submit={{ ...submit, isPending, isBlocked: isSame || (choice === newValue && value === '') }}
      error={undefined}
      onSubmit={() =>
        void apply(
          (dag, bridge) => change(dag, value, bridge),
          (changed) => showToast('info', done(value, formatTargets(changed))),
        )
      }
      onClose={closeOrganizeDialog}
    >
      <Select
        label={label}
        isLabelled
        value={choice}
        choices={[
          { value: '', label: none },
          ...values.map((each) => ({ value: each, label: each })),
          { value: newValue, label: `${newLabel}…` },
        ]}
        onChange={setChoice}
      />
      {choice === newValue && (
        <TextField label={newLabel} value={text} onChange={setText} autoFocus isRequired />
      )}
      {hint !== undefined && <p>{hint}</p>}
      {children}
      <OrganizeFailures failures={failures} action={submit.label} />
    </FormDialog>
  );
}

/** Returns the value that all workflows share, or none. */
const shared = (values: readonly string[]): string =>
  values.every((value) => value === values[0]) ? values[0]! : '';

/** Moves workflow files to a folder. */
export function MoveDialog({ dags }: TargetProps) {
  const [withReferences, setWithReferences] = useState(true);
  const only = dags.length === 1 ? dags[0]!.fileName : undefined;
  const { references = [], revision } = useReferences(only).data ?? {};
  const written = references.filter(({ byPath }) => byPath.length > 0);
  const steps = written.reduce((sum, { byPath }) => sum + byPath.length, 0);
  const folders = (useDags().data ?? []).flatMap(({ folder = '' }) => listParents(folder));
  return (
    <ChooseDialog
      dags={dags}
      title={`Move ${formatTargets(dags)}`}
      label="Folder"
      newLabel="New folder"
      none="No folder"
      values={uniqueSorted(folders)}
      initial={shared(dags.map(({ folder = '' }) => folder))}
      hint="Relative paths in a workflow start at its folder."
      submit={{ label: 'Move', icon: FolderInput }}
      change={async ({ fileName, hash }, folder, bridge) => {
        const moved = await bridge.call('dags.move', {
          ...{ fileName, folder: folder.replace(/^\/+|\/+$/g, ''), baseHash: hash },
          updateReferences: withReferences,
          ...(withReferences && revision !== undefined && { baseReferences: revision }),
        });
        for (const { fileName: other, error } of moved.references)
          if (error !== undefined) showToast('error', `Moved ${fileName}. Not updated: ${other} (${error})`);
      }}
      done={(folder, what) => `Moved ${what} to ${folder === '' ? 'the workflow folder' : folder}`}
    >
      {(only === undefined || written.length > 0) && (
        <Checkbox
          label={
            only === undefined
              ? 'Update paths in other workflows'
              : `Update ${pluralize(steps, 'path')} in ${written.map(({ name }) => name).join(', ')}`
          }
          isSelected={withReferences}
          onChange={setWithReferences}
        />
      )}
    </ChooseDialog>
  );
}

const editFields = (
  { fileName, hash }: WorkflowTarget,
  bridge: Bridge,
  changes: Omit<OperationInput<'dags.updateFields'>, 'fileName'>,
) => bridge.call('dags.updateFields', { fileName, baseHash: hash, ...changes });

/** Sets the group of workflows. */
export function GroupDialog({ dags }: TargetProps) {
  const groups = (useDags().data ?? []).flatMap(({ group }) => group ?? []);
  return (
    <ChooseDialog
      dags={dags}
      title={`Group of ${formatTargets(dags)}`}
      label="Group"
      newLabel="New group"
      none="No group"
      values={uniqueSorted(groups)}
      initial={shared(dags.map(({ group = '' }) => group))}
      submit={{ label: 'Save', icon: Group }}
      change={(dag, group, bridge) => editFields(dag, bridge, { group: group || null })}
      done={(group, what) =>
        group === '' ? `Removed the group of ${what}` : `Moved ${what} to group ${group}`
      }
    />
  );
}

/** Sets the queue of workflows. */
export function QueueDialog({ dags }: TargetProps) {
  const queues = (useQueues().data?.queues ?? []).map(({ name }) => name);
  return (
    <ChooseDialog
      dags={dags}
      title={`Queue of ${formatTargets(dags)}`}
      label="Queue"
      newLabel="New queue"
      none="Workflow’s own queue"
      values={uniqueSorted(queues)}
      initial=""
      submit={{ label: 'Save', icon: ListEnd }}
      change={(dag, queue, bridge) => editFields(dag, bridge, { queue: queue || null })}
      done={(queue, what) =>
        queue === '' ? `Removed the queue of ${what}` : `Runs of ${what} use queue ${queue}`
      }
    />
  );
}

const readTags = (text: string): string[] =>
  uniqueSorted(text.split(',').flatMap((tag) => tag.trim().toLowerCase() || []));

/** Changes the tags of workflows: those that all of them have are shown, and others stay. */
export function TagsDialog({ dags }: TargetProps) {
  const common = uniqueSorted(dags[0]!.tags.filter((tag) => dags.every(({ tags }) => tags.includes(tag))));
  const [text, setText] = useState(common.join(', '));
  const { apply, isPending, failures } = useOrganize(dags);
  const known = uniqueSorted((useDags().data ?? []).flatMap(({ tags }) => tags));
  const next = readTags(text);
  const addTags = next.filter((tag) => !common.includes(tag));
  const removeTags = common.filter((tag) => !next.includes(tag));
  const hint =
    known.length === 0
      ? 'Separate tags with commas.'
      : `Separate with commas. In use: ${known.slice(0, 12).join(', ')}`;
  return (
    <FormDialog
      title={`Tags of ${formatTargets(dags)}`}
      submit={{ label: 'Save', icon: Tags, isPending, isBlocked: addTags.length + removeTags.length === 0 }}
      error={undefined}
      onSubmit={() =>
        void apply(
          (dag, bridge) => editFields(dag, bridge, { addTags, removeTags }),
          (changed) => showToast('info', `Changed the tags of ${formatTargets(changed)}`),
        )
      }
      onClose={closeOrganizeDialog}
    >
      <TextField
        label={dags.length === 1 ? 'Tags' : 'Tags of all'}
        description={hint}
        value={text}
        onChange={setText}
        autoFocus
      />
      <OrganizeFailures failures={failures} action="Save" />
    </FormDialog>
  );
}
