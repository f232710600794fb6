import { expect, it } from 'vitest';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { keyProblem } from './key-problem.ts';
import { loadWords } from './words.ts';

it.each([
  ['absent', 'noKey'],
  ['no-service', 'noKey'],
  ['locked', 'keychainShut'],
  ['denied', 'keychainShut'],
  ['slow', 'keychainShut'],
] as const)('a keychain that is %s is told as %s, in every language', (state, problem) => {
  expect(keyProblem(state)).toBe(problem);
  for (const language of interfaceLanguages)
    expect(loadWords(language)(`cli.problem.${problem}`)).toContain('OVOZ_API_KEY');
});
