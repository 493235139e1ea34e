import type { Method } from '../../language/specification.js';
import { jsonSchemaLibrary } from '../documents/bounded-validator.js';
import { checkJsonPath, jsonPath, jsonPathLibrary } from './json-path.js';
import { checkJsonSchema, validateJson } from '../documents/json-schema.js';
import { textOf } from '../text.js';
import { deep, free } from '../costs.js';

export const queryMethods: readonly Method[] = [
  {
    name: 'json_path',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    description:
      'What a JSONPath expression (RFC 9535) finds: the value when the path names one, which fails when there is none; an array of values otherwise.',
    parameters: [{ name: 'expression', type: 'string' }],
    needs: jsonPathLibrary,
    check: ([expression]) => checkJsonPath(textOf(expression)),
    examples: [
      [
        'root.all_names = this.json_path("$..name")',
        '{"name":"alice","foo":{"name":"bob"}}',
        '{"all_names":["alice","bob"]}',
      ],
      [
        `root.texts = this.json_path("$.body[?(@.type=='text')]")`,
        '{"body":[{"type":"image","id":"foo"},{"type":"text","id":"bar"}]}',
        '{"texts":[{"id":"bar","type":"text"}]}',
      ],
    ],
    run: (target, [expression], run) => jsonPath(target, textOf(expression), run),
  },
  {
    name: 'json_schema',
    category: 'array and object',
    purity: 'pure',
    cost: { ...deep, steps: 160, own: 'size' },
    description:
      'The value, when it fits a JSON Schema (drafts 4 to 7, given as text); fails otherwise. References lead only into the schema itself.',
    parameters: [{ name: 'schema', type: 'string' }],
    needs: jsonSchemaLibrary,
    check: ([schema]) => checkJsonSchema(textOf(schema)),
    examples: [
      [
        'root = this.json_schema("""{"type":"object","properties":{"foo":{"type":"string"}}}""")',
        '{"foo":"bar"}',
        '{"foo":"bar"}',
      ],
      [
        'root = this.json_schema("""{"properties":{"foo":{"type":"string"}}}""").catch(this)',
        '{"foo":5}',
        '"foo invalid type. expected: string, given: integer"',
      ],
    ],
    run: (target, [schema], run) => {
      validateJson(target, textOf(schema), run);
      return target;
    },
  },
];
