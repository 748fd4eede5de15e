import { useEffect, useState } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import { findUpstream } from '../../../core/spec/plan/graph.ts';
import type { EditOffer, EditRejection, NodeRef } from '../../../core/edit/text-change.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import controls from '../../ui/fields.module.css';
import { Button } from '../../ui/button.tsx';
import type { CanvasGraph, DrawnWorkflow } from './canvas-graph.ts';
import { comboBox } from './palette-pane.tsx';
import palette from './overlays.module.css';
import { useCanvasActions } from './canvas-actions.ts';
import { checkConnection } from '../../../core/edit/steps/check-connection.ts';

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
  readonly onClose: () => void;
}

/** Lists the steps that can be made to depend on a step, to connect without dragging. */
export function ConnectPicker({ drawn, from, onChoose, onClose }: ConnectPickerProps) {
  const { graph } = drawn;
  const { contains } = useFilter({ sensitivity: 'base' });
  if (graph.type === 'chain') return <NoTarget drawn={drawn} from={from} onClose={onClose} />;
  const invalidTargets = listInvalidTargets(graph, nodeId(from.section, from.name), 'source');
  const targets = graph.steps.filter(({ id }) => !invalidTargets.has(id));
  if (targets.length === 0) return <NoTarget drawn={drawn} from={from} onClose={onClose} />;
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

/** Maximum number of offers when nothing can be connected. */
const maxOffers = 5;

/** Says why a step cannot be connected to any other, and offers the edits that would help, if there are any. */
function NoTarget({ drawn: { graph, document }, from, onClose }: Omit<ConnectPickerProps, 'onChoose'>) {
  const { applyOffer } = useCanvasActions();
  const rejections = graph.steps
    .filter(({ name, depends }) => name !== from.name && !depends.includes(from.name))
    .flatMap(({ ref }) => checkConnection(document, from, ref) ?? []);
  const convert = rejections.find(({ offer }) => offer?.kind === 'convert-to-graph');
  const offers = useOffers(convert ? [convert] : rejections.toReversed());
  const apply = (offer: EditOffer): void => {
    // With explicit dependencies, the list of steps takes the place of this question.
    if (offer.kind !== 'convert-to-graph') onClose();
    applyOffer(offer);
  };
  return (
    <div className={palette.question}>
      <p>{convert?.reason ?? explainNoTarget(graph, from, rejections.length)}</p>
      {offers.map((offer, index) => (
        <OfferButton key={JSON.stringify(offer)} offer={offer} autoFocus={index === 0} onPress={apply} />
      ))}
    </div>
  );
}

/** Returns the first offers that help, each of which is computed to know. */
function useOffers(rejections: readonly EditRejection[]): readonly EditOffer[] {
  const { findOffers } = useCanvasActions();
  const [offers, setOffers] = useState<readonly EditOffer[]>([]);
  const offered = JSON.stringify(rejections.flatMap(({ offer }) => offer ?? []));
  useEffect(() => {
    let isOver = false;
    findOffers(JSON.parse(offered) as EditOffer[], maxOffers).then(
      (found) => isOver || setOffers(found),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [findOffers, offered]);
  return offers;
}

function explainNoTarget({ type, steps }: CanvasGraph, { name }: NodeRef, rejected: number): string {
  if (steps.length < 2) return 'There is no other step to connect.';
  if (rejected < steps.length - 1) return `All steps that can depend on "${name}" already do.`;
  return type === 'chain'
    ? `"${name}" runs last. To run a step after it, change the order of the steps.`
    : `All other steps already run before "${name}".`;
}

const offerLabel = (offer: EditOffer): string => {
  if (offer.kind === 'convert-to-graph') return 'Use explicit dependencies';
  const [source, target] = [offer.source.name, offer.target.name];
  return offer.kind === 'move'
    ? `Move "${target}" after "${source}"`
    : `Make "${target}" depend on "${source}" instead`;
};

interface OfferButtonProps {
  readonly offer: EditOffer;
  readonly autoFocus?: boolean;
  readonly onPress: (offer: EditOffer) => void;
}

/** Button with an edit that makes a rejected connection possible. */
export const OfferButton = ({ offer, autoFocus = false, onPress }: OfferButtonProps) => (
  <Button variant={autoFocus ? 'primary' : 'secondary'} autoFocus={autoFocus} onPress={() => onPress(offer)}>
    {offerLabel(offer)}
  </Button>
);
