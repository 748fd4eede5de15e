/**
 * W3C Trace Context: the trace and the span that an operation belongs to. Standard:
 * https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero: the parent span for the receiver of the context. */
  readonly spanId: string;
  /** The flag `sampled`: the caller may have recorded the trace. */
  readonly sampled: boolean;
  /** `tracestate`, validated: what tracing systems pass on in addition to the ids. */
  readonly state?: string;
}

/** The two fields, as headers or as variables. */
export interface TraceFields {
  readonly traceparent: string | undefined;
  readonly tracestate?: string | undefined;
}

const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;
const sampledFlag = 1;

/**
 * Parses the two fields; returns undefined when `traceparent` is malformed, as if none had been sent (3.2). A malformed
 * `tracestate` is left out (3.3).
 */
export function readTraceContext({ traceparent, tracestate }: TraceFields): TraceContext | undefined {
  const [, version, traceId, spanId, flags, trailing] = parentPattern.exec(traceparent?.trim() ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  // Additions of later versions are ignored; version 00 has none, and ff is forbidden.
  if (version === 'ff' || (version === '00' && trailing !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  const state = tracestate === undefined ? undefined : readTracestate(tracestate);
  const sampled = (Number.parseInt(flags, 16) & sampledFlag) !== 0;
  return { traceId, spanId, sampled, ...(state === undefined ? {} : { state }) };
}

const isZero = (id: string): boolean => /^0+$/.test(id);

/** Formats the field `traceparent` of version 00. */
export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Returns the variables that pass the context to a process. */
export const traceVariables = (context: TraceContext): Record<string, string> => ({
  TRACEPARENT: formatTraceparent(context),
  ...(context.state === undefined ? {} : { TRACESTATE: context.state }),
});

/** Returns the headers that pass the context on with a request. */
export const traceHeaders = (context: TraceContext): Record<string, string> => ({
  traceparent: formatTraceparent(context),
  ...(context.state === undefined ? {} : { tracestate: context.state }),
});

const maxMembers = 32;
/** Characters of `tracestate` that must be passed on (3.3.1.5). */
const statePassed = 512;
/** Length above which members are dropped first when there are too many. */
const maxMemberLength = 128;
const keyPattern = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const valuePattern = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returns the members without surrounding space; undefined when one is malformed or there are none. */
function readTracestate(text: string): string | undefined {
  const members = text
    .split(',')
    .map((member) => member.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf('='))));
  const isFaulty =
    members.length === 0 ||
    members.length > maxMembers ||
    new Set(keys).size < keys.length ||
    members.some((member, index) => {
      const key = keys[index]!;
      return !keyPattern.test(key) || !valuePattern.test(member.slice(key.length + 1));
    });
  return isFaulty ? undefined : shorten(members).join(',');
}

/** Drops whole members, long ones first, then the oldest, which are the last. */
function shorten(members: readonly string[]): readonly string[] {
  const getLength = (list: readonly string[]): number => list.join(',').length;
  if (getLength(members) <= statePassed) return members;
  const short = members.filter((member) => member.length <= maxMemberLength);
  while (getLength(short) > statePassed) short.pop();
  return short;
}
