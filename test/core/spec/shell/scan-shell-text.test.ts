import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanShellText, listReferences, writeParts } from '../../../../core/spec/shell/scan-shell-text.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

/** The text with its references in angle brackets. */
function mark(text: string, ansiQuotes = true): string {
  const parts = scanShellText(text, { ansiQuotes });
  return writeParts(parts, ({ written, braced }) =>
    braced ? `<${written.slice(2)}` : `<${written.slice(1)}>`,
  );
}

describe('finds references', () => {
  it.each([
    ['echo ${V.key}', 'echo <V.key}'],
    ['echo "a ${V.outputs[0].KEY} b"', 'echo "a <V.outputs[0].KEY} b"'],
    ['echo $V.key.', 'echo <V.key>.'],
    ['echo ${my-step.stdout}', 'echo <my-step.stdout}'],
    ['echo ${V:0:4} ${V: -2} ${V:1:-1}', 'echo <V:0:4} <V: -2} <V:1:-1}'],
    ['echo ${V.key:0:4}', 'echo <V.key:0:4}'],
    ['echo ${V.key:-x} ${V.key:-${W.key}}', 'echo <V.key:-x} <V.key:-<W.key}}'],
    ['echo ${1.key} $((${V.n} + 1))', 'echo <1.key} $((<V.n} + 1))'],
    ['echo "$(echo "${V.key}")"', 'echo "$(echo "<V.key}")"'],
    ['echo ${x:-${V.key}} "${x:-\'${V.key}\'}"', 'echo ${x:-<V.key}} "${x:-\'<V.key}\'}"'],
    ['echo `echo ${V.key}`', 'echo `echo <V.key}`'],
    ['echo "it\'s ${V.key}"', 'echo "it\'s <V.key}"'],
    ["echo it\\'s ${V.key}", "echo it\\'s <V.key}"],
    ['echo \\\\${V.key}', 'echo \\\\<V.key}'],
    ['echo a#${V.key} $# ${V.key}', 'echo a#<V.key} $# <V.key}'],
    ["# it's\necho ${V.key}", "# it's\necho <V.key}"],
    ['echo \\\n#${V.key}', 'echo \\\n#${V.key}'],
    ['echo a\\\n#${V.key}', 'echo a\\\n#<V.key}'],
    ["cat <<E\nit's ${V.key}\nE\necho '${V.key}'", "cat <<E\nit's <V.key}\nE\necho '${V.key}'"],
    ["cat <<-E\n\tit's ${V.key}\n\tE\necho '${V.key}'", "cat <<-E\n\tit's <V.key}\n\tE\necho '${V.key}'"],
    ["cat <<A; cat <<'B'\n${V.a}\nA\n${V.b}\nB\n${V.c}", "cat <<A; cat <<'B'\n<V.a}\nA\n${V.b}\nB\n<V.c}"],
    ['cat <<E\n$(echo "${V.key}" \'${V.key}\')\nE', 'cat <<E\n$(echo "<V.key}" \'${V.key}\')\nE'],
    ["cat <<E\na\\\nE\nit's ${V.key}\nE", "cat <<E\na\\\nE\nit's <V.key}\nE"],
    ['cat <<< ${V.key}', 'cat <<< <V.key}'],
    ["echo $((1 << 2))\n'${V.key}'", "echo $((1 << 2))\n'${V.key}'"],
    ["(( a = 1 << 2 ))\necho '${V.key}'", "(( a = 1 << 2 ))\necho '${V.key}'"],
    [
      "for ((i=1<<2;i;i--)); do :; done\necho '${V.key}'",
      "for ((i=1<<2;i;i--)); do :; done\necho '${V.key}'",
    ],
    [
      'echo "$(case a in a) echo \'x${V.key}\';; (b) ;; esac) ${V.key}"',
      'echo "$(case a in a) echo \'x${V.key}\';; (b) ;; esac) <V.key}"',
    ],
    ['echo "$(# it\'s )\necho ${V.key})"', 'echo "$(# it\'s )\necho <V.key})"'],
    ["a=(x 'y' z) ${V.key}", "a=(x 'y' z) <V.key}"],
    [
      'echo "`echo \\"${V.key} \\\\\\`echo ${V.b}\\\\\\`\\"`"',
      'echo "`echo "<V.key} \\\\\\`echo <V.b}\\\\\\`"`"',
    ],
    ['echo `echo \\`echo ${V.key}\\``', 'echo `echo \\`echo <V.key}\\``'],
  ])('%j', (text, marked) => {
    expect(mark(text)).toBe(marked);
  });
});

describe('ignores', () => {
  it.each([
    ["echo '${V.key}'"],
    ["echo $'it\\'s ${V.key}'"],
    ['echo \\${V.key} "\\${V.key} \\$V.key"'],
    ['# ${V.key}\n: # "${V.key}'],
    ["cat <<'E'\n${V.key}\nE"],
    ['cat <<"E"\n${V.key}\nE'],
    ['cat <<\\E\n${V.key}\nE'],
    ["cat <<-'E'\n\t${V.key}\n\tE"],
    ['echo "${x#\'${V.key}\'}"'],
    ["echo ${x:-'${V.key}'}"],
    ['echo "$(echo \'${V.key}\')"'],
    ["echo `echo '${V.key}'` \"`echo '${V.key}'`\""],
    ['echo $V ${V} ${V:-x} ${V%x} ${V#x} ${#V} $V-x ${V:n:2} $1.key $? $$ $'],
    ['echo ${V:-2} ${V:+2:3} ${V.a b} ${V.key%${x}'],
    ["echo 'never closed ${V.key}"],
    ['echo "never closed ${V.key}'],
    ['echo "$(never closed ${V.key}"'],
    ['echo `never closed ${V.key}'],
    ['echo ${never:-closed ${V.key}'],
  ])('%j', (text) => {
    expect(mark(text)).toBe(text);
  });

  it('text after a quotation that dash ends earlier', () => {
    expect(mark("echo $'a\\' ${V.key}", false)).toBe("echo $'a\\' <V.key}");
  });
});

const pieces = fc.constantFrom(
  ...['$', '{', '}', '${', '${V', '.key', '${V.key}', '$V.key', ':-', ':0:1', '$(', '$((', '(', ')', '))'],
  ...["'", '"', '`', '\\', '#', ' ', '\n', '\t', '<<E', "<<'E'", '<<-E', '\nE\n', '<', '>', ';', '&', '|'],
  ...["$'", 'case ', ' in ', 'esac', 'a', '1', '=', '[0]', 'é', '🚲', '\ud800', '\0', '\r\n'],
);

describe('any text', () => {
  it('is returned unchanged when nothing is inserted', () => {
    const texts = fc
      .array(fc.oneof({ weight: 9, arbitrary: pieces }, fc.string()), { maxLength: 60 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.boolean(), (text, ansiQuotes) => {
        const parts = scanShellText(text, { ansiQuotes });
        // The outer layer of backslashes in backticks can be written in more than one way.
        if (!text.includes('`')) expect(writeParts(parts, ({ written }) => written)).toBe(text);
        else expect(listReferences(parts).every(({ name }) => name !== '')).toBe(true);
      }),
      { seed: 31, numRuns: propertyRuns(5000) },
    );
  });

  const count = 100_000;
  it.each([
    ...["'", '"', '`', '\\', '$(', '((', '$((', '${', '${V', '${V.key}', '${V:-', '$V.key', '"$(', '"${x:-'],
    ...[
      '<<E\n',
      '<<E;',
      "<<'E",
      '<<"',
      '\n<<E\n$(',
      'case ',
      'case x in ',
      '`\\`',
      '#',
      '$(#',
      "$('",
      '"`',
      'a.',
    ],
    ...["\\'", '<<"\\', '${a-', '${V.key:-`', '$V.a[0]', '$(<<E\n', '`$(', "${x#'"],
  ])('scans %j repeated in one pass', (piece) => {
    const text = piece.repeat(count / piece.length);
    expect(listReferences(scanShellText(text, { ansiQuotes: true })).length).toBeLessThanOrEqual(count);
  });

  it('scans random snippets in one pass', () => {
    const [text = ''] = fc.sample(
      fc.array(pieces, { minLength: 40_000, maxLength: 40_000 }).map((all) => all.join('')),
      { seed: 32, numRuns: 1 },
    );
    expect(scanShellText(text, { ansiQuotes: true })).not.toEqual([]);
  });
});
