import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { SideList } from '../../../ui/list/side-list.tsx';
import { Outcome } from '../exchange/outcome.tsx';
import { schemeLabels } from './scheme-labels.ts';
import items from '../../../ui/list/side-list.module.css';

interface ReceiverListProps {
  readonly receivers: readonly ReceiverView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** All receivers, with one selected. */
export function ReceiverList({ receivers, chosen, onChoose }: ReceiverListProps) {
  return (
    <SideList label="Receivers" items={receivers} keyOf={({ id }) => id} chosen={chosen} onChoose={onChoose}>
      {({ name, scheme, active, workflows }) => (
        <>
          <span className={items.itemName}>{name}</span>
          <span className={items.itemMore}>{schemeLabels[scheme].label}</span>
          <span className={items.itemMore}>
            <Outcome {...describeListeners(active, workflows.length)} />
          </span>
        </>
      )}
    </SideList>
  );
}

function describeListeners(active: boolean, workflows: number): React.ComponentProps<typeof Outcome> {
  if (!active) return { tone: 'quiet', children: 'Disabled' };
  if (workflows === 0) return { tone: 'quiet', children: 'No workflows' };
  return { tone: 'good', children: pluralize(workflows, 'workflow') };
}
