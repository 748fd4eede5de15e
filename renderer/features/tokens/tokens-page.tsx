import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session/permissions.ts';
import { useTokens } from '../../api/queries/accounts/token-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { TokenTable } from './token-table.tsx';
import styles from './tokens.module.css';

/** The user's API tokens; all tokens for admins. */
export function TokensPage() {
  const tokens = useTokens();
  const mayCreate = useCan('tokens.create');
  const [isCreating, setCreating] = useState(false);
  const shown = tokens.data?.pages.reduce((sum, page) => sum + page.tokens.length, 0) ?? 0;
  const create = (
    <Button variant="primary" icon={Plus} unavailable={mayCreate.reason} onPress={() => setCreating(true)}>
      New token…
    </Button>
  );
  return (
    <Page
      title="API tokens"
      beside={shown > 0 && <span className={styles.count}>{shown}</span>}
      below={<p className={styles.hint}>Authenticate scripts and the command line.</p>}
      actions={create}
    >
      <QueryState query={tokens} what="The API tokens">
        {({ pages }) => {
          const all = pages.flatMap((page) => page.tokens);
          if (all.length > 0) return <TokenTable tokens={all} foot={<LoadMore query={tokens} />} />;
          return (
            <EmptyState icon={KeyRound} title="No API tokens yet">
              <p>Create one token per script, so you can revoke them separately.</p>
            </EmptyState>
          );
        }}
      </QueryState>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
