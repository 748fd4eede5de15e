import { describe, expect, it } from 'vitest';
import { formatTraceparent, readTraceContext, traceVariables } from '../../../core/model/trace-context.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';
const good = `00-${trace}-${span}-01`;

/** Result of a `tracestate`. */
const stateOf = (tracestate: string): string | undefined =>
  readTraceContext({ traceparent: good, tracestate })?.state;

describe('traceparent', () => {
  it('is parsed', () => {
    expect(readTraceContext({ traceparent: good })).toEqual({ traceId: trace, spanId: span, sampled: true });
    expect(readTraceContext({ traceparent: ` ${good}\t` })?.spanId).toBe(span);
  });

  it.each([
    ['00', false],
    ['01', true],
    ['02', false],
    ['ff', true],
  ])('uses only the last bit of the flags %s', (flags, sampled) => {
    const context = readTraceContext({ traceparent: `00-${trace}-${span}-${flags}` })!;
    expect(context.sampled).toBe(sampled);
    expect(formatTraceparent(context)).toBe(`00-${trace}-${span}-${sampled ? '01' : '00'}`);
  });

  it.each([
    `cc-${trace}-${span}-01`,
    `cc-${trace}-${span}-01-`,
    `cc-${trace}-${span}-01-what-the-future-will-be-like`,
  ])('of a later version is parsed as far as it is known: %s', (traceparent) => {
    expect(formatTraceparent(readTraceContext({ traceparent })!)).toBe(good);
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `ff-${trace}-${span}-01`,
    `${good}-`,
    `${good}-more`,
    `${good}.more`,
    `cc-${trace}-${span}-01.what`,
    `0-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span.toUpperCase()}-01`,
    `00-${trace}0-${span}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${trace}-${span}-1`,
    `00-${trace}-${span}-0x`,
    `00-${trace}-${span}`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `${good}, ${good}`,
  ])('is ignored when it is malformed: %s', (traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: 'a=1' })).toBeUndefined();
  });
});

describe('tracestate', () => {
  it('is passed on with its members in order, without surrounding space', () => {
    expect(stateOf('congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')).toBe(
      'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    );
    expect(stateOf(' a=1 ,\tb@vendor=x y ,, 1t@v=2')).toBe('a=1,b@vendor=x y,1t@v=2');
    const value = '!'.repeat(255);
    expect(stateOf(`a=${value}~`)).toBe(`a=${value}~`);
  });

  it.each([
    '',
    ' , ',
    'a',
    '=1',
    'A=1',
    'a=1,a=2',
    'a=',
    'a=1=2',
    'a=ü',
    'a=\u0007',
    '1a=1',
    'a@1b=1',
    'a@b@c=1',
    `${'k'.repeat(257)}=1`,
    `a@${'v'.repeat(15)}=1`,
    `a=${'1'.repeat(257)}`,
    Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(','),
  ])('is omitted when it is malformed, and the trace stays: %s', (tracestate) => {
    expect(readTraceContext({ traceparent: good, tracestate })).toEqual(
      readTraceContext({ traceparent: good }),
    );
  });

  it('is shortened by whole members: those over 128 characters first, then the last', () => {
    const long = `long=${'x'.repeat(200)}`;
    const short = Array.from({ length: 5 }, (_, index) => `k${index}=${'y'.repeat(90)}`);
    expect(stateOf([short[0], long, ...short.slice(1)].join(','))).toBe(short.join(','));
    expect(stateOf([...short, 'z1=1', `z2=${'y'.repeat(90)}`].join(','))).toBe([...short, 'z1=1'].join(','));
    expect(stateOf(`only=${'x'.repeat(200)}`)).toHaveLength(205);
  });
});

describe('variables', () => {
  it('have the state only where there is one', () => {
    expect(traceVariables(readTraceContext({ traceparent: good })!)).toEqual({ TRACEPARENT: good });
    expect(traceVariables(readTraceContext({ traceparent: good, tracestate: 'a=1' })!)).toEqual({
      TRACEPARENT: good,
      TRACESTATE: 'a=1',
    });
  });
});
