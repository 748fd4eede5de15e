import { Bookmark, BookmarkPlus, BookmarkX } from 'lucide-react';
import { useState } from 'react';
import { useSystemInfo } from '../../../api/queries/operating/system-queries.ts';
import { useMe } from '../../../api/session/session-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { ActionMenu, type MenuAction } from '../../../ui/overlay/menu.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { readViews, storeViews, savedViewsKey, withView, type SavedView } from './saved-views.ts';

interface ViewMenuProps {
  /** The current query. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

/** Maximum length in characters, so that it fits in the menu. */
const maxNameLength = 60;

/** Menu of the saved filters of this user. */
export function ViewMenu({ query, onOpen }: ViewMenuProps) {
  const home = useSystemInfo().data?.home ?? '';
  const user = useMe().data?.name ?? '';
  const key = savedViewsKey(home, user);
  const [, redraw] = useState(0);
  const [isNaming, setNaming] = useState(false);
  const views = readViews(localStorage, key);
  const current = views.find((view) => view.query === query);
  const store = (next: readonly SavedView[]): void => {
    if (!storeViews(localStorage, key, next))
      showToast('error', 'Could not save the view: browser storage is not available.');
    redraw((count) => count + 1);
  };
  const actions: MenuAction[] = [
    ...views.map((view) => ({
      id: `view ${view.name}`,
      label: view.name,
      icon: Bookmark,
      run: () => onOpen(view.query),
    })),
    current === undefined
      ? {
          id: 'save',
          label: 'Save view…',
          icon: BookmarkPlus,
          beginsGroup: views.length > 0,
          run: () => setNaming(true),
        }
      : {
          id: 'remove',
          label: `Remove “${current.name}”`,
          icon: BookmarkX,
          beginsGroup: true,
          run: () => {
            store(views.filter(({ name }) => name !== current.name));
            showToast('info', `View ${current.name} removed.`);
          },
        },
  ];
  return (
    <>
      <ActionMenu label="Views" actions={actions}>
        <Button icon={Bookmark}>{current?.name ?? 'Views'}</Button>
      </ActionMenu>
      {isNaming && (
        <NameDialog
          onSave={(name) => {
            store(withView(views, { name, query }));
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function NameDialog({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const isLong = name.trim().length > maxNameLength;
  return (
    <FormDialog
      title="Save view"
      submit={{
        label: 'Save',
        icon: BookmarkPlus,
        isPending: false,
        isBlocked: name.trim() === '' || isLong,
      }}
      error={null}
      onSubmit={() => onSave(name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        error={isLong ? `Maximum ${maxNameLength} characters.` : undefined}
        description="Saved in this browser. A view with the same name is replaced."
      />
    </FormDialog>
  );
}
