import { useQueryClient } from '@tanstack/react-query';
import { Copy, TextCursorInput } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { OperationInput, OperationOutput } from '../../../core/contract/operations.ts';
import { queryKeys, useOperationMutation } from '../../api/query-keys.ts';
import { useDags, useReferences } from '../../api/workflow-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Checkbox } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DeleteDialog, OrganizeFailures } from './delete-dialog.tsx';
import { GroupDialog, MoveDialog, QueueDialog, TagsDialog } from './field-dialogs.tsx';
import {
  closeOrganizeDialog,
  useOrganizeDialog,
  type WorkflowTarget,
  withCurrentHash,
} from './use-organize.ts';

/** The dialog that {@link organize} has opened. */
export function OrganizeDialogs() {
  const open = useOrganizeDialog((state) => state.open);
  if (open === undefined) return null;
  const { kind, dags } = open;
  const first = dags[0]!;
  switch (kind) {
    case 'rename':
      return <RenameDialog dag={first} />;
    case 'duplicate':
      return <DuplicateDialog dag={first} />;
    case 'move':
      return <MoveDialog dags={dags} />;
    case 'tags':
      return <TagsDialog dags={dags} />;
    case 'group':
      return <GroupDialog dags={dags} />;
    case 'queue':
      return <QueueDialog dags={dags} />;
    case 'delete':
      return <DeleteDialog dags={dags} />;
  }
}

/** Replaces the name of a file in the address, if its page is open. */
function useFollowFile(): (fileName: string, newFileName: string) => void {
  const [location, navigate] = useLocation();
  return (fileName, newFileName) => {
    const page = paths.workflow(fileName);
    if (location === page || location.startsWith(`${page}/`))
      navigate(paths.workflow(newFileName) + location.slice(page.length), { replace: true });
  };
}

function reportRename({ fileName, references }: OperationOutput<'dags.rename'>): void {
  const failed = references.filter(({ error }) => error !== undefined);
  if (failed.length === 0) return showToast('info', `Renamed to ${fileName}`);
  const reasons = failed.map((each) => `${each.fileName} (${each.error})`).join(', ');
  showToast('error', `Renamed to ${fileName}. Not updated: ${reasons}`);
}

type Reference = OperationOutput<'dags.references'>['references'][number];

/** Renames a workflow. @param onError called before the references are loaded again */
function useRename(
  { fileName }: WorkflowTarget,
  references: readonly Reference[],
  onError: (error: unknown) => void,
) {
  const follow = useFollowFile();
  const cache = useQueryClient();
  const rename = useOperationMutation('dags.rename', {
    changed: () => [
      queryKeys.dags,
      ['references'],
      ...references.map((each) => queryKeys.dag(each.fileName)),
    ],
  });
  const mutate = (input: OperationInput<'dags.rename'>): void =>
    rename.mutate(input, {
      onError: (error) => {
        onError(error);
        void cache.invalidateQueries({ queryKey: ['references'] });
      },
      onSuccess: (done) => {
        closeOrganizeDialog();
        follow(fileName, done.fileName);
        reportRename(done);
      },
    });
  return { mutate, error: rename.error, isPending: rename.isPending };
}

function RenameDialog({ dag: shown }: { readonly dag: WorkflowTarget }) {
  // After a conflict, the file as it is now.
  const [dag, setDag] = useState(shown);
  const { fileName, name, hash } = dag;
  const hasOwnName = name !== fileName;
  const [text, setText] = useState(fileName);
  const [withName, setWithName] = useState(!hasOwnName);
  const [withReferences, setWithReferences] = useState(true);
  const { references = [], revision } = useReferences(fileName).data ?? {};
  const updateReferences = withReferences && references.length > 0;
  const rename = useRename(dag, references, (error) => setDag(withCurrentHash(dag, error)));
  const steps = references.reduce((sum, each) => sum + each.steps.length, 0);
  const submit = (): void =>
    rename.mutate({
      ...{ fileName, newFileName: text.trim(), updateName: withName, updateReferences, baseHash: hash },
      ...(updateReferences && { baseReferences: revision }),
    });
  const conflict =
    rename.error !== null && toAppError(rename.error).code === 'conflict' ? rename.error : undefined;
  return (
    <FormDialog
      title={`Rename ${fileName}`}
      submit={{
        label: 'Rename',
        icon: TextCursorInput,
        isPending: rename.isPending,
        isBlocked: text.trim() === '' || text.trim() === fileName,
      }}
      error={conflict ? null : rename.error}
      onSubmit={submit}
      onClose={closeOrganizeDialog}
    >
      <TextField label="File name" name="newFileName" value={text} onChange={setText} autoFocus isRequired />
      {hasOwnName && (
        <Checkbox
          label={`Change the workflow name "${name}", too`}
          isSelected={withName}
          onChange={setWithName}
        />
      )}
      {references.length > 0 && (
        <Checkbox
          label={`Update ${pluralize(steps, 'reference')} in ${references.map((each) => each.name).join(', ')}`}
          isSelected={withReferences}
          onChange={setWithReferences}
        />
      )}
      {withName && dag.latestRun !== undefined && (
        <Notice tone="info">Earlier runs stay in the history as {name}.</Notice>
      )}
      {conflict && <OrganizeFailures failures={[{ dag, error: conflict }]} action="Rename" />}
    </FormDialog>
  );
}

function findFreeName(fileName: string, taken: ReadonlySet<string>): string {
  const base = `${fileName.slice(0, 32)}-copy`;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return name;
}

function DuplicateDialog({ dag }: { readonly dag: WorkflowTarget }) {
  const [, navigate] = useLocation();
  const taken = new Set((useDags().data ?? []).map(({ fileName }) => fileName));
  const [text, setText] = useState(() => findFreeName(dag.fileName, taken));
  const duplicate = useOperationMutation('dags.duplicate', { changed: () => [queryKeys.dags] });
  const submit = (): void =>
    duplicate.mutate(
      { fileName: dag.fileName, newFileName: text.trim() },
      {
        onSuccess: ({ fileName, suspended }) => {
          closeOrganizeDialog();
          showToast('info', `Created ${fileName}${suspended ? '. Its schedule is suspended' : ''}`, {
            label: 'Edit',
            run: () => navigate(paths.editor(fileName)),
          });
        },
      },
    );
  return (
    <FormDialog
      title={`Duplicate ${dag.name}`}
      submit={{
        label: 'Duplicate',
        icon: Copy,
        isPending: duplicate.isPending,
        isBlocked: text.trim() === '',
      }}
      error={duplicate.error}
      onSubmit={submit}
      onClose={closeOrganizeDialog}
    >
      <TextField label="File name" name="newFileName" value={text} onChange={setText} autoFocus isRequired />
    </FormDialog>
  );
}
