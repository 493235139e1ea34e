import type { Query } from '../language/run.js';
import type { Method } from '../language/specification.js';
import { asString, typeName, wrongType } from '../language/values.js';
import { compiled, free } from './costs.js';

const query = { type: 'query' } as const;

export const generalMethods: readonly Method[] = [
  {
    name: 'map',
    category: 'general',
    purity: 'pure',
    cost: free,
    inPlace: { form: 'map' },
    description: 'Evaluates a query with the target as `this`.',
    parameters: [{ name: 'query', ...query }],
    examples: [['root.a = this.b.map(this.c)', '{"b":{"c":1}}', '{"a":1}']],
    run: (target, [inner]) => (inner as Query)(target),
  },
  {
    name: 'apply',
    category: 'general',
    purity: 'run',
    cost: free,
    inPlace: { form: 'apply' },
    description: 'Runs a named template on the target.',
    parameters: [{ name: 'mapping', type: 'string' }],
    examples: [
      ['map twice {\n  root = this * 2\n}\nroot.a = this.a.apply("twice")', '{"a":2}', '{"a":4}'],
    ],
    run: (target, [name], run) => run.call(asString(name), target),
  },
  // The compiler implements these two, because they see the failure of their target.
  {
    name: 'catch',
    category: 'general',
    purity: 'pure',
    cost: compiled,
    description: 'What to take when the target fails; `this` is the text of the failure.',
    parameters: [{ name: 'fallback', ...query }],
    examples: [['root.a = this.a.uppercase().catch("none")', '{"a":1}', '{"a":"none"}']],
    run: (target) => target,
  },
  {
    name: 'or',
    category: 'general',
    purity: 'pure',
    cost: compiled,
    description: 'What to take when the target fails or is null.',
    parameters: [{ name: 'fallback', ...query }],
    examples: [['root.a = this.a.or("none")', '{}', '{"a":"none"}']],
    run: (target) => target,
  },
  {
    name: 'not',
    category: 'general',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'The opposite of a bool.',
    examples: [['root = this.not()', 'true', 'false']],
    run: (target) => {
      if (typeof target !== 'boolean') throw wrongType('bool', target);
      return !target;
    },
  },
  {
    name: 'type',
    category: 'coercion',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'The name of the type.',
    examples: [
      [
        'root = this.map_each(v -> v.type())',
        '[1,"a",null,[],{}]',
        '["number","string","null","array","object"]',
      ],
    ],
    run: (target) => typeName(target),
  },
];
