// A file of its own: the program of a worker thread.
import { compilePattern } from '../../base/pattern.ts';
import { serveRequests } from './serve-requests.ts';
import type { LinesRequest } from './match-lines.ts';

serveRequests(({ source, ignoreCase, multiline, lines, limit }: LinesRequest) =>
  compilePattern(source, { ignoreCase, multiline }).findLines(lines, limit),
);
