import type { Point } from './compute-layout.ts';

const cornerRadius = 10;

/**
 * Returns an SVG path through the corners of an orthogonal route, with rounded corners as far as the segments
 * allow.
 */
export function roundedPath(route: readonly Point[]): string {
  const [start, ...rest] = route;
  if (!start) return '';
  const commands = [`M${start.x} ${start.y}`];
  rest.forEach((corner, index) => {
    const next = rest[index + 1];
    const before = index === 0 ? start : rest[index - 1]!;
    if (!next) {
      commands.push(`L${corner.x} ${corner.y}`);
      return;
    }
    const radius = Math.min(cornerRadius, distance(before, corner) / 2, distance(corner, next) / 2);
    const enter = towards(corner, before, radius);
    const leave = towards(corner, next, radius);
    commands.push(`L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`);
  });
  return commands.join('');
}

const distance = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y);

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  return { x: from.x + ((to.x - from.x) * length) / whole, y: from.y + ((to.y - from.y) * length) / whole };
}
