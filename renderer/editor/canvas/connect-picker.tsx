import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import { findUpstream } from '../../../core/spec/plan/graph.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { checkConnection } from '../../../core/edit/steps/connect.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import controls from '../../ui/fields.module.css';
import { Button } from '../../ui/button.tsx';
import type { CanvasGraph, DrawnWorkflow } from './canvas-graph.ts';
import { comboBox } from './palette-pane.tsx';
import palette from './overlays.module.css';
import { useCanvasActions } from './canvas-actions.ts';

/**
 * Finds all nodes that a connection from one node cannot end at, including the node itself. It applies the
 * rules of core/edit/steps/connect.ts to all nodes at once, when a drag begins.
 * @param end which end of the connection the node is
 */
export function listInvalidTargets(
  graph: CanvasGraph,
  id: string,
  end: 'source' | 'target',
): ReadonlySet<string> {
  if (graph.type === 'chain') return new Set(graph.byId.keys());
  const node = graph.byId.get(id);
  const invalidTargets = new Set([id, ...graph.handlers.map((handler) => handler.id)]);
  if (!node) return invalidTargets;
  const reversed = graph.steps.map(({ name }) => ({ name, depends: [] as string[] }));
  if (end === 'target') {
    const byName = new Map(reversed.map((step) => [step.name, step]));
    for (const { name, depends } of graph.steps)
      for (const one of new Set(depends)) byName.get(one)?.depends.push(name);
  }
  // Steps that would create a cycle, and steps that are connected already.
  for (const name of findUpstream(end === 'source' ? graph.steps : reversed, [node.name]))
    invalidTargets.add(`step:${name}`);
  for (const { source, target } of graph.edges) {
    if (end === 'source' && source === id) invalidTargets.add(target);
    if (end === 'target' && target === id) invalidTargets.add(source);
  }
  return invalidTargets;
}

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
    <div className={palette.question}>
      <p>{reason}</p>
      {offer && (
        <Button variant="primary" autoFocus onPress={convertToGraph}>
          Use explicit dependencies
        </Button>
      )}
    </div>
  );
}
