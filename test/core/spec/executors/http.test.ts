import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../../core/spec/load.ts';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

const get = 'command: GET http://127.0.0.1/';

describe('step of type http', () => {
  it.each([
    [[get]],
    [['command: ["GET", "http://127.0.0.1/"]']],
    [['command: ${METHOD} ${URL}', 'config: { timeout: "${SECONDS}", skip_tls_verify: true }']],
    [[get, 'script: \'{"timeout": 5, "headers": {"A": "b"}}\'']],
    [[get, 'script: ${CONFIG}']],
  ])('loads: %j', (lines) => expect(diagnoseStep('type: http', ...lines)).toEqual([]));

  it.each([
    [
      [],
      '2:5: Steps of type "http" require "command". Example: { type: http, command: GET https://example.com/items }. (steps[0])',
    ],
    [
      ['command: http://a.example/'],
      '3:14: "command" must be a method and a URL. Write "GET http://a.example/". (steps[0].command)',
    ],
    [
      ['command: GET'],
      '3:14: "command" must be a method and a URL. Example: GET https://example.com/. (steps[0].command)',
    ],
    [
      ['command: GET /items'],
      '3:14: Invalid URL "/items". Use an absolute URL with http:// or https://. (steps[0].command)',
    ],
    [
      ['command: "G(T http://a.example/"'],
      '3:14: Unknown HTTP method "G(T". Use a method such as GET or POST. (steps[0].command)',
    ],
    [
      [get, 'config: { timout: 5 }'],
      '4:15: Unknown field "timout". Did you mean "timeout"? (steps[0].config.timout)',
    ],
    [
      [get, 'config: { timeout: -5 }'],
      '4:24: "timeout" must be a number of seconds, 0 or more. (steps[0].config.timeout)',
    ],
    [
      [get, 'config: { maxRedirects: 1.5 }'],
      '4:29: "maxRedirects" must be a whole number, 0 or more. (steps[0].config.maxRedirects)',
    ],
    [
      [get, 'config: { body: a, bodyFile: b }'],
      '4:34: "body" and "bodyFile" cannot be used together. Keep one of them. (steps[0].config.bodyFile)',
    ],
    [
      [get, 'config: { headers: { A: [b] } }'],
      '4:24: "headers" must be a map of strings. (steps[0].config.headers)',
    ],
    [
      [get, 'script: \'{"json": 5}\''],
      '4:13: "json" must be true or false, or an expression. (steps[0].script.json)',
    ],
    [
      [get, 'script: \'{"timeout": -1}\''],
      '4:13: "timeout" must be a number of seconds, 0 or more. (steps[0].script)',
    ],
    [
      [get, "script: '[]'"],
      '4:13: "script" must be a JSON object with the fields of "config": the JSON is not an object. (steps[0].script)',
    ],
    [
      [get, 'params: { A: b }'],
      '4:5: "params" is not supported for steps of type "http". Example: { type: http, command: GET https://example.com/items }. (steps[0].params)',
    ],
  ])('is rejected: %j', (lines, expected) =>
    expect(diagnoseStep('type: http', ...lines)).toEqual([expected]),
  );

  it('is rejected with a script of invalid JSON, with the position in it', () => {
    expect(diagnoseStep('type: http', get, 'script: "{no}"')[0]).toBe(
      '4:13: "script" must be a JSON object with the fields of "config": line 1, column 2: expected a value or a name in double quotes, not "no". (steps[0].script)',
    );
  });

  it('reports the location of errors in a configuration inside "type"', () => {
    const text =
      'steps:\n  - type: { type: http, config: { timeout: -1 } }\n    command: GET http://127.0.0.1/\n';
    expect(loadSpec({ text }).diagnostics.map(({ path }) => path)).toEqual(['steps[0].type.config.timeout']);
  });
});
