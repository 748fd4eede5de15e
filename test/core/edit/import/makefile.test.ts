import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportedWorkflow, ImportResult } from '../../../../core/edit/import/imported-workflow.ts';
import { importMakefile, listTargets } from '../../../../core/edit/import/import-makefile.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { TestEngine } from '../../../harness/engine.ts';

const makefile = `
# Where things go
OUT ?= build
FLAGS = -O2 \\
  -Wall
SOURCES := main.c util.c
QUOTED = "a b"
NOW := $(shell echo now)

.PHONY: all clean test
.DEFAULT_GOAL := all

all: app test ## Build and test

# Compile everything
app: main.o util.o | $(OUT)
\t@echo "link $@ from $^ with $(FLAGS)" > $(OUT)/app
\t-false
\tcd $(OUT) && pwd

main.o: main.c
\techo "compile $<" > main.o

util.o: util.c; echo util > $@

test: app
\tfor n in 1 2; do \\
\t  echo "$$n $(QUOTED) $(NOW)"; \\
\tdone

clean:
\trm -rf $(OUT)

%.o: %.c
\tcc -c $<
`;

function single(result: ImportResult): ImportedWorkflow {
  if (!result.ok) throw new Error(result.reason);
  return result.workflows[0]!;
}

describe('importMakefile', () => {
  test('creates a step for each rule that the default target needs', () => {
    const { name, text, notes } = single(importMakefile({ text: makefile }));
    expect(name).toBe('all');
    expect(text).toBe(
      `description: Build and test
type: graph
maxActiveSteps: 1
params:
  - OUT: build
env:
  FLAGS: -O2 -Wall
  SOURCES: main.c util.c
steps:
  - name: main.o
    command: echo "compile main.c" > main.o

  - name: util.o
    command: echo util > util.o

  - name: app
    description: Compile everything
    depends:
      - main.o
      - util.o
    script: |
      echo "link app from main.o util.o with \${FLAGS}" > \${OUT}/app
      { false
      } || true
      (cd \${OUT} && pwd)

  - name: test
    depends:
      - app
    script: |
      for n in 1 2; do \\
        echo "$n "a b" $(echo now)"; \\
      done
`,
    );
    expect(notes[0]).toBe('Line 34: the pattern rule for "%.o" was skipped. Write its steps manually.');
    expect(loadSpec({ text, file: 'all.yaml' }).diagnostics).toEqual([]);
  });

  test('behaves like make', async () => {
    const engine = new TestEngine();
    const { text } = single(importMakefile({ text: makefile }));
    const spec = text
      .replace('steps:', `workingDir: ${engine.home}/work\nsteps:`)
      .replace('- name: main.o', '- mkdir -p "$OUT"\n  - name: main.o');
    const run = await engine.run(spec);
    expect(run.status).toBe('succeeded');
    const made = readFileSync(path.join(engine.home, 'work/build/app'), 'utf8');
    expect(made).toBe('link app from main.o util.o with -O2 -Wall\n');
  });

  test('lists the targets with their comments', () => {
    expect(listTargets(makefile)).toEqual([
      { target: 'all', comment: 'Build and test' },
      { target: 'app', comment: 'Compile everything' },
      { target: 'main.o' },
      { target: 'util.o' },
      { target: 'test' },
      { target: 'clean' },
    ]);
  });

  test.each([
    ['', 'No rules found. A rule is "target: prerequisites", followed by lines that start with a tab.'],
    [
      'a:\n\techo $(sort b a)\n',
      'The recipe of "a" (line 1) uses the make function "sort". Import another target, or run "make a" in a step.',
    ],
    ['a: b\nb: c\n', 'Target "a" has no recipe.'],
  ])('rejects %j', (text, reason) => {
    expect(importMakefile({ text })).toEqual({ ok: false, reason });
  });

  test('lists the targets when the requested one is missing', () => {
    expect(importMakefile({ text: 'a:\n\ttrue\nb:\n\ttrue\n', target: 'c' })).toEqual({
      ok: false,
      reason: 'No rule for "c". Valid targets: a, b.',
    });
  });

  test('breaks a cycle', () => {
    const { text } = single(importMakefile({ text: 'a: b\n\ttrue\nb: a\n\ttrue\n' }));
    expect(
      loadSpec({ text, file: 'a.yaml' }).workflows[0]?.steps.map(({ name, depends }) => [name, depends]),
    ).toEqual([
      ['b', []],
      ['a', ['b']],
    ]);
  });
});
