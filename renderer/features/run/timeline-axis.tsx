import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { formatDuration } from '../../format/time.ts';
import { IconButton } from '../../ui/button.tsx';
import {
  clampZoom,
  fullZoom,
  zoomBy,
  positionInZoom,
  type Tick,
  type TimeMap,
  type Zoom,
} from './time-map.ts';
import styles from './timeline.module.css';

interface TimelineAxisProps {
  readonly map: TimeMap;
  readonly ticks: readonly Tick[];
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** Shorter drags count as clicks, as a fraction of the width. */
const minDragFraction = 0.01;

/** The time axis; dragging zooms in, a double click resets. The buttons do the same. */
export function TimelineAxis({ map, ticks, zoom, onZoom }: TimelineAxisProps) {
  const [pull, setPull] = useState<{ from: number; to: number }>();
  const getAxisPosition = (event: React.PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const release = (): void => {
    setPull(undefined);
    if (pull === undefined || Math.abs(pull.to - pull.from) < minDragFraction) return;
    const size = zoom.end - zoom.start;
    const [start, end] = [Math.min(pull.from, pull.to), Math.max(pull.from, pull.to)];
    onZoom(clampZoom({ start: zoom.start + start * size, end: zoom.start + end * size }));
  };
  return (
    <div className={styles.axis}>
      <ZoomButtons zoom={zoom} onZoom={onZoom} />
      <div
        className={styles.scale}
        title="Drag to zoom, double-click to reset"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setPull({ from: getAxisPosition(event), to: getAxisPosition(event) });
        }}
        onPointerMove={(event) => pull && setPull({ ...pull, to: getAxisPosition(event) })}
        onPointerUp={release}
        onPointerCancel={() => setPull(undefined)}
        onDoubleClick={() => onZoom(fullZoom)}
      >
        {ticks.map(({ left, label }) => (
          <span key={`${left}${label}`} className={styles.tick} style={{ left: `${left}%` }}>
            {label}
          </span>
        ))}
        <IdleMarks map={map} zoom={zoom} />
        {pull && (
          <i
            className={styles.pull}
            style={{
              left: `${Math.min(pull.from, pull.to) * 100}%`,
              width: `${Math.abs(pull.to - pull.from) * 100}%`,
            }}
          />
        )}
      </div>
      <div />
    </div>
  );
}

function ZoomButtons({ zoom, onZoom }: Pick<TimelineAxisProps, 'zoom' | 'onZoom'>) {
  const isWhole = zoom.end - zoom.start >= 1;
  return (
    <div className={styles.zoom} role="group" aria-label="Timeline zoom">
      <IconButton label="Zoom in (+)" icon={ZoomIn} size="small" onPress={() => onZoom(zoomBy(zoom, 0.5))} />
      <IconButton
        label="Zoom out (-)"
        icon={ZoomOut}
        size="small"
        isDisabled={isWhole}
        onPress={() => onZoom(zoomBy(zoom, 2))}
      />
      <IconButton
        label="Reset zoom (0)"
        icon={Maximize2}
        size="small"
        isDisabled={isWhole}
        onPress={() => onZoom(fullZoom)}
      />
    </div>
  );
}

/** Marks of compressed idle periods with their durations. */
function IdleMarks({ map, zoom }: Pick<TimelineAxisProps, 'map' | 'zoom'>) {
  return map.pieces
    .filter(({ isIdle }) => isIdle)
    .map(({ from, to, at, size }) => (
      <span
        key={from}
        className={styles.idle}
        role="note"
        aria-label={`Idle for ${formatDuration(to - from)} (not shown)`}
        title={`Idle for ${formatDuration(to - from)} (not shown)`}
        style={{
          left: `${positionInZoom(zoom, at)}%`,
          width: `${positionInZoom(zoom, at + size) - positionInZoom(zoom, at)}%`,
        }}
      />
    ));
}
