import { Position } from 'reactflow';
import type { Direction } from './layout/layout-input.ts';

/** The sides of a card that lines come to and go from. */
export const sidesFor = (direction: Direction) =>
  direction === 'RIGHT'
    ? { target: Position.Left, source: Position.Right }
    : { target: Position.Top, source: Position.Bottom };
