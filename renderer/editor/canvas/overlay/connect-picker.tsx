import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { checkConnection } from '../../../../core/edit/steps/wiring/check-connection.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import { stepIcons } from '../../../graph/step-icon.ts';
import controls from '../../../ui/controls/controls.module.css';
import { Button } from '../../../ui/controls/button.tsx';
import { comboBox } from '../../palette/snippet-picker.tsx';
import palette from '../../palette/palette.module.css';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import { listInvalidTargets } from '../model/check-targets.ts';
import type { DrawnWorkflow } from '../model/use-canvas-graph.ts';
import styles from '../canvas.module.css';

interface ConnectPickerProps {
  readonly drawn: DrawnWorkflow;
  readonly from: NodeRef;
  readonly onChoose: (target: NodeRef) => void;
}

/** Lists the steps that can be made to depend on a step, to connect without dragging. */
export function ConnectPicker({ drawn, from, onChoose }: ConnectPickerProps) {
  const { graph } = drawn;
  const { contains } = useFilter({ sensitivity: 'base' });
  if (graph.type === 'chain') return <ChainQuestion drawn={drawn} from={from} />;
  const invalidTargets = listInvalidTargets(graph, nodeId(from.section, from.name), 'source');
  const targets = graph.steps.filter(({ id }) => !invalidTargets.has(id));
  return (
    <div className={palette.picker}>
      <Autocomplete filter={contains}>
        <SearchField aria-label={`Step to connect ${from.name} to`} autoFocus>
          <Input
            {...comboBox}
            className={controls.input}
            placeholder={`Connect "${from.name}" to…`}
            onKeyDown={(event) => {
              // If the list has not highlighted a match yet, for example after the previous button, Enter
              // chooses the first.
              const input = event.currentTarget;
              if (event.key !== 'Enter' || input.getAttribute('aria-activedescendant')) return;
              const first = targets.find(({ name }) => contains(name, input.value));
              if (first) onChoose(first.ref);
            }}
          />
        </SearchField>
        <ListBox
          aria-label="Steps"
          className={palette.pickerList ?? ''}
          renderEmptyState={() => <p className={palette.none}>No step can be connected</p>}
          onAction={(id) => {
            const target = graph.byId.get(String(id));
            if (target) onChoose(target.ref);
          }}
        >
          {targets.map(({ id, name, kind, detail }) => {
            const Icon = stepIcons[kind];
            return (
              <ListBoxItem key={id} id={id} textValue={name} className={palette.pickerItem ?? ''}>
                <Icon size={16} aria-hidden="true" />
                <bdi className={palette.pickerName}>{name}</bdi>
                <span className={palette.pickerWords}>{detail}</span>
              </ListBoxItem>
            );
          })}
        </ListBox>
      </Autocomplete>
    </div>
  );
}

/** Offers explicit dependencies if they would allow a connection. */
function ChainQuestion({ drawn: { graph, document }, from }: Omit<ConnectPickerProps, 'onChoose'>) {
  const { convertToGraph } = useCanvasActions();
  const errors = graph.steps
    .filter(({ name, depends }) => name !== from.name && !depends.includes(from.name))
    .map(({ ref }) => checkConnection(document, from, ref));
  const offer = errors.find((error) => error?.offer !== undefined);
  const reason = offer?.reason ?? errors[0]?.reason ?? 'No step can be connected.';
  return (
    <div className={styles.question}>
      <p>{reason}</p>
      {offer && (
        <Button variant="primary" autoFocus onPress={convertToGraph}>
          Use explicit dependencies
        </Button>
      )}
    </div>
  );
}
