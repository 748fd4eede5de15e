import { ArrowLeft, Hourglass, ListX } from 'lucide-react';
import { useState } from 'react';
import type { ItemView } from '../../../core/contract/run-steps.ts';
import type { AttemptView, RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { summarizeItems } from '../../api/apply-item-event.ts';
import { useItems } from '../../api/run-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { StreamedLog } from '../log/open-log.tsx';
import { ItemList, ItemProgress } from './item-list.tsx';
import styles from './timeline.module.css';

interface ItemsPanelProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly attempt: AttemptView;
  /** The result of the attempt; absent while it is running. */
  readonly end: { readonly failed: boolean } | undefined;
  /** The attempt selector. */
  readonly controls: React.ReactNode;
}

/** The item whose log is open, or one of the two views of all items. */
type VisibleItem = number | 'items' | 'log';

/** One attempt of a step with `parallel`: its progress, its items, and the log of each. */
export function ItemsPanel({ run, step, attempt, end, controls }: ItemsPanelProps) {
  const [shown, setShown] = useState<VisibleItem>('items');
  const attemptRef = { section: step.section, step: step.name, attempt: attempt.attempt };
  const query = useItems(run.name, run.dagRunId, attemptRef);
  const items = query.data ?? [];
  const isNewest = attempt.attempt === step.attempts.at(-1)?.attempt;
  const counted = items.length > 0 ? summarizeItems(items) : undefined;
  const summary = (isNewest ? step.items : undefined) ?? counted;
  const open = typeof shown === 'number' ? items.find(({ item }) => item === shown) : undefined;
  const address = { name: run.name, dagRunId: run.dagRunId, ...attemptRef };
  const views = (
    <>
      <Segmented
        label="View"
        value={shown === 'log' ? 'log' : 'items'}
        choices={[
          { value: 'items', label: 'Items' },
          { value: 'log', label: 'Step log' },
        ]}
        onChange={setShown}
      />
      {controls}
    </>
  );
  return (
    <>
      {summary && (
        <div className={styles.progress}>
          <ItemProgress items={summary} />
        </div>
      )}
      {open && (
        <StreamedLog
          key={open.item}
          run={run}
          step={step}
          address={{ ...address, item: open.item }}
          end={open.finishedAt === undefined ? undefined : { failed: hasFailed(open) }}
          controls={<ItemControls item={open} onBack={() => setShown('items')} />}
        />
      )}
      {shown === 'log' && <StreamedLog run={run} step={step} address={address} end={end} controls={views} />}
      {!open && shown !== 'log' && (
        <QueryState query={query} what="The items">
          {(all) => <Items items={all} ended={end !== undefined} views={views} onOpen={setShown} />}
        </QueryState>
      )}
    </>
  );
}

const hasFailed = ({ status }: ItemView): boolean => status === 'failed' || status === 'aborted';

function ItemControls({ item, onBack }: { readonly item: ItemView; readonly onBack: () => void }) {
  return (
    <>
      <Button size="small" variant="quiet" icon={ArrowLeft} onPress={onBack}>
        Items
      </Button>
      <span className={styles.open} title={item.value}>
        Item {item.item}: <code>{item.value}</code>
      </span>
    </>
  );
}

interface ItemsProps {
  readonly items: readonly ItemView[];
  readonly ended: boolean;
  readonly views: React.ReactNode;
  readonly onOpen: (item: number) => void;
}

function Items({ items, ended, views, onOpen }: ItemsProps) {
  const [filter, setFilter] = useState<'all' | 'failed'>('all');
  const failed = items.filter(hasFailed);
  const listed = filter === 'failed' && failed.length > 0 ? failed : items;
  return (
    <>
      <div className={styles.itemsBar}>
        {views}
        {failed.length > 0 && (
          <Segmented
            label="Show"
            value={filter}
            choices={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: `Failed (${failed.length.toLocaleString('en')})` },
            ]}
            onChange={setFilter}
          />
        )}
      </div>
      {listed.length > 0 && <ItemList label="Items" items={listed} onOpen={onOpen} />}
      {listed.length === 0 && !ended && <EmptyState icon={Hourglass} title="No items started yet" />}
      {listed.length === 0 && ended && <EmptyState icon={ListX} title="No items were started" />}
    </>
  );
}
