import { defineConfig } from 'oxlint';
import { SIZE_CAPS } from './scripts/layers.ts';

const PRODUCT = ['core/**', 'main/**', 'preload/**', 'renderer/**'];

const patience = 'it gives up after a second: take untilPasses or until of test/rig';

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest'],
  jsPlugins: ['./scripts/lint/plugin.ts'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['node_modules', 'out', 'dist', 'coverage', 'test-results', 'playwright-report'],
  env: { builtin: true, browser: true, node: true },
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'stepwright/import-direction': 'error',
    'import/no-cycle': ['error', { ignoreTypes: true }],
    'import/no-default-export': 'error',
    'import/no-self-import': 'error',
    'eslint/no-console': 'error',
    'eslint/eqeqeq': 'error',
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-eval': 'error',
    'eslint/no-implied-eval': 'off',
    'eslint/no-new-func': 'error',
    'eslint/max-params': ['error', { max: 5 }],
    'eslint/max-depth': ['error', { max: 4 }],
    'eslint/complexity': ['error', { max: 20, variant: 'modified' }],
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
    ],
    'typescript/only-throw-error': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    // Rows of a database and parsed JSON are typed by assertion at the one place that reads them.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off',
    // A copy of a collection that its own loop body may change is the point, not waste.
    'unicorn/no-useless-spread': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'vitest/no-conditional-expect': 'off',
    // A test for one platform is registered only there.
    'vitest/no-conditional-tests': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css', '@fontsource*/**', 'reactflow/**'] }],
    'promise/always-return': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'react/no-did-update-set-state': 'off',
    // A dialog puts the focus where its reader begins.
    'jsx-a11y/no-autofocus': 'off',
    'react/hooks': 'off',
    'react/react-in-jsx-scope': 'off',
    // Iterating a string by code points is what a width needs.
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // Ports are object literals whose methods are taken apart freely.
    'typescript/unbound-method': 'off',
    'react/rules-of-hooks': 'off',
  },
  overrides: [
    {
      files: PRODUCT,
      rules: {
        'stepwright/no-ambient-clock': 'error',
        'eslint/max-lines': [
          'error',
          { max: SIZE_CAPS.fileLines, skipBlankLines: false, skipComments: false },
        ],
        'eslint/max-lines-per-function': [
          'error',
          { max: SIZE_CAPS.functionLines, skipBlankLines: true, skipComments: true, IIFEs: true },
        ],
      },
    },
    {
      files: ['renderer/**', 'test/renderer/**'],
      rules: { 'react/rules-of-hooks': 'error', 'react/exhaustive-deps': 'error' },
    },
    {
      files: ['scripts/**', 'test/**'],
      rules: {
        'eslint/no-console': 'off',
        'eslint/max-lines': ['error', SIZE_CAPS.fileLines],
        'vitest/no-restricted-vi-methods': ['error', { waitFor: patience, waitUntil: patience }],
      },
    },
    {
      files: [
        '*.config.ts',
        'test/**/*.config.ts',
        'scripts/lint/plugin.ts',
        'test/harness/setup/*-reporter.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
