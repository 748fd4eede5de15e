/** All features of a run; each step records its execution. */
export const whole = `
preconditions: [{ condition: "1", expected: "1" }]
steps:
  - name: first
    command: EFFECT; echo 1
    preconditions: [{ condition: "1", expected: "1" }]
    output: FIRST
  - name: flaky
    command: EFFECT; test -e tried || { touch tried; exit 4; }
    retryPolicy: { limit: 2, intervalSec: 0 }
  - name: again
    command: EFFECT
    repeatPolicy: { repeat: until, limit: 2, intervalSec: 0, condition: "1", expected: "2" }
  - name: each
    parallel: { items: [a, b, c], maxConcurrent: 2 }
    command: EFFECT
  - name: sub
    run: below
  - name: last
    command: EFFECT; exit 3
    continueOn: { exitCode: [3], markSuccess: true }
handlerOn: { init: EFFECT, success: EFFECT, exit: EFFECT }
---
name: below
steps:
  - name: inner
    command: EFFECT
`;

/** Executions of each step of `whole`. */
export const wholeRan = {
  '@onInit': 1,
  first: 1,
  flaky: 2,
  again: 2,
  each: 3,
  inner: 1,
  last: 1,
  '@onSuccess': 1,
  '@onExit': 1,
};

/** Shell code that reports its start, and runs until the test releases it (files `begun` and `go`). */
export const waitForGoFile = 'touch begun; while [ ! -e go ]; do sleep 0.02; done';

/** A step that waits in the middle of a chain. */
export const waiting = `
steps:
  - name: first
    command: EFFECT
  - name: work
    command: EFFECT; ${waitForGoFile}; exit 3
    continueOn: { exitCode: [3], markSuccess: true }
  - name: last
    command: EFFECT
handlerOn: { success: EFFECT, abort: EFFECT, exit: EFFECT }
`;

/** Executions of each step of `waiting` if it is not stopped. */
export const waitingRan = { first: 1, work: 1, last: 1, '@onSuccess': 1, '@onExit': 1 };

/**
 * A run with a step that succeeded, an item and a sub-workflow that fail, and a step that the mended file renames.
 * @param isMended whether the failures are mended, and a step is added
 */
export const resumable = (isMended: boolean): string => `
type: graph
maxActiveSteps: 1
preconditions: [{ condition: "1", expected: "1" }]
steps:
  - { name: done, command: EFFECT; echo 1, output: DONE }
  - { name: ${isMended ? 'new_name' : 'old_name'}, command: EFFECT, depends: done }
  - name: each
    parallel: { items: [a, b, c], maxConcurrent: 1 }
    command: EFFECT${isMended ? '' : '; test "$ITEM" != b'}
    depends: done
  - { name: sub, run: below, depends: done }
  - { name: last, command: EFFECT; test -n "$DONE", depends: [each, sub] }
${isMended ? '  - { name: added, command: EFFECT, depends: last }' : ''}
handlerOn: { init: EFFECT, exit: EFFECT }
---
name: below
steps:
  - { name: inner_done, command: EFFECT }
  - { name: inner_bad, command: EFFECT${isMended ? '' : '; exit 1'} }
`;

/** Executions of each step of `resumable`, in both runs together. */
export const resumedRan = {
  '@onInit': 2,
  done: 1,
  old_name: 1,
  new_name: 1,
  each: 4,
  inner_done: 1,
  inner_bad: 2,
  last: 1,
  added: 1,
  '@onExit': 2,
};
