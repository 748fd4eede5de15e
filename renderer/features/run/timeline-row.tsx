import { ChevronDown, ChevronRight, ListOrdered, Route, Workflow } from 'lucide-react';
import { memo } from 'react';
import { askingLabels } from '../../format/values.ts';
import { formatDuration } from '../../format/time.ts';
import { statusToken, statusLabels } from '../../format/labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { ApprovalStateBadge } from '../approvals/approval-answer.tsx';
import { type TimelineRow, getDuration, type Segment } from './timeline-rows.ts';
import { axisPosition, positionInZoom, type TimeMap, type Zoom } from './timeline-axis.tsx';
import styles from './timeline.module.css';

interface TimelineRowViewProps {
  readonly row: TimelineRow;
  /** 0-based index among the rows. */
  readonly index: number;
  readonly count: number;
  /** Pixels from the top. */
  readonly top: number;
  readonly map: TimeMap;
  readonly zoom: Zoom;
  readonly isSelected: boolean;
  /** Whether this row is in the tab order. */
  readonly isReachable: boolean;
  readonly onOpen: (row: TimelineRow) => void;
  readonly onToggle: (row: TimelineRow) => void;
  readonly onFocus: (index: number) => void;
}

/** One row: its subject, its waits and attempts, and its duration. The whole row is clickable. */
export const TimelineRowView = memo(function TimelineRowView(props: TimelineRowViewProps) {
  const { row, index, count, top, map, zoom, isSelected, isReachable, onOpen, onToggle, onFocus } = props;
  const took = getDuration(row.segments);
  const hasRun = row.segments.length > 0;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the surrounding tree handles the keys
    <div
      role="treeitem"
      className={styles.row}
      data-index={index}
      data-kind={row.kind}
      data-critical={row.isCritical || undefined}
      data-asks={row.asks}
      tabIndex={isReachable ? 0 : -1}
      aria-level={row.depth}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-selected={isSelected}
      aria-expanded={row.isOpen}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        onFocus(index);
        onOpen(row);
      }}
      onFocus={() => onFocus(index)}
    >
      {/* The accessible name is a sentence, so the texts below are hidden from it. */}
      <span className="visually-hidden">{formatRow(row, hasRun ? took : undefined)}</span>
      <span className={styles.name} aria-hidden="true" style={{ paddingLeft: (row.depth - 1) * 16 }}>
        <ExpandButton row={row} onToggle={onToggle} />
        {row.kind === 'queue' ? (
          <ListOrdered size={14} aria-hidden="true" />
        ) : (
          <StatusShape status={row.status} />
        )}
        {row.kind === 'run' && <Workflow size={13} aria-hidden="true" />}
        <span dir="auto" title={row.name}>
          {row.name}
        </span>
        {row.isCritical && <Route size={13} aria-hidden="true" />}
      </span>
      <span className={styles.track} aria-hidden="true">
        {row.segments.map((segment) => (
          <Bar key={`${segment.kind}${segment.from}`} segment={segment} map={map} zoom={zoom} />
        ))}
        {row.asks === true && (
          <span className={styles.asks}>
            <ApprovalStateBadge state="open" />
          </span>
        )}
      </span>
      <span className={styles.took} aria-hidden="true">
        {hasRun && formatDuration(took)}
      </span>
    </div>
  );
});

function ExpandButton({
  row,
  onToggle,
}: {
  readonly row: TimelineRow;
  readonly onToggle: TimelineRowViewProps['onToggle'];
}) {
  if (row.isOpen === undefined) return <span className={styles.noOpener} />;
  const Icon = row.isOpen ? ChevronDown : ChevronRight;
  return (
    // For the pointer only: the row itself conveys the nesting and handles the keys.
    <span
      className={styles.opener}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle(row);
      }}
    >
      <Icon size={14} />
    </span>
  );
}

function formatRow(row: TimelineRow, took: number | undefined): string {
  const labels = [row.kind === 'run' ? `run of ${row.name}` : row.name];
  if (row.kind !== 'queue') labels.push(statusLabels[row.status].toLowerCase());
  if (row.asks === true) labels.push(askingLabels.toLowerCase());
  if (took !== undefined) labels.push(formatDuration(took));
  const attempts = row.segments.filter(({ kind }) => kind === 'attempt').length;
  if (row.kind === 'step' && attempts > 1) labels.push(`${attempts} attempts`);
  if (row.isCritical) labels.push('on the critical path');
  return labels.join(', ');
}

interface BarProps {
  readonly segment: Segment;
  readonly map: TimeMap;
  readonly zoom: Zoom;
}

const kindLabels = { queue: 'Queued', wait: 'Waiting', attempt: 'Attempt' } as const;

function Bar({ segment, map, zoom }: BarProps) {
  const { kind, from, to, status, attempt } = segment;
  const left = positionInZoom(zoom, axisPosition(map, from));
  const right = positionInZoom(zoom, axisPosition(map, to));
  if (right < 0 || left > 100) return null;
  const what = attempt === undefined ? (kind === 'attempt' ? 'Ran' : kindLabels[kind]) : `Attempt ${attempt}`;
  return (
    <i
      className={styles.bar}
      data-kind={kind}
      data-status={status}
      title={`${what}: ${formatDuration(to - from)}${kind === 'attempt' ? `, ${statusLabels[status].toLowerCase()}` : ''}`}
      style={
        {
          left: `min(${Math.max(-1, left)}%, 100% - 4px)`,
          width: `${Math.min(101, right) - Math.max(-1, left)}%`,
          '--bar': `var(--status-${statusToken(status)})`,
        } as React.CSSProperties
      }
    />
  );
}
