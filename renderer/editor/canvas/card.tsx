import { useState, memo } from 'react';
import { Plus } from 'lucide-react';
import { Handle, type NodeProps } from 'reactflow';
import type { Direction } from '../../graph/compute-layout.ts';
import graphStyles from '../../graph/graph.module.css';
import { CardTime, getColour, type StepAppearance } from '../../graph/step-card.tsx';
import { askingLabels } from '../../format/values.ts';
import { statusLabels } from '../../format/labels.ts';
import { SeverityMark } from '../../ui/status.tsx';
import { handleSidesFor } from '../../graph/build-graph.ts';
import { OutputPeek } from '../run/run-marks.tsx';
import { useTestState } from '../run/test-store.ts';
import { useCanvasActions } from './canvas-actions.ts';
import { type CanvasNode, nameNode } from './canvas-graph.ts';
import { useCanvasStore, useCanvasState } from './canvas-store.ts';
import styles from './canvas.module.css';
import { FoldButton, NestedGraphView } from './nested-graph-view.tsx';
import { foldLabel, type Fold } from './resolve-folds.ts';
import subStyles from './card.module.css';
import { CardContent, useCardZoom, type CardZoom } from './card-content.tsx';
import type { Card as CardType } from './flow-elements.ts';

/** Edits the name of a step on its card: Enter applies, Escape cancels. */
function NameField({ node }: { readonly node: CanvasNode }) {
  const store = useCanvasStore();
  const { rename, focusCard } = useCanvasActions();
  const [name, setName] = useState(node.name);
  const [error, setRefusal] = useState<string>();
  const close = (): void => {
    store.setState({ renaming: undefined });
    focusCard(store.getState().current ?? node.id);
  };
  const take = async (): Promise<void> => {
    const newName = name.trim();
    if (newName === '' || newName === node.name) return close();
    const done = await rename(node.ref, newName);
    if (done.ok) close();
    else setRefusal(done.reason);
  };
  return (
    <span className={`${styles.nameField} nodrag nopan`}>
      <input
        autoFocus
        aria-label={`New name for ${node.name}`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : 'name-refusal'}
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.target.value);
          setRefusal(undefined);
        }}
        onBlur={() => store.setState({ renaming: undefined })}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') void take();
          else if (event.key === 'Escape') close();
        }}
      />
      {error !== undefined && (
        <span id="name-refusal" role="alert" className={styles.nameRefusal}>
          {error}
        </span>
      )}
    </span>
  );
}

const maxBadges = 3;

/** The editable card of a step or handler. */
export const Card = memo(function Card({ id, data, selected, dragging }: NodeProps<CardType>) {
  const { node, direction, fold } = data;
  const size = useCardZoom();
  const dimmed = useCanvasState(
    ({ highlighted, drawing }) =>
      (highlighted !== undefined && !highlighted.has(id)) || drawing?.invalidTargets.has(id) === true,
  );
  const renaming = useCanvasState((state) => state.renaming === id);
  const appearance = useTestState(({ appearances }) => appearances.get(id));
  const isEarlier = useTestState((state) => state.isEarlierText && state.appearances.has(id));
  const isStep = node.section === 'step';
  const isDrawnOn = isStep && size !== 'far';
  return (
    <div
      className={styles.cardBox}
      data-dimmed={dimmed || undefined}
      data-dragging={dragging || undefined}
      data-open={fold?.state === 'open' ? direction : undefined}
    >
      {fold?.state === 'open' && <div className={subStyles.frame} />}
      {isDrawnOn && <CardHandle end="target" direction={direction} />}
      <div
        className={graphStyles.card}
        {...getMark(appearance)}
        data-earlier={isEarlier || undefined}
        data-selected={selected || undefined}
        data-wrong={node.severity}
        data-size={size}
      >
        <CardBody node={node} size={size} appearance={appearance} />
        <CardPress id={id} data={data} selected={selected} />
        {renaming && <NameField node={node} />}
      </div>
      {isDrawnOn && <CardHandle end="source" direction={direction} />}
      {fold && <CardFold name={node.name} fold={fold} zoom={size} />}
      {size !== 'far' && appearance && shouldPeek(appearance, selected) && (
        <OutputPeek step={node.ref} size={size} />
      )}
      {isStep && size === 'near' && <AddButton node={node} direction={direction} />}
    </div>
  );
});

/** A handle where lines start or end. */
function CardHandle({
  end,
  direction,
}: {
  readonly end: 'source' | 'target';
  readonly direction: Direction;
}) {
  return (
    <Handle type={end} position={handleSidesFor(direction)[end]} className={styles.handle} data-end={end} />
  );
}

/** For a step that runs a sub-workflow: the button to expand it, and its status in the shown run. */
function CardFold({
  name,
  fold,
  zoom,
}: {
  readonly name: string;
  readonly fold: Fold;
  readonly zoom: CardZoom;
}) {
  const step = useTestState(({ run }) => run?.steps.find((one) => one.name === name));
  return (
    <>
      <FoldButton name={name} fold={fold} zoom={zoom} />
      {fold.inner && <NestedGraphView fold={{ ...fold, inner: fold.inner }} step={step} />}
    </>
  );
}

/** On a card that is not selected, output is shown only while it arrives and after a failure. */
const shouldPeek = ({ status }: StepAppearance, isSelected: boolean): boolean =>
  isSelected || status === 'running' || status === 'failed';

/** The color of a step status. */
const getMark = (appearance: StepAppearance | undefined) => ({
  'data-status': appearance?.status ?? 'none',
  'data-asks': appearance?.asks || undefined,
  ...(appearance && { style: { '--mark': getColour(appearance) } as React.CSSProperties }),
});

/** The whole card is the button. Its accessible name is a sentence, so the visible texts are hidden from it. */
function CardPress({ id, data, selected }: Pick<NodeProps<CardType>, 'id' | 'data' | 'selected'>) {
  const { node, total, fold } = data;
  const store = useCanvasStore();
  const isCurrent = useCanvasState(({ current }) => current === id);
  const appearance = useTestState(({ appearances }) => appearances.get(id));
  const isEarlier = useTestState((state) => state.isEarlierText);
  const ran =
    appearance && `${statusLabels[appearance.status]}${isEarlier ? ', from an earlier version' : ''}`;
  const details = [
    ...(ran === undefined ? [] : [ran]),
    ...(appearance?.asks === true ? [askingLabels] : []),
    ...node.problems,
    ...node.traits,
    ...(fold ? [formatFold(fold)] : []),
  ];
  return (
    <button
      type="button"
      className={graphStyles.press}
      data-node-id={id}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={nameNode(node, total)}
      aria-pressed={selected}
      {...(details.length > 0 && { 'aria-description': details.join('. ') })}
      title={[`${node.name}: ${node.detail}`, ...details].join('\n')}
      onFocus={() => store.setState({ current: id, selectedEdge: undefined })}
    />
  );
}

const formatFold = (fold: Fold): string =>
  [`runs ${fold.target}`, foldLabel(fold), ...(fold.state === 'open' ? ['expanded'] : [])]
    .filter((part) => part !== undefined)
    .join(', ');

interface CardBodyProps {
  readonly node: CanvasNode;
  readonly size: CardZoom;
  readonly appearance: StepAppearance | undefined;
}

function CardBody({ node, size, appearance }: CardBodyProps) {
  const { severity, badges } = node;
  return (
    <CardContent
      node={node}
      size={size}
      appearance={appearance}
      mark={severity && <SeverityMark severity={severity} size={size === 'simple' ? 22 : 15} isDecorative />}
      end={
        appearance ? <CardTime appearance={appearance} /> : badges.length > 0 && <Badges badges={badges} />
      }
    />
  );
}

const Badges = ({ badges }: Pick<CanvasNode, 'badges'>) => (
  <span className={styles.badges}>
    {badges.slice(0, maxBadges).map(({ id, icon: Icon, short }) => (
      <span key={id} className={styles.badge}>
        <Icon size={11} />
        {short}
      </span>
    ))}
  </span>
);

/**
 * Button that adds a step after this one. It is not in the tab order: the Tab key itself and the menu do the
 * same.
 */
function AddButton({
  node,
  direction,
}: {
  readonly node: CanvasNode;
  readonly direction: CardType['data']['direction'];
}) {
  const store = useCanvasStore();
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.add} nodrag`}
      data-direction={direction}
      aria-label={`Add a step after ${node.name}`}
      title="Add a step after this one"
      onClick={(event) => {
        event.stopPropagation();
        const box = event.currentTarget.getBoundingClientRect();
        store.setState({
          overlay: { kind: 'picker', target: { at: { x: box.right, y: box.top }, after: node.ref } },
        });
      }}
    >
      <Plus size={14} aria-hidden="true" />
    </button>
  );
}
