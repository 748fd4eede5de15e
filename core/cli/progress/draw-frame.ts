import type { StepStatus } from '../../model/run/status.ts';
import { truncateToWidth, oneLine } from '../report/plain-text.ts';
import { statusStyles } from '../report/status-styles.ts';
import { formatDuration } from '../../base/text/duration-text.ts';
import type { Channel } from '../terminal.ts';
import { formatItemCounts } from './items-text.ts';
import {
  countStatuses,
  hasEnded,
  type StepProgressState,
  type RunProgressState,
} from './run-progress-state.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

interface FrameOptions {
  readonly channel: Channel;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the lines of a live view: a heading, the steps that fit, and counts of the rest. */
export function drawFrame(progress: RunProgressState, options: FrameOptions): string[] {
  const { channel, title, now } = options;
  const took = progress.startedAt === undefined ? '' : `  ${formatDuration(now - progress.startedAt)}`;
  const state = progress.stopRequested ? 'stopping' : progress.status;
  const heading = channel.paint('bold', truncateToWidth(`${title}  ${state}${took}`, channel.columns - 1));
  const nodes = [...progress.nodes.values()];
  // Heading, counts and cursor line take one row each.
  const shown = chooseNodes(nodes, channel.rows - 3);
  const nameWidth = Math.min(32, Math.max(...shown.map((node) => [...node.name].length), 1));
  const lines = [heading, ...shown.map((node) => drawNode(node, nameWidth, options))];
  return shown.length === nodes.length
    ? lines
    : [...lines, channel.paint('dim', drawCounts(progress, channel.columns))];
}

/** Returns all nodes if they fit; otherwise the most relevant ones, in workflow order. */
export function chooseNodes(nodes: readonly StepProgressState[], room: number): StepProgressState[] {
  if (nodes.length <= room) return [...nodes];
  const byInterest = [...nodes].sort((left, right) => interestRank(left) - interestRank(right));
  const chosen = new Set(byInterest.slice(0, Math.max(1, room)));
  return nodes.filter((node) => chosen.has(node));
}

const interestOrder: readonly StepStatus[] = [
  'running',
  'failed',
  'aborted',
  'partially_succeeded',
  'not_started',
];

function interestRank(node: StepProgressState): number {
  const rank = interestOrder.indexOf(node.status);
  return rank < 0 ? interestOrder.length : rank;
}

function drawNode(node: StepProgressState, nameWidth: number, { channel, now }: FrameOptions): string {
  const { paint } = statusStyles[node.status];
  const frame = spinner[Math.floor(now / 100) % spinner.length] ?? '';
  const shape =
    node.status === 'running' && node.retryAt === undefined ? frame : statusStyles[node.status].shape;
  const name = truncateToWidth(oneLine(node.name), nameWidth).padEnd(nameWidth);
  const details = truncateToWidth(printNode(node, now), channel.columns - nameWidth - 5);
  return `${channel.paint(paint, shape)} ${name}  ${channel.paint('dim', details)}`;
}

function printNode(node: StepProgressState, now: number): string {
  if (node.startedAt === undefined)
    return node.error === undefined ? '' : `${node.status}: ${oneLine(node.error)}`;
  const took = formatDuration((hasEnded(node) ? (node.finishedAt ?? now) : now) - node.startedAt);
  const attempt = node.attempt > 1 ? `  attempt ${node.attempt}` : '';
  const items = node.items === undefined ? '' : `  ${formatItemCounts(node.items)}`;
  const asks = node.asks === undefined ? '' : `  approval: ${oneLine(node.asks)}`;
  const retry = node.retryAt === undefined ? '' : `  next attempt in ${formatDuration(node.retryAt - now)}`;
  const error = node.error === undefined ? '' : `  ${oneLine(node.error)}`;
  return `${took}${attempt}${items}${asks}${retry}${error}`;
}

function drawCounts(progress: RunProgressState, columns: number): string {
  const counts = [...countStatuses(progress)].map(([status, count]) => `${count} ${status}`);
  return truncateToWidth(`  ${counts.join(', ')}`, columns - 1);
}
