// Type-aware rules: promises and `any` are where a service like this breaks. Every ban names its alternative.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { plainWords } from './tools/plain-words.mjs';
import { sqlInStore } from './tools/sql-in-store.mjs';

/** Prettier breaks a list or an object by itself; to spread one into the line only keeps lines down. */
const noLiteralSpread = [
  ['ObjectExpression > SpreadElement > ObjectExpression', 'write the properties'],
  ['SpreadElement > ArrayExpression', 'write the items'],
  ['SpreadElement > TSAsExpression > ArrayExpression', 'write the items'],
  ['JSXSpreadAttribute > ObjectExpression', 'write the attributes'],
].map(([selector, message]) => ({ selector, message: `${message} without spreading them` }));

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '.cache/**',
      'node_modules/**',
      'data/**',
      '**/generated/**',
      'coverage/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    ignores: [
      // These contain the words that the rule refuses.
      'tools/plain-words.mjs',
      'test/lint/plain-words.spec.ts',
      'test/lint/check-words.spec.ts',
    ],
    plugins: { onefold: plainWords },
    rules: { 'onefold/plain-words': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/require-await': 'off', // handlers are async by interface, not by need
      '@typescript-eslint/only-throw-error': 'off', // libs/mapping throws plain frozen objects: 20 times cheaper than Error
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        ...noLiteralSpread,
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'read configuration through a configuration class of libs/config',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'use Ids or an injected random source (libs/config)',
        },
      ],
    },
  },
  {
    files: ['apps/console/web/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: {
        project: './apps/console/web/tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: [
      'apps/console/web/**', // runs in browsers, whose policy allows requests to this service only
      '**/*.spec.ts',
      '**/*.fixture.ts',
      'libs/secrets/**', // the operator's own key service, by the operator's own setting
      'apps/standalone/src/first-start.ts', // itself
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'go through createDispatcher of libs/egress' },
      ],
    },
  },
  {
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: [
      'apps/console/web/**',
      '**/*.spec.ts',
      '**/*.fixture.ts',
      'libs/store/**',
      // Rooms that are made of statements: their tables have rows that run, and are reached by no other room.
      'libs/{jobs,outbox,queue}/**',
      'libs/management/audit/**', // the trail has a table of its own, which is written by functions of the database
      // Each file is the storage of one table that nothing else reads.
      'libs/fakes/src/state/store-{files,storage}.ts',
      'libs/providers/mock-ticketing/records.ts',
      // An operator's commands connect as the owner of the tables, beside every organization.
      'apps/admin/**',
      'libs/embedded/**', // creates the database
    ],
    plugins: { store: sqlInStore },
    rules: { 'store/sql-in-store': 'error' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'tools/**/*.ts'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': ['error', ...noLiteralSpread],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    rules: { 'no-restricted-syntax': ['error', ...noLiteralSpread] },
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'URLSearchParams',
          'Buffer',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'AbortController',
          'AbortSignal',
          'performance',
          'globalThis',
        ].map((g) => [g, 'readonly']),
      ),
    },
  },
  {
    files: ['libs/contract/src/reference/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'location', 'Option', 'sessionStorage', 'window'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
);
